// SPDX-License-Identifier: Apache-2.0
// The general way of a text, for files that are not byte-level BPE with a known split pattern:
//
//   text ─ normalizers ─ pre-tokenizers → pieces ─ cut ─ cache ─ model → ids
//
// A file is a list of steps, each one object of a small class here.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace headrace::tokenize {

// One step of a normalizer. Immutable: thread-safe. Texts are valid UTF-8.
class Normalizer {
 public:
  virtual ~Normalizer() = default;
  // Replaces *normalized by what becomes of `text`.
  virtual void normalize(std::string_view text, std::string* normalized) const = 0;
};

// Where pieces go.
class PieceSink {
 public:
  virtual ~PieceSink() = default;
  // `at_start`: the piece begins where the whole text begins. It is never empty.
  virtual void piece(std::string_view text, bool at_start) = 0;
};

// One step of a pre-tokenizer. Immutable: thread-safe.
class PreTokenizer {
 public:
  virtual ~PreTokenizer() = default;
  // Hands the pieces of a piece on, in order. `buffer` is its own for the call.
  virtual void split(std::string_view text, bool at_start, std::string* buffer,
                     PieceSink* next) const = 0;
};

// Pieces → ids. Immutable: thread-safe.
class PieceModel {
 public:
  // One thread's buffers.
  class Scratch {
   public:
    virtual ~Scratch() = default;
  };

  virtual ~PieceModel() = default;
  virtual std::unique_ptr<Scratch> make_scratch() const = 0;
  // Appends the ids of `piece`.
  virtual void encode(std::string_view piece, Scratch* scratch,
                      std::vector<std::uint32_t>* ids) const = 0;
  // The id of a piece that is looked up before it is cut; false: none is.
  virtual bool whole(std::string_view /*piece*/, std::uint32_t* /*id*/) const { return false; }
  // The next place after `from` where the piece may be cut without changing its ids; its end if
  // there is none.
  virtual std::size_t next_cut(std::string_view piece, std::size_t /*from*/) const {
    return piece.size();
  }
};

struct Pipeline {
  std::vector<std::unique_ptr<const Normalizer>> normalizers;
  std::vector<std::unique_ptr<const PreTokenizer>> pre_tokenizers;
  std::unique_ptr<const PieceModel> model;

  // Replaces *normalized by the normal form of `text`.
  void normalize(std::string_view text, std::string* normalized) const;
};

// One thread's buffers and cache. Outlived by its pipeline.
class PipelineEncoder {
 public:
  explicit PipelineEncoder(const Pipeline& pipeline);
  ~PipelineEncoder();

  // Appends the ids of a normalized text. `at_start`: nothing stands before it.
  void encode(std::string_view text, bool at_start, std::vector<std::uint32_t>* ids);

 private:
  class Step;
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  struct Cached {
    std::uint32_t begin = 0;
    std::uint32_t count = 0;
  };

  void add_piece(std::string_view piece);
  void add_part(std::string_view part);

  const Pipeline& pipeline_;
  std::unique_ptr<PieceModel::Scratch> scratch_;
  std::vector<Step> steps_;
  std::vector<std::uint32_t>* ids_ = nullptr;  // of the call in progress
  std::unordered_map<std::string, Cached, Hash, std::equal_to<>> cache_;
  std::vector<std::uint32_t> cached_ids_;
};

}  // namespace headrace::tokenize
