// SPDX-License-Identifier: Apache-2.0
// Symbols in a linked list, pairs in a heap: n log n of the piece, whatever it holds.
//
// Most files of this kind have no pre-tokenizer, so a piece is a whole document. It is cut where no
// entry of the vocabulary holds what stands on both sides (junctions.h), mostly before each blank:
// no merge crosses such a place, and what lies between is a word, which the cache knows. Not cut:
// vocabularies in which a cut could be seen (suffixes, unknown characters that fuse, bytes that
// merge).
#include "tokenize/char_bpe.h"

#include <algorithm>
#include <bit>
#include <functional>

#include "tokenize/utf8.h"

namespace headrace::tokenize {
namespace {

constexpr std::uint32_t kNothing = 0xFFFFFFFF;

class Pairs {
 public:
  struct Slot {
    std::uint64_t pair = kFree;
    std::uint32_t rank = 0;
    std::uint32_t merged = 0;
  };

  void build(const std::vector<CharBpeSpec::Merge>& merges) {
    slots_.assign(std::bit_ceil(std::max<std::size_t>(merges.size() * 2, 16)), {});
    for (const CharBpeSpec::Merge& merge : merges) {
      const std::uint64_t pair = std::uint64_t{merge.left} << 32 | merge.right;
      slots_[place(pair)] = {pair, merge.rank, merge.merged};
    }
  }

  const Slot* find(std::uint32_t left, std::uint32_t right) const {
    const std::uint64_t pair = std::uint64_t{left} << 32 | right;
    const Slot& slot = slots_[place(pair)];
    return slot.pair == pair && pair != kFree ? &slot : nullptr;
  }

 private:
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};

  std::size_t place(std::uint64_t pair) const {
    std::uint64_t hash = pair * 0x9E3779B97F4A7C15U;
    hash ^= hash >> 32;
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash & mask;
    while (slots_[at].pair != kFree && slots_[at].pair != pair) at = (at + 1) & mask;
    return at;
  }

  std::vector<Slot> slots_;
};

struct Symbol {
  std::uint32_t id = 0;
  std::uint32_t next = 0;
  std::uint32_t previous = 0;
  std::uint32_t offset = 0;  // of its text in the piece
};

struct BpeScratch final : PieceModel::Scratch {
  std::vector<Symbol> symbols;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> heap;  // rank and place; the pair
};

class CharBpe final : public PieceModel {
 public:
  explicit CharBpe(CharBpeSpec spec) : spec_(std::move(spec)) {
    pairs_.build(spec_.merges);
    for (const auto& [text, id] : spec_.ids) {
      if (text.empty()) continue;
      junctions_.add(text);
      std::uint32_t length = 0;
      const std::uint32_t c =
          utf8_decode(reinterpret_cast<const std::uint8_t*>(text.data()), &length);
      if (length == text.size()) characters_.emplace(c, id);
      if (!spec_.suffix.empty() && text.size() == length + spec_.suffix.size() &&
          text.ends_with(spec_.suffix)) {
        last_characters_.emplace(c, id);
      }
    }
    can_cut_ = find_can_cut();
    spec_.merges.clear();
  }

  std::unique_ptr<Scratch> make_scratch() const override { return std::make_unique<BpeScratch>(); }

  bool whole(std::string_view piece, std::uint32_t* id) const override {
    if (!spec_.whole_first) return false;
    const auto found = spec_.ids.find(std::string(piece));
    if (found != spec_.ids.end()) *id = found->second;
    return found != spec_.ids.end();
  }

  std::size_t next_cut(std::string_view piece, std::size_t from) const override {
    if (!can_cut_) return piece.size();
    const auto* begin = reinterpret_cast<const std::uint8_t*>(piece.data());
    return static_cast<std::size_t>(junctions_.next_cut(begin + from, begin + piece.size()) -
                                    begin);
  }

  void encode(std::string_view piece, Scratch* scratch,
              std::vector<std::uint32_t>* ids) const override {
    auto& [symbols, heap] = static_cast<BpeScratch&>(*scratch);
    symbols.clear();
    if (spec_.kind == CharBpeSpec::Kind::kTokenizers) {
      add_symbols(piece, &symbols);
    } else {
      add_plain_symbols(piece, &symbols);
    }
    if (symbols.empty()) return;
    merge(&symbols, &heap);
    if (spec_.kind == CharBpeSpec::Kind::kSentencePiece) return emit(piece, symbols, ids);
    for (std::uint32_t i = 0; i < symbols.size(); i = symbols[i].next)
      ids->push_back(symbols[i].id);
  }

 private:
  bool find_can_cut() const {
    std::vector<bool> is_special;  // ids that no text of their own stands behind
    std::size_t byte_count = 0;
    const auto mark = [&](std::uint32_t id) {
      if (id >= is_special.size()) is_special.resize(id + std::size_t{1});
      is_special[id] = true;
    };
    for (const auto& id : spec_.bytes) {
      if (id) mark(*id), ++byte_count;
    }
    if (spec_.unknown) mark(*spec_.unknown);
    const bool keeps_unknown = byte_count == 0 && spec_.unknown && !spec_.fuse_unknown;
    if (!spec_.suffix.empty() || !(byte_count == spec_.bytes.size() || keeps_unknown)) return false;
    const auto special = [&](std::uint32_t id) { return id < is_special.size() && is_special[id]; };
    return std::ranges::none_of(spec_.merges, [&](const CharBpeSpec::Merge& merge) {
      return special(merge.left) || special(merge.right);
    });
  }

  static void add(std::uint32_t id, std::size_t offset, std::vector<Symbol>* symbols) {
    symbols->push_back({id, 0, 0, static_cast<std::uint32_t>(offset)});
  }

