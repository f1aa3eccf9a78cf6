// SPDX-License-Identifier: Apache-2.0
#pragma once

// The incomplete structs of the C interface, completed as empty bases of the classes behind them,
// so that a handle converts by static_cast and never by reinterpret_cast.
struct halyard_instance {};
struct halyard_device {};
struct halyard_buffer {};
struct halyard_semaphore {};
struct halyard_queue {};
struct halyard_contract {};
struct halyard_constant {};
struct halyard_operation {};
struct halyard_sequence {};
