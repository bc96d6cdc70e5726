// SPDX-License-Identifier: Apache-2.0
// ByteBpe behind pre-tokenizers that no scanner is written for.
#include "tokenize/pipeline_json.h"

namespace headrace::tokenize {
namespace {

struct ByteScratch final : PieceModel::Scratch {
  MergeScratch merge;
  std::vector<std::uint32_t> merged;
};

class ByteModel final : public PieceModel {
 public:
  explicit ByteModel(const Tokenizer::Impl* impl) : impl_(*impl) {}

  std::unique_ptr<Scratch> make_scratch() const override { return std::make_unique<ByteScratch>(); }

  bool whole(std::string_view piece, std::uint32_t* id) const override {
    if (impl_.unreachable.empty()) return false;
    const auto found = impl_.unreachable.find(std::string(piece));
    if (found != impl_.unreachable.end()) *id = found->second;
    return found != impl_.unreachable.end();
  }

  std::size_t next_cut(std::string_view piece, std::size_t from) const override {
    const auto* begin = reinterpret_cast<const std::uint8_t*>(piece.data());
    return static_cast<std::size_t>(impl_.junctions.next_cut(begin + from, begin + piece.size()) -
                                    begin);
  }

  void encode(std::string_view piece, Scratch* scratch,
              std::vector<std::uint32_t>* ids) const override {
    auto& [merge, merged] = static_cast<ByteScratch&>(*scratch);
    merged.resize(piece.size());
    merged.resize(impl_.bpe->merge(piece, &merge, merged.data()));
    ids->insert(ids->end(), merged.begin(), merged.end());
  }

 private:
  const Tokenizer::Impl& impl_;
};

}  // namespace

std::unique_ptr<const PieceModel> make_byte_model(const Tokenizer::Impl* impl) {
  return std::make_unique<ByteModel>(impl);
}

}  // namespace headrace::tokenize
