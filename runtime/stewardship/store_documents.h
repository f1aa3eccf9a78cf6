// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernel-store/approval.h"
#include "kernel-store/exchange/exchange_report.h"
#include "kernel-store/kernel_state.h"
#include "kernel-store/request_queue.h"
#include "kernel-store/store_upkeep.h"
#include "kernel-store/trust/trust_list.h"
#include "runtime/stewardship/state_order.h"

#include <boost/json/object.hpp>
#include <span>
#include <string>
#include <vector>

// The JSON documents that looking after a store gives.
namespace halyard::stewardship {

std::string state_change_json(const StateOutcome& outcome);
std::string history_json(const NamedKernel& kernel, std::span<const store::StateChange> history);
std::string verification_json(const store::VerifiedRecords& counts,
                              std::span<const store::DamagedRecord> damaged);
std::string collection_json(const store::CollectedRecords& counts);
std::string exchange_json(const store::ExchangeReport& report);
std::string export_json(const std::string& path, const store::ExchangeReport& report);
// Either report may be null.
std::string sync_json(const store::ExchangeReport* pulled, const store::ExchangeReport* pushed);
std::string requests_json(std::span<const store::Request> requests);
std::string request_json(const store::Request& request);
std::string trust_list_json(const std::string& path, const store::TrustList& trust);
std::string key_json(const std::string& path, const store::PublicKey& key);

}  // namespace halyard::stewardship
