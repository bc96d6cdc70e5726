// SPDX-License-Identifier: Apache-2.0
// Chooses decoders: by the name a person declared, or by the evidence in the bytes.
//
// Nothing here looks at the locale: names go through a fixed table, ICU is never asked for its
// "default converter", and the same bytes give the same answer in every environment (a UTF-8 file
// that reads on Linux and fails on a Chinese Windows is the oldest fault of this field).
#include <map>
#include <mutex>
#include <shared_mutex>

#include "normalize/internal/encodings.h"
#include "normalize/normalize.h"

namespace headrace::normalize {
namespace {

class Decoders final : public DecoderFactory {
 public:
  Result<std::shared_ptr<const TextDecoder>> declared(std::string_view name) const override {
    HEADRACE_ASSIGN_OR_RETURN(const internal::Encoding encoding, internal::resolve_encoding(name));
    {
      std::shared_lock lock(mutex_);
      const auto found = made_.find(encoding.name);
      if (found != made_.end()) return found->second;
    }
    HEADRACE_ASSIGN_OR_RETURN(std::shared_ptr<const TextDecoder> decoder,
                              internal::make_decoder(encoding));
    std::unique_lock lock(mutex_);
    return made_.emplace(encoding.name, std::move(decoder)).first->second;
  }

  EncodingEvidence detect(std::string_view head, const EncodingHints& hints) const override {
    return internal::detect_encoding(head, hints);
  }

 private:
  mutable std::shared_mutex mutex_;
  mutable std::map<std::string, std::shared_ptr<const TextDecoder>, std::less<>> made_;
};

}  // namespace

namespace internal {

Result<std::shared_ptr<const TextDecoder>> make_decoder(const Encoding& encoding) {
  if (encoding.name == "utf-8") return make_utf8_decoder();
  if (encoding.name == "utf-16le") return make_utf16_decoder(false);
  if (encoding.name == "utf-16be") return make_utf16_decoder(true);
  if (encoding.name == "gb18030") return make_gb18030_decoder(encoding);
  if (encoding.name == "johab") return make_johab_decoder();
  if (encoding.name == "viscii") return make_viscii_decoder();
  if (encoding.name == "iso-8859-16") return make_iso_8859_16_decoder();
  return make_icu_decoder(encoding);
}

}  // namespace internal

const DecoderFactory& decoders() {
  // Never destroyed: threads may decode until the process ends.
  static const Decoders* const factory = new Decoders;
  return *factory;
}

}  // namespace headrace::normalize
