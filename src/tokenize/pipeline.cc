// SPDX-License-Identifier: Apache-2.0
// Pieces go through the steps one at a time, depth first, so that no list of them is ever made.
//
// The cache keeps short pieces; when it is full it is emptied. What it holds changes nothing but
// time, since a model is a function.
#include "tokenize/pipeline.h"

#include <algorithm>

namespace headrace::tokenize {
namespace {

constexpr std::size_t kLongestCached = 64;     // bytes
constexpr std::size_t kMostCached = 1U << 17;  // pieces, some 100 bytes each
constexpr std::size_t kShortestCut = 16;       // bytes; below, the cache serves the whole

}  // namespace

void Pipeline::normalize(std::string_view text, std::string* normalized) const {
  normalized->assign(text);
  std::string next;
  for (const auto& step : normalizers) {
    step->normalize(*normalized, &next);
    normalized->swap(next);
  }
}

// Hands what a pre-tokenizer makes to the next one, and what the last makes to the model.
class PipelineEncoder::Step final : public PieceSink {
 public:
  Step(PipelineEncoder* encoder, std::size_t number) : encoder_(encoder), number_(number) {}

  void piece(std::string_view text, bool at_start) override {
    const auto& steps = encoder_->pipeline_.pre_tokenizers;
    if (number_ == steps.size()) return encoder_->add_piece(text);
    steps[number_]->split(text, at_start, &buffer_, &encoder_->steps_[number_ + 1]);
  }

 private:
  PipelineEncoder* encoder_;
  std::size_t number_;
  std::string buffer_;
};

PipelineEncoder::PipelineEncoder(const Pipeline& pipeline)
    : pipeline_(pipeline), scratch_(pipeline.model->make_scratch()) {
  for (std::size_t i = 0; i <= pipeline.pre_tokenizers.size(); ++i) steps_.emplace_back(this, i);
}

PipelineEncoder::~PipelineEncoder() = default;

void PipelineEncoder::encode(std::string_view text, bool at_start,
                             std::vector<std::uint32_t>* ids) {
  ids_ = ids;
  if (!text.empty()) steps_[0].piece(text, at_start);
}

void PipelineEncoder::add_piece(std::string_view piece) {
  std::uint32_t id = 0;
  if (pipeline_.model->whole(piece, &id)) return ids_->push_back(id);
  if (piece.size() < kShortestCut) return add_part(piece);
  for (std::size_t begin = 0; begin < piece.size();) {
    const std::size_t end = pipeline_.model->next_cut(piece, begin);
    add_part(piece.substr(begin, end - begin));
    begin = end;
  }
}

void PipelineEncoder::add_part(std::string_view part) {
  if (part.size() > kLongestCached) return pipeline_.model->encode(part, scratch_.get(), ids_);
  if (const auto found = cache_.find(part); found != cache_.end()) {
    const auto begin = cached_ids_.begin() + found->second.begin;
    ids_->insert(ids_->end(), begin, begin + found->second.count);
    return;
  }
  const std::size_t before = ids_->size();
  pipeline_.model->encode(part, scratch_.get(), ids_);
  if (cache_.size() == kMostCached) {
    cache_.clear();
    cached_ids_.clear();
  }
  const Cached cached = {static_cast<std::uint32_t>(cached_ids_.size()),
                         static_cast<std::uint32_t>(ids_->size() - before)};
  cached_ids_.insert(cached_ids_.end(), ids_->begin() + static_cast<std::ptrdiff_t>(before),
                     ids_->end());
  cache_.emplace(part, cached);
}

}  // namespace headrace::tokenize