  // As tokenizers does it: an unknown character waits until a known one comes.
  void add_symbols(std::string_view piece, std::vector<Symbol>* symbols) const {
    bool waits = false;
    std::uint32_t length = 0;
    for (std::size_t at = 0; at < piece.size(); at += length) {
      const std::uint32_t c =
          utf8_decode(reinterpret_cast<const std::uint8_t*>(piece.data()) + at, &length);
      const bool is_last = at + length == piece.size() && !spec_.suffix.empty();
      const auto& characters = is_last ? last_characters_ : characters_;
      if (const auto found = characters.find(c); found != characters.end()) {
        if (waits) add(*spec_.unknown, at, symbols);
        waits = false;
        add(found->second, at, symbols);
        continue;
      }
      std::string text(piece.substr(at, length));
      if (is_last) text += spec_.suffix;
      if (add_bytes(text, at, symbols) || !spec_.unknown) continue;
      if (waits && !spec_.fuse_unknown) add(*spec_.unknown, at, symbols);
      waits = true;
    }
    if (waits) add(*spec_.unknown, piece.size(), symbols);
  }

  bool add_bytes(std::string_view text, std::size_t at, std::vector<Symbol>* symbols) const {
    const auto id = [this](char byte) { return spec_.bytes[static_cast<std::uint8_t>(byte)]; };
    if (!std::ranges::all_of(text, [&](char byte) { return id(byte).has_value(); })) return false;
    for (const char byte : text) add(*id(byte), at, symbols);
    return true;
  }

  // As SentencePiece does it: what characters are no piece is seen at the end.
  void add_plain_symbols(std::string_view piece, std::vector<Symbol>* symbols) const {
    std::uint32_t length = 0;
    for (std::size_t at = 0; at < piece.size(); at += length) {
      std::uint32_t id = kNothing;
      if (!spec_.atoms.empty()) {
        length = static_cast<std::uint32_t>(spec_.atoms.longest_prefix(piece.substr(at), &id));
        if (length > 0) {
          add(id, at, symbols);
          continue;
        }
      }
      const std::uint32_t c =
          utf8_decode(reinterpret_cast<const std::uint8_t*>(piece.data()) + at, &length);
      const auto found = characters_.find(c);
      add(found == characters_.end() ? kNothing : found->second, at, symbols);
    }
  }

  void merge(std::vector<Symbol>* all,
             std::vector<std::pair<std::uint64_t, std::uint64_t>>* queue) const {
    std::vector<Symbol>& symbols = *all;
    auto& heap = *queue;
    const auto size = static_cast<std::uint32_t>(symbols.size());
    heap.clear();
    const auto pair_at = [&](std::uint32_t i) {
      return std::uint64_t{symbols[i].id} << 32 | symbols[symbols[i].next].id;
    };
    const auto consider = [&](std::uint32_t i) {
      if (symbols[i].next >= size) return false;
      const auto* found = pairs_.find(symbols[i].id, symbols[symbols[i].next].id);
      if (found == nullptr) return false;
      heap.emplace_back(std::uint64_t{found->rank} << 32 | i, pair_at(i));
      return true;
    };
    for (std::uint32_t i = 0; i < size; ++i) {
      symbols[i].next = i + 1;
      symbols[i].previous = i - 1;
    }
    for (std::uint32_t i = 0; i < size; ++i) consider(i);
    std::ranges::make_heap(heap, std::greater<>());
    while (!heap.empty()) {
      const auto [key, pair] = heap.front();
      std::ranges::pop_heap(heap, std::greater<>());
      heap.pop_back();
      const auto i = static_cast<std::uint32_t>(key);
      Symbol& left = symbols[i];
      // What was merged away has no id, and what was merged further is another pair.
      if (left.next >= size || pair_at(i) != pair) continue;
      Symbol& right = symbols[left.next];
      left.id = pairs_.find(left.id, right.id)->merged;
      right.id = kNothing - 1;
      left.next = right.next;
      if (left.next < size) symbols[left.next].previous = i;
      if (consider(i)) std::ranges::push_heap(heap, std::greater<>());
      if (i > 0 && consider(left.previous)) std::ranges::push_heap(heap, std::greater<>());
    }
  }

  // Unknown characters as bytes; without bytes a run of them is one.
  void emit(std::string_view piece, const std::vector<Symbol>& symbols,
            std::vector<std::uint32_t>* ids) const {
    bool was_unknown = false;
    for (std::uint32_t i = 0; i < symbols.size(); i = symbols[i].next) {
      const Symbol& symbol = symbols[i];
      const bool is_unknown = symbol.id >= spec_.first_helper;
      if (!is_unknown) {
        ids->push_back(symbol.id);
      } else if (spec_.bytes[0]) {
        const auto length = utf8_length(static_cast<std::uint8_t>(piece[symbol.offset]));
        for (const char byte : piece.substr(symbol.offset, length)) {
          ids->push_back(*spec_.bytes[static_cast<std::uint8_t>(byte)]);
        }
      } else if (!was_unknown) {
        ids->push_back(*spec_.unknown);
      }
      was_unknown = is_unknown;
    }
  }

  CharBpeSpec spec_;
  Pairs pairs_;
  Junctions junctions_;
  std::unordered_map<std::uint32_t, std::uint32_t> characters_;
  std::unordered_map<std::uint32_t, std::uint32_t> last_characters_;
  bool can_cut_ = false;
};

}  // namespace

std::unique_ptr<const PieceModel> make_char_bpe(CharBpeSpec spec) {
  return std::make_unique<CharBpe>(std::move(spec));
}

}  // namespace headrace::tokenize
