// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// A program with failing_allocations.cpp has an operator new of its own, which counts and can fail.
namespace halyard::tests {

// Lets operator new of the calling thread throw std::bad_alloc once, after `count` more calls.
void fail_allocation_after(std::uint64_t count);
// Calls that off. False when it has thrown meanwhile.
bool cancel_failing_allocation();

// How many objects of operator new all threads hold.
std::int64_t live_allocations();

}  // namespace halyard::tests
