// SPDX-License-Identifier: Apache-2.0
#include "curate/sealed_json.h"

#include "base/hash.h"

namespace headrace::curate {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kChecksum = "checksum";

std::string dump(const Json& json) {
  return json.dump(1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string seal(Json json) {
  json[kChecksum] = to_hex(hash128(dump(json)));
  return dump(json) + "\n";
}

// Written again and compared whole: a checksum over values would not see another way to write them.
std::optional<Json> unseal(std::string_view text) {
  Json json = Json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains(kChecksum)) return std::nullopt;
  json.erase(kChecksum);
  if (seal(json) != text) return std::nullopt;
  return json;
}

}  // namespace headrace::curate
