/* SPDX-License-Identifier: Apache-2.0 */
#ifndef HALYARD_CONTRACT_H_
#define HALYARD_CONTRACT_H_

#include "halyard/export.h"
#include "halyard/instance.h"
#include "halyard/status.h"

#include <stddef.h>
#include <stdint.h>

HALYARD_BEGIN_DECLS

/* The definition of an operator: axes, types, tensors, scalars, rules, tolerance. Immutable. */
typedef struct halyard_contract halyard_contract;

/* The names of all contracts, one per line, by the text protocol of halyard_instance_report.
 *
 * Threads: any number at once.
 * Errors: INVALID_ARGUMENT; IO_ERROR. */
HALYARD_API halyard_status halyard_instance_contracts(halyard_instance* instance, size_t capacity,
                                                      char* out_text, size_t* out_size);

/* The contract named `name`. *out_contract receives one reference.
 *
 * Threads: any number at once.
 * Errors: NOT_FOUND with the nearest names; CORRUPT_DATA. */
HALYARD_API halyard_status halyard_contract_get(halyard_instance* instance, const char* name,
                                                halyard_contract** out_contract);

/* Adds or drops a reference; release takes NULL.
 *
 * Threads: any. */
HALYARD_API void halyard_contract_retain(halyard_contract* contract);
HALYARD_API void halyard_contract_release(halyard_contract* contract);

/* The whole contract as canonical JSON ("halyard.contract/1"). Borrowed from the contract.
 *
 * Threads: any. */
HALYARD_API const char* halyard_contract_json(const halyard_contract* contract);

/* How many views, launch axes and scalars a launch of this contract has, and the place of a name
 * among them; UINT32_MAX when there is no such name. Launch axes are the launch and device axes
 * in the contract's order; a device axis stands for its upper bound.
 *
 * Threads: any. */
HALYARD_API uint32_t halyard_contract_tensor_count(const halyard_contract* contract);
HALYARD_API uint32_t halyard_contract_launch_axis_count(const halyard_contract* contract);
HALYARD_API uint32_t halyard_contract_scalar_count(const halyard_contract* contract);
HALYARD_API uint32_t halyard_contract_tensor_index(const halyard_contract* contract,
                                                   const char* name);
HALYARD_API uint32_t halyard_contract_launch_axis_index(const halyard_contract* contract,
                                                        const char* name);
HALYARD_API uint32_t halyard_contract_scalar_index(const halyard_contract* contract,
                                                   const char* name);

HALYARD_END_DECLS

#endif
