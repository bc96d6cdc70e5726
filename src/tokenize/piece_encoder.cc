// SPDX-License-Identifier: Apache-2.0
// Batches of 256 pieces in three loops, of which none has a branch that depends on the data:
//
//   keys, hashes, prefetch → look-up; what is missing is noted → ids
//
// Between the second and the third all misses of the batch are merged in turn (merge_jobs.h) and
// put into the cache. A branch for them inside the second loop costs a fifth of the speed: it
// disturbs the registers of the loop more than it is taken.
#include "tokenize/piece_encoder.h"

#include <algorithm>

#include "base/error.h"
#include "tokenize/nfc.h"

namespace headrace::tokenize {

PieceEncoder::PieceEncoder(const BpeModel& model, SimdLevel level)
    : model_(model),
      merge_kernels_(merge_kernels(level)),
      finder_(model.splitter, model.junctions, !model.unreachable.empty(), level),
      starts_(kStarts + 2),
      jobs_(kBatch),
      active_(kBatch),
      made_(kBatch * PieceCache::kMostShortIds),
      merged_(PieceCache::kMostLong) {
  model_.tables.seed(&cache_);
}

void PieceEncoder::encode(std::string_view text, bool nfc, std::vector<std::uint32_t>* ids) {
  const std::size_t before = ids->size();
  text_ = text;
  finder_.start(text_);
  std::size_t held = 0;  // starts whose ends are not known yet: one, but at the beginning
  while (true) {
    const std::size_t found = held + finder_.next(std::span(starts_).subspan(held, kStarts));
    if (nfc && finder_.saw_nfc_sensitive()) {
      nfc = false;
      if (to_nfc(text_, &normalized_)) {  // all over again
        ids->resize(before);
        text_ = normalized_;
        finder_.start(text_);
        held = 0;
        continue;
      }
    }
    if (finder_.at_end()) {
      starts_[found] = static_cast<std::uint32_t>(text_.size());
      encode_pieces(found, ids);
      return;
    }
    encode_pieces(found - 1, ids);
    starts_[0] = starts_[found - 1];
    held = 1;
  }
}

void PieceEncoder::encode_pieces(std::size_t count, std::vector<std::uint32_t>* ids) {
  for (std::size_t done = 0; done < count; done += kBatch) {
    const auto in_batch = static_cast<std::uint32_t>(std::min(kBatch, count - done));
    const std::uint32_t* const starts = starts_.data() + done;
    make_keys(starts, in_batch);
    std::uint32_t missed = 0;
    for (std::uint32_t i = 0; i < in_batch; ++i) {
      const bool found = cache_.find(batch_.keys[i], batch_.hashes[i], &batch_.values[i]);
      batch_.counts[i] = static_cast<std::uint8_t>(batch_.values[i].count());
      batch_.values[i].ids[0] &= PieceCache::Value::kIdMask;
      batch_.missed[missed] = static_cast<std::uint16_t>(i);
      missed += found ? 0 : 1;
    }
    job_count_ = 0;
    if (missed > 0) resolve(starts, missed);
    emit(starts, in_batch, ids);
  }
}

void PieceEncoder::make_keys(const std::uint32_t* starts, std::uint32_t count) {
  const char* const text = text_.data();
  // Keys of the last pieces of a text may not be read in one go.
  std::uint32_t in_one_go = count;
  while (in_one_go > 0 &&
         (starts[in_one_go - 1] & ~kPartBit) + sizeof(PieceCache::Key) > text_.size()) {
    --in_one_go;
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t begin = starts[i] & ~kPartBit;
    const std::uint32_t size = (starts[i + 1] & ~kPartBit) - begin;
    if (__builtin_expect(size > PieceCache::kMostShort, 0)) {
      batch_.keys[i] = PieceCache::kNoKey;
      batch_.hashes[i] = 0;
      if (size <= PieceCache::kMostLong) {
        cache_.prefetch_long(PieceCache::long_hash({text + begin, size}));
      }
      continue;
    }
    batch_.keys[i] = __builtin_expect(i < in_one_go, 1) ? PieceCache::key_at(text + begin, size)
                                                        : PieceCache::key({text + begin, size});
    batch_.hashes[i] = PieceCache::hash(batch_.keys[i]);
    cache_.prefetch(batch_.hashes[i]);
  }
}

const std::uint32_t* PieceEncoder::unreachable(std::string_view piece) const {
  if (model_.unreachable.empty()) return nullptr;
  const auto found = model_.unreachable.find(std::string(piece));
  return found == model_.unreachable.end() ? nullptr : &found->second;
}

// Makes a job of the piece, if it is one for merge_jobs.h. Chinese words begin as characters, which
// leaves a third of the merges (bpe_tables.h says when that may be).
bool PieceEncoder::start_job(std::string_view piece, std::uint32_t which) {
  const auto size = static_cast<std::uint32_t>(piece.size());
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(piece.data());
  MergeJob& job = jobs_[job_count_];
  job.bytes = bytes;
  job.size = size;
  job.piece = which;
  merge_kernels_.clear(&job);
  const std::uint32_t characters = size / 3;
  if (size % 3 == 0 && bytes[0] >> 4 == 0xE && characters <= MergeJob::kMostSymbols) {
    std::uint32_t i = 0;
    for (; i < characters; ++i) {
      const std::uint8_t* const at = bytes + 3 * i;
      if (at[0] >> 4 != 0xE || (i > 0 && model_.junctions.may_cross_in_part(at))) break;
      const std::uint32_t id = model_.tables.character_id(at);
      if (id == kNone) break;
      job.symbols[i + 1] = id;
    }
    if (i == characters) {
      job.count = characters;
      job.whole_characters = true;
      ++job_count_;
      return true;
    }
    merge_kernels_.clear(&job);
  }
  if (size > MergeJob::kMostSymbols) return false;
  for (std::uint32_t i = 0; i < size; ++i)
    job.symbols[i + 1] = model_.tables.bpe().byte_id(bytes[i]);
  job.count = size;
  job.whole_characters = false;
  ++job_count_;
  return true;
}

// Everything that the look-ups could not answer.
void PieceEncoder::resolve(const std::uint32_t* starts, std::uint32_t missed) {
  for (std::uint32_t k = 0; k < missed; ++k) {
    const std::uint32_t i = batch_.missed[k];
    const std::string_view at = piece(starts + i);
    batch_.counts[i] = kLook;
    if (is_whole(starts + i) && unreachable(at) != nullptr) continue;
    if (at.size() > PieceCache::kMostShort) {
      if (at.size() > PieceCache::kMostLong) continue;
      if (!cache_.find_long(at, PieceCache::long_hash(at)).empty()) continue;
    }
    if (!start_job(at, i)) continue;
    batch_.counts[i] = kJob;
    batch_.values[i].ids[0] = job_count_ - 1;
  }
  merge_kernels_.run(model_.tables.bpe().tables(), jobs_.data(), job_count_, active_.data());
  for (std::uint32_t k = 0; k < job_count_; ++k) finish_job(jobs_[k]);
}

void PieceEncoder::finish_job(const MergeJob& job) {
  const std::span<const std::uint32_t> ids(job.symbols + 1, job.count);
  const std::string_view bytes(reinterpret_cast<const char*>(job.bytes), job.size);
  const std::uint32_t i = job.piece;
  // One that has another id as a whole piece would answer for the wrong one.
  const bool is_kept = unreachable(bytes) == nullptr;
  if (job.size > PieceCache::kMostShort || ids.size() > PieceCache::kMostShortIds) {
    if (is_kept && ids.size() <= PieceCache::kMostLongIds) {
      cache_.insert_long(bytes, PieceCache::long_hash(bytes), ids);
    }
  } else {
    std::copy_n(job.symbols + 1, PieceCache::kMostShortIds, batch_.values[i].ids);
    batch_.counts[i] = static_cast<std::uint8_t>(ids.size());
  }
  if (is_kept && job.size <= PieceCache::kMostShort) {
    cache_.insert(batch_.keys[i], batch_.hashes[i], ids);
  }
}

void PieceEncoder::emit(const std::uint32_t* starts, std::uint32_t count,
                        std::vector<std::uint32_t>* ids) {
  std::uint32_t* out = made_.data();
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint8_t of_piece = batch_.counts[i];
    std::memcpy(out, batch_.values[i].ids, sizeof(batch_.values[i].ids));
    if (__builtin_expect(of_piece <= PieceCache::kMostShortIds, 1)) {
      out += of_piece;
      continue;
    }
    const auto more = of_piece == kJob ? std::span<const std::uint32_t>(
                                             jobs_[batch_.values[i].ids[0]].symbols + 1,
                                             jobs_[batch_.values[i].ids[0]].count)
                                       : slow(starts + i);
    ids->insert(ids->end(), made_.data(), out);
    ids->insert(ids->end(), more.begin(), more.end());
    out = made_.data();
  }
  ids->insert(ids->end(), made_.data(), out);
}

