// SPDX-License-Identifier: Apache-2.0
#include "halyard/services/trust.h"

#include "kernel-store/trust/public_key.h"
#include "kernel-store/trust/trust_list.h"
#include "runtime/stewardship/handles.h"
#include "runtime/stewardship/store_documents.h"

#include <string>
#include <utility>
#include <vector>

namespace {

namespace base = halyard::base;
namespace store = halyard::store;
namespace stewardship = halyard::stewardship;
using stewardship::make_document;
using store::KernelState;

constexpr std::uint32_t kAllRights = HALYARD_TRUST_RIGHT_VERIFIED | HALYARD_TRUST_RIGHT_PROMOTED |
                                     HALYARD_TRUST_RIGHT_QUARANTINED | HALYARD_TRUST_RIGHT_RETIRED;

base::Result<std::string> trust_file_of(const char* given) {
  if (given != nullptr) return std::string(given);
  return stewardship::configured_trust_file();
}

base::Result<std::vector<KernelState>> states_of(std::uint32_t rights) {
  if ((rights & ~kAllRights) != 0) {
    return base::invalid_argument(
        base::concat("desc.rights (", rights, ") has bits beyond ", kAllRights, "."));
  }
  if (rights == 0) rights = kAllRights;
  std::vector<KernelState> states;
  if ((rights & HALYARD_TRUST_RIGHT_VERIFIED) != 0) states.push_back(KernelState::kVerified);
  if ((rights & HALYARD_TRUST_RIGHT_PROMOTED) != 0) states.push_back(KernelState::kPromoted);
  if ((rights & HALYARD_TRUST_RIGHT_QUARANTINED) != 0) states.push_back(KernelState::kQuarantined);
  if ((rights & HALYARD_TRUST_RIGHT_RETIRED) != 0) states.push_back(KernelState::kRetired);
  return states;
}

base::Result<store::TrustedKey> trusted_key_of(const halyard_trust_desc& desc) {
  HALYARD_TRY(base::require_not_null(desc.key, "desc.key"));
  HALYARD_TRY(base::require_not_null(desc.label, "desc.label"));
  HALYARD_TRY(stewardship::require_zero(desc.reserved, "desc.reserved"));
  store::TrustedKey key;
  HALYARD_TRY_ASSIGN(key.key, store::parse_public_key(desc.key));
  key.label = desc.label;
  HALYARD_TRY_ASSIGN(key.may_say, states_of(desc.rights));
  key.local = desc.local != 0;
  HALYARD_TRY_ASSIGN(key.expires_ms, stewardship::days_from_now_ms(desc.days, "desc.days"));
  return key;
}

}  // namespace

extern "C" halyard_status halyard_trust_list(const char* trust_file, halyard_document** out_list) {
  return make_document(out_list, [&]() -> base::Result<std::string> {
    HALYARD_TRY_ASSIGN(const std::string path, trust_file_of(trust_file));
    HALYARD_TRY_ASSIGN(const store::TrustList trust, store::TrustList::load(path));
    return stewardship::trust_list_json(path, trust);
  });
}

extern "C" halyard_status halyard_trust_add(const char* trust_file,
                                            const halyard_trust_desc* given) {
  return base::guard([&]() -> base::Status {
    HALYARD_TRY_ASSIGN(const std::string path, trust_file_of(trust_file));
    HALYARD_TRY_ASSIGN(const halyard_trust_desc desc,
                       base::read_struct(given, sizeof(halyard_trust_desc), "desc"));
    HALYARD_TRY_ASSIGN(const store::TrustedKey key, trusted_key_of(desc));
    return store::change_trust_list(path, [&](store::TrustList& trust) { return trust.add(key); });
  });
}

extern "C" halyard_status halyard_trust_remove(const char* trust_file, const char* name) {
  return base::guard([&]() -> base::Status {
    HALYARD_TRY(base::require_not_null(name, "name"));
    HALYARD_TRY_ASSIGN(const std::string path, trust_file_of(trust_file));
    return store::change_trust_list(path,
                                    [&](store::TrustList& trust) { return trust.remove(name); });
  });
}

extern "C" halyard_status halyard_key_create(const char* path, const void* passphrase,
                                             size_t passphrase_size, halyard_document** out_key) {
  return make_document(out_key, [&]() -> base::Result<std::string> {
    HALYARD_TRY(base::require_not_null(path, "path"));
    HALYARD_TRY_ASSIGN(const store::Secret secret,
                       stewardship::secret_of(passphrase, passphrase_size, "The passphrase"));
    HALYARD_TRY_ASSIGN(const store::SigningKey key, store::SigningKey::create());
    HALYARD_TRY(key.save(path, secret));
    return stewardship::key_json(path, key.public_key());
  });
}

extern "C" halyard_status halyard_key_needs_passphrase(const char* path, uint32_t* out_needs) {
  return base::guard([&]() -> base::Status {
    HALYARD_TRY(base::require_not_null(path, "path"));
    HALYARD_TRY(base::require_not_null(out_needs, "out_needs"));
    *out_needs = 0;
    HALYARD_TRY_ASSIGN(const bool needs, store::SigningKey::needs_passphrase(path));
    *out_needs = needs ? 1 : 0;
    return base::ok();
  });
}
