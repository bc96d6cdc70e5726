// SPDX-License-Identifier: Apache-2.0
// Signatures of the documents of one part, in a file bound to their settings. Format:
// docs/formats/signatures.md.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "headrace/result.h"

#include "dedup/near.h"
#include "io/file.h"
#include "io/random_file.h"

namespace headrace::dedup {

// Part of the format; see docs/formats/signatures.md. The values follow.
struct SignatureRecord {
  std::uint32_t row;  // of the document in its part
  std::uint32_t shingles;
  std::uint64_t set_high;
  std::uint64_t set_low;
  std::uint32_t ngram;
  std::uint32_t zero;

  Hash128 set() const { return {set_high, set_low}; }
};
static_assert(sizeof(SignatureRecord) == 32);

// Single-threaded.
class SignatureWriter {
 public:
  static Result<SignatureWriter> create(const std::string& path, const SignatureSettings& settings);

  // The signatures of the next document, none to two.
  Result<void> add(std::span<const Signature> signatures);
  // Writes the end and gives the file its name.
  Result<void> commit();

 private:
  explicit SignatureWriter(io::AtomicFile file) : file_(std::move(file)) {}
  Result<void> end_block();

  io::AtomicFile file_;
  std::string header_;
  std::string block_;
  std::uint32_t in_block_ = 0;
  std::uint64_t documents_ = 0;
  std::uint64_t signatures_ = 0;
};

// Records of a block, valid until the next one is read.
class SignatureBlock {
 public:
  std::size_t size() const { return count_; }
  const SignatureRecord& record(std::size_t i) const {
    return *reinterpret_cast<const SignatureRecord*>(at(i));
  }
  std::span<const std::uint16_t> values(std::size_t i) const {
    return {reinterpret_cast<const std::uint16_t*>(at(i) + sizeof(SignatureRecord)), permutations_};
  }

 private:
  friend class SignatureReader;
  const char* at(std::size_t i) const {
    return reinterpret_cast<const char*>(words_.data()) + 16 +
           i * (sizeof(SignatureRecord) + 2 * permutations_);
  }
  std::vector<std::uint64_t> words_;  // for their alignment
  std::size_t count_ = 0;
  std::size_t permutations_ = 0;
};

// Thread-safe.
class SignatureReader {
 public:
  // A file of other settings or of a newer version, or one that is cut off, is an error that says
  // so.
  static Result<SignatureReader> open(const std::string& path, const SignatureSettings& settings);

  std::uint64_t documents() const { return documents_; }
  std::uint64_t signatures() const { return signatures_; }
  std::uint64_t blocks() const;
  // Block `number`, with its checksum compared.
  Result<void> read(std::uint64_t number, SignatureBlock* block) const;
  // The number of a block's first signature.
  static std::uint64_t first_of(std::uint64_t block);

 private:
  explicit SignatureReader(io::RandomFile file) : file_(std::move(file)) {}
  io::RandomFile file_;
  std::size_t permutations_ = 0;
  std::uint64_t documents_ = 0;
  std::uint64_t signatures_ = 0;
};

}  // namespace headrace::dedup