// Pieces that the first table does not hold: long ones and those of many ids.
std::span<const std::uint32_t> PieceEncoder::slow(const std::uint32_t* start) {
  const std::string_view at = piece(start);
  const std::uint32_t* const whole = unreachable(at);
  if (whole != nullptr && is_whole(start)) return {whole, 1};
  if (at.size() > PieceCache::kMostLong || at.size() <= PieceCache::kMostShortIds ||
      whole != nullptr) {
    return merge(at);
  }
  const std::uint32_t hash = PieceCache::long_hash(at);
  if (const auto found = cache_.find_long(at, hash); !found.empty()) return found;
  const auto made = merge(at);
  if (made.size() <= PieceCache::kMostLongIds) cache_.insert_long(at, hash, made);
  return made;
}

std::span<const std::uint32_t> PieceEncoder::merge(std::string_view piece) {
  if (merged_.size() < piece.size()) merged_.resize(piece.size());
  const Backtracker* const backtracker = model_.tables.backtracker();
  const bool is_long = piece.size() > ByteBpe::kMostShort;
  const std::size_t count = is_long && backtracker != nullptr && backtracker->is_for(piece)
                                ? backtracker->merge(piece, &backtrack_scratch_, merged_.data())
                                : model_.tables.bpe().merge(piece, &scratch_, merged_.data());
  return {merged_.data(), count};
}

}  // namespace headrace::tokenize
