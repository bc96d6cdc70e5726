// SPDX-License-Identifier: Apache-2.0
// Writing the probing binary of KenLM; internal/ngram_binary.h has the layout.
#include "io/file.h"
#include "score/internal/ngram_binary.h"
#include "score/ngram_model.h"

namespace headrace::score {

using internal::BinaryFixed;
using internal::BinaryParameters;
using internal::kNgramMagic;
using internal::kNgramMagicBytes;
using internal::ngram_header_bytes;
using internal::Weights;

Result<void> NgramModel::write_binary(const std::string& path) const {
  HEADRACE_ASSIGN_OR_RETURN(io::AtomicFile file, io::AtomicFile::create(path));
  const auto write = [&](const void* data, std::size_t size) {
    return file.write({static_cast<const char*>(data), size});
  };
  std::string header(kNgramMagic);
  header.resize(kNgramMagicBytes);
  const auto append = [&](const auto& value) {
    header.append(reinterpret_cast<const char*>(&value), sizeof(value));
  };
  append(BinaryFixed{});
  append(BinaryParameters{.order = static_cast<std::uint32_t>(order_), .multiplier = multiplier_});
  const std::vector<std::uint64_t> all = counts();
  for (const std::uint64_t count : all) append(count);
  header.resize(ngram_header_bytes(all.size()));
  append(std::uint32_t{0});
  append(static_cast<std::uint32_t>(unigrams_.size()));
  HEADRACE_RETURN_IF_ERROR(file.write(header));
  // Tables that grew, or were made for more, are laid out again as the counts say.
  const auto write_table = [&]<class Value>(const internal::ProbingTable<Value>& table,
                                            std::uint64_t count) -> Result<void> {
    const std::uint64_t buckets = table.buckets_for(count, multiplier_);
    if (buckets == table.buckets()) return write(table.data(), table.bytes());
    internal::ProbingTable<Value> other(buckets);
    for (std::uint64_t i = 0; i < table.buckets(); ++i) {
      if (table.key_at(i) != 0) other.put(table.key_at(i), table.value_at(i));
    }
    return write(other.data(), other.bytes());
  };
  HEADRACE_RETURN_IF_ERROR(write_table(words_, unigrams_.size()));
  HEADRACE_RETURN_IF_ERROR(write(unigrams_.data(), unigrams_.size() * sizeof(Weights)));
  const Weights none;  // the format has one more unigram, for an <unk> that was not counted
  HEADRACE_RETURN_IF_ERROR(write(&none, sizeof(none)));
  for (std::size_t n = 0; n < middle_.size(); ++n) {
    HEADRACE_RETURN_IF_ERROR(write_table(middle_[n], all[n + 1]));
  }
  HEADRACE_RETURN_IF_ERROR(write_table(longest_, all.back()));
  return file.commit();
}

}  // namespace headrace::score
