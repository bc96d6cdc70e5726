// SPDX-License-Identifier: Apache-2.0
// Memory, choice of kernels and lines; the scan itself is in internal/text_scan.inl.h.
//
// The text is copied behind 128 zero bytes of padding: a copy costs 1 to 3 % of the scan and lets
// every kernel read whole vectors anywhere, whoever owns the input. Position arrays are allocated
// for the worst text (every byte a word) without being touched, so only what a text needs becomes
// memory.
#include "record/text_view.h"

#include <algorithm>
#include <cstring>

#include "record/internal/text_scan.h"

namespace headrace {
namespace {

constexpr std::size_t kKeepBytes = std::size_t{64} << 20;
constexpr std::size_t kSlack = 128;  // entries that kernels may write behind the last one

const internal::TextKernels& kernels_for(SimdLevel level) {
#if defined(__x86_64__)
  switch (level) {
    case SimdLevel::kAvx512:
      return internal::kAvx512TextKernels;
    case SimdLevel::kAvx2:
      return internal::kAvx2TextKernels;
    case SimdLevel::kScalar:
      break;
  }
#endif
  static_cast<void>(level);
  return internal::kScalarTextKernels;
}

// Where `mask` of the blocks has its first set bit at or behind `position`, but before `limit`;
// `limit` if nowhere.
template <class Mask>
std::uint32_t next_set(const TextBlock* blocks, std::uint32_t position, std::uint32_t limit,
                       Mask mask) {
  if (position >= limit) return limit;
  std::uint32_t index = position / 64;
  std::uint64_t bits = mask(blocks[index]) & (~std::uint64_t{0} << (position % 64));
  while (bits == 0) {
    if (++index * 64 >= limit) return limit;
    bits = mask(blocks[index]);
  }
  return std::min(limit, index * 64 + static_cast<std::uint32_t>(std::countr_zero(bits)));
}

// The last set bit before `limit`, which must exist.
template <class Mask>
std::uint32_t last_set(const TextBlock* blocks, std::uint32_t limit, Mask mask) {
  std::uint32_t index = limit / 64;
  std::uint64_t bits = mask(blocks[index]) & ((std::uint64_t{1} << (limit % 64)) - 1);
  while (bits == 0) bits = mask(blocks[--index]);
  return index * 64 + 63 - static_cast<std::uint32_t>(std::countl_zero(bits));
}

}  // namespace

struct TextViewBuilder::Memory {
  std::size_t capacity = 0;  // bytes of text
  std::unique_ptr<char[]> text;
  std::unique_ptr<TextBlock[]> blocks;
  std::unique_ptr<std::uint32_t[]> word_begin;
  std::unique_ptr<std::uint32_t[]> word_end;
  std::unique_ptr<std::uint64_t[]> word_hash;
  std::unique_ptr<std::uint32_t[]> newlines;
  std::unique_ptr<std::uint32_t[]> sentence_ends;
  std::unique_ptr<TextRange[]> lines;
};

TextViewBuilder::TextViewBuilder(SimdLevel level) : memory_(std::make_unique<Memory>()) {
  view_.simd = std::min(level, best_simd_level());
}

TextViewBuilder::~TextViewBuilder() = default;

void TextViewBuilder::reserve(std::size_t bytes) {
  Memory& memory = *memory_;
  if (memory.capacity > kKeepBytes && bytes <= kKeepBytes) memory = Memory();
  if (bytes <= memory.capacity && memory.capacity > 0) return;
  memory = Memory();
  const std::size_t capacity = bytes + bytes / 2 + 4096;
  const std::size_t entries = capacity + kSlack;
  memory.text = std::make_unique_for_overwrite<char[]>(capacity + TextView::kPadding);
  memory.blocks = std::make_unique_for_overwrite<TextBlock[]>(capacity / 64 + 1);
  memory.word_begin = std::make_unique_for_overwrite<std::uint32_t[]>(entries);
  memory.word_end = std::make_unique_for_overwrite<std::uint32_t[]>(entries);
  memory.word_hash = std::make_unique_for_overwrite<std::uint64_t[]>(entries);
  memory.newlines = std::make_unique_for_overwrite<std::uint32_t[]>(entries);
  memory.sentence_ends = std::make_unique_for_overwrite<std::uint32_t[]>(entries);
  memory.lines = std::make_unique_for_overwrite<TextRange[]>(capacity / 2 + 2);
  memory.capacity = capacity;
}

void TextViewBuilder::find_lines() {
  const TextBlock* blocks = memory_->blocks.get();
  TextRange* lines = memory_->lines.get();
  const auto visible = [](const TextBlock& b) { return b.lead & ~b.space; };
  const auto lead = [](const TextBlock& b) { return b.lead; };
  const std::uint32_t size = static_cast<std::uint32_t>(view_.text.size());
  std::size_t count = 0;
  std::uint32_t begin = 0;
  for (std::size_t i = 0; i <= view_.newlines.size(); ++i) {
    const std::uint32_t end = i < view_.newlines.size() ? view_.newlines[i] : size;
    const std::uint32_t first = next_set(blocks, begin, end, visible);
    if (first < end) {
      const std::uint32_t last = last_set(blocks, end, visible);
      lines[count++] = {first, next_set(blocks, last + 1, end, lead)};
    }
    begin = end + 1;
  }
  view_.lines = {lines, count};
}

const TextView& TextViewBuilder::build(std::string_view text) {
  if (text.size() > kMaxTextBytes) {
    std::size_t cut = kMaxTextBytes;
    while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80) --cut;
    text = text.substr(0, cut);
  }
  reserve(text.size());
  Memory& memory = *memory_;
  if (!text.empty()) std::memcpy(memory.text.get(), text.data(), text.size());
  std::memset(memory.text.get() + text.size(), 0, TextView::kPadding);

  const std::uint32_t size = static_cast<std::uint32_t>(text.size());
  const unsigned char* bytes = reinterpret_cast<const unsigned char*>(memory.text.get());
  const internal::TextKernels& kernels = kernels_for(view_.simd);
  TextCounts& counts = view_.counts;
  kernels.scan(bytes, size,
               {memory.blocks.get(), memory.word_begin.get(), memory.word_end.get(),
                memory.newlines.get(), memory.sentence_ends.get(), &counts});
  kernels.hash_words(bytes, memory.word_begin.get(), memory.word_end.get(), counts.words,
                     memory.word_hash.get());
  view_.text = {memory.text.get(), size};
  view_.blocks = {memory.blocks.get(), size / 64 + 1};
  view_.word_begin = {memory.word_begin.get(), counts.words};
  view_.word_end = {memory.word_end.get(), counts.words};
  view_.word_hash = {memory.word_hash.get(), counts.words};
  view_.newlines = {memory.newlines.get(), counts.newlines};
  view_.sentence_ends = {memory.sentence_ends.get(), counts.sentences};
  find_lines();
  return view_;
}

}  // namespace headrace
