// SPDX-License-Identifier: Apache-2.0
#include "halyard/services/store.h"

#include "runtime/base/canonical_json.h"
#include "runtime/base/json.h"
#include "runtime/stewardship/handles.h"
#include "runtime/stewardship/store_documents.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

namespace base = halyard::base;
namespace store = halyard::store;
namespace stewardship = halyard::stewardship;
using stewardship::make_document;

constexpr std::size_t kLeastIdDigits = 8;
constexpr std::size_t kMaxTargetBytes = 256;

base::Result<store::Request> find_request(const halyard_store& opened, std::string_view name) {
  HALYARD_TRY_ASSIGN(std::vector<store::Request> requests,
                     opened.stewarded.store().requests().list_requests());
  store::Request* found = nullptr;
  for (store::Request& request : requests) {
    const bool matches =
        name.size() >= kLeastIdDigits && store::digest_text(request.id).starts_with(name);
    if (!matches) continue;
    if (found != nullptr) {
      return base::invalid_argument(base::concat("Several requests begin with ", name, "."));
    }
    found = &request;
  }
  if (found != nullptr) return std::move(*found);
  return base::Error(base::ErrorCode::kNotFound,
                     base::concat("The store ", opened.stewarded.store().url(),
                                  " has no request \"", name, "\"."));
}

base::Result<store::Request> put(const halyard_store& opened, const std::string& kind_name,
                                 const std::string& target, const std::string& text) {
  const auto kind = store::request_kind_from_name(kind_name);
  if (!kind) {
    return base::invalid_argument(
        base::concat("A request is of kind kernel, verification or "
                     "measurement, not \"",
                     kind_name, "\"."));
  }
  HALYARD_TRY_ASSIGN(const boost::json::value document, base::parse_json(text, "The request"));
  HALYARD_TRY_ASSIGN(const store::RequestId id, opened.stewarded.store().requests().put_request(
                                                    *kind, target, base::canonical_json(document)));
  return find_request(opened, store::digest_text(id));
}

}  // namespace

extern "C" halyard_status halyard_store_requests(halyard_store* opened,
                                                 halyard_document** out_requests) {
  return make_document(out_requests, [&]() -> base::Result<std::string> {
    HALYARD_TRY(base::require_not_null(opened, "store"));
    HALYARD_TRY_ASSIGN(const auto requests, opened->stewarded.store().requests().list_requests());
    return stewardship::requests_json(requests);
  });
}

extern "C" halyard_status halyard_store_request(halyard_store* opened, const char* request,
                                                halyard_document** out_request) {
  return make_document(out_request, [&]() -> base::Result<std::string> {
    HALYARD_TRY(base::require_not_null(opened, "store"));
    HALYARD_TRY(base::require_not_null(request, "request"));
    HALYARD_TRY_ASSIGN(const store::Request found, find_request(*opened, request));
    return stewardship::request_json(found);
  });
}

extern "C" halyard_status halyard_store_put_request(halyard_store* opened, const char* kind,
                                                    const char* target, const char* document,
                                                    halyard_document** out_request) {
  return make_document(out_request, [&]() -> base::Result<std::string> {
    HALYARD_TRY(base::require_not_null(opened, "store"));
    HALYARD_TRY(base::require_not_null(kind, "kind"));
    HALYARD_TRY(base::require_not_null(document, "document"));
    HALYARD_TRY_ASSIGN(const std::string wanted,
                       stewardship::kept_text(target, kMaxTargetBytes, "target"));
    HALYARD_TRY_ASSIGN(const store::Request made, put(*opened, kind, wanted, document));
    return stewardship::request_json(made);
  });
}

extern "C" halyard_status halyard_store_cancel_request(halyard_store* opened, const char* request) {
  return base::guard([&]() -> base::Status {
    HALYARD_TRY(base::require_not_null(opened, "store"));
    HALYARD_TRY(base::require_not_null(request, "request"));
    HALYARD_TRY_ASSIGN(const store::Request found, find_request(*opened, request));
    return opened->stewarded.store().requests().cancel_request(found.id);
  });
}
