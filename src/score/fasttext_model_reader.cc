// SPDX-License-Identifier: Apache-2.0
// The file format of fastText, version 12; little-endian, no padding:
//
//   i32 magic, i32 version; 12 x i32 and a double of arguments
//   i32 entries, i32 words, i32 labels, i64 tokens, i64 kept buckets (-1: not pruned)
//   entries: bytes, 0, i64 count, i8 type (0 word, 1 label); words first; then pairs of i32
//   u8 quantised; input matrix; u8 output quantised; output matrix
//   dense matrix: i64 rows, i64 columns, floats
//   quantised: u8 norms, i64 rows, i64 columns, i32 bytes of codes, codes, quantiser, and with
//   norms a byte per row and a quantiser of one column
//   quantiser: i32 columns, i32 parts, i32 part, i32 last part, columns * 256 floats
//
// Source: the files themselves and what libfasttext 0.9.2 makes of them; see FastText::loadModel,
// Dictionary::load, QuantMatrix::load, ProductQuantizer::load. A cursor keeps its first error, so
// that the walk through the file reads like the list above.
#include <algorithm>
#include <cstring>
#include <functional>
#include <optional>
#include <span>

#include "base/error.h"
#include "io/random_file.h"
#include "score/fasttext_model.h"

namespace headrace::score {
namespace {

__extension__ using Uint128 = unsigned __int128;
using ReadAt = std::function<Result<void>(std::uint64_t offset, std::span<char> buffer)>;

// Of one entry; no text has more words, and sums of counts must not overflow.
constexpr std::int64_t kMostCount = 1'000'000'000'000;

// Tables of all buckets are made of a pruned model, whose file need not hold a byte for each.
constexpr std::int32_t kMostPrunedBuckets = 1 << 27;

class Cursor {
 public:
  Cursor(std::string_view name, std::uint64_t bytes, ReadAt read)
      : name_(name), bytes_(bytes), read_(std::move(read)) {}

  bool ok() const { return !error_.has_value(); }
  Status error() const { return *error_; }
  Hash128 digest() const { return hasher_.digest(); }
  std::uint64_t offset() const { return offset_; }
  std::uint64_t left() const { return bytes_ - offset_; }

  void fail(std::uint64_t at, std::string_view what) {
    if (ok()) {
      error_ = corrupt(
          "reading the fastText model {}: offset {}: {}; the file is damaged or cut, "
          "get it again",
          name_, at, what);
    }
  }
  void refuse(std::string_view what) {
    if (ok()) error_ = unsupported("reading the fastText model {}: {}", name_, what);
  }

  // Reads `count` numbers, if that many can be there.
  template <class T>
  void array(std::vector<T>* out, std::uint64_t count, std::string_view what) {
    if (!ok()) return;
    if (count > left() / sizeof(T)) {
      return fail(offset_, fmt::format("{}: {} numbers of {} bytes, but {} bytes are left", what,
                                       count, sizeof(T), left()));
    }
    out->resize(count);
    take({reinterpret_cast<char*>(out->data()), count * sizeof(T)}, what);
  }

  template <class T>
  T number(std::string_view what) {
    T value = 0;
    if (ok()) take({reinterpret_cast<char*>(&value), sizeof(T)}, what);
    return ok() ? value : T{0};
  }

  // Bytes up to a 0, which is eaten.
  std::string word(std::string_view what) {
    std::string text;
    while (ok()) {
      if (begin_ == end_ && !fill(what)) break;
      const char* from = buffer_.data() + begin_;
      const void* zero = std::memchr(from, 0, end_ - begin_);
      const std::size_t n =
          zero ? static_cast<std::size_t>(static_cast<const char*>(zero) - from) : end_ - begin_;
      text.append(from, n);
      consume(n + (zero ? 1 : 0));
      if (zero) break;
    }
    return text;
  }

 private:
  static constexpr std::size_t kBuffer = 1 << 18;

  bool fill(std::string_view what) {
    const std::uint64_t n = std::min<std::uint64_t>(kBuffer, left());
    if (n == 0) {
      fail(offset_, fmt::format("the file ends inside {}", what));
      return false;
    }
    buffer_.resize(n);
    begin_ = end_ = 0;
    if (const auto read = read_(offset_, buffer_); !read) {
      error_ = read.error();
      return false;
    }
    end_ = n;
    return true;
  }

  void consume(std::size_t n) {
    hasher_.update({buffer_.data() + begin_, n});
    begin_ += n;
    offset_ += n;
  }

  void take(std::span<char> out, std::string_view what) {
    if (out.size() > left()) return fail(offset_, fmt::format("the file ends inside {}", what));
    const std::size_t buffered = std::min(out.size(), end_ - begin_);
    if (buffered > 0) std::memcpy(out.data(), buffer_.data() + begin_, buffered);
    consume(buffered);
    out = out.subspan(buffered);
    if (out.size() >= kBuffer) {  // matrices go where they belong without a copy
      if (const auto read = read_(offset_, out); !read) {
        error_ = read.error();
        return;
      }
      hasher_.update({out.data(), out.size()});
      offset_ += out.size();
    } else if (!out.empty()) {
      if (!fill(what)) return;
      std::memcpy(out.data(), buffer_.data(), out.size());
      consume(out.size());
    }
  }

  std::string name_;
  std::uint64_t bytes_;
  ReadAt read_;
  std::uint64_t offset_ = 0;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  Hasher hasher_;
  std::optional<Status> error_;
};

void read_arguments(Cursor& in, FastTextArguments* a) {
  if (in.number<std::int32_t>("the magic number") != kFastTextMagic) {
    return in.refuse(
        "it does not begin with fastText's magic number: no fastText model, or one of before 2017, "
        "which libfasttext does not read either");
  }
  const auto version = in.number<std::int32_t>("the version");
  if (in.ok() && version != 11 && version != kFastTextVersion) {
    return in.refuse(fmt::format("file version {}, known are 11 and 12", version));
  }
  for (std::int32_t* field :
       {&a->dim, &a->window, &a->epoch, &a->min_count, &a->negatives, &a->word_ngrams}) {
    *field = in.number<std::int32_t>("the arguments");
  }
  const auto loss = in.number<std::int32_t>("the arguments");
  if (in.ok() && (loss < 1 || loss > 4)) in.fail(in.offset() - 4, fmt::format("loss {}", loss));
  a->loss = static_cast<FastTextLoss>(loss);
  for (std::int32_t* field :
       {&a->kind, &a->buckets, &a->min_gram, &a->max_gram, &a->rate_update_tokens}) {
    *field = in.number<std::int32_t>("the arguments");
  }
  a->sampling = in.number<double>("the arguments");
  // Supervised models of version 11 say max_gram 3 or 6 and were made without n-grams of
  // characters.
  if (version == 11 && a->kind == kFastTextSupervised) a->max_gram = 0;
  if (!in.ok()) return;
  if (a->dim < 1) in.fail(8, fmt::format("dimension {}", a->dim));
  if (a->kind < 1 || a->kind > 3) in.fail(36, fmt::format("model kind {}", a->kind));
  if (a->buckets < 0) in.fail(40, fmt::format("{} buckets", a->buckets));
  const bool needs_buckets = a->max_gram > 0 || a->word_ngrams > 1;
  if (needs_buckets && a->buckets == 0) in.fail(40, "n-grams, but no buckets for them");
}

void read_dictionary(Cursor& in, FastTextModel* model) {
  const std::uint64_t at = in.offset();
  const auto entries = in.number<std::int32_t>("the dictionary");
  const auto words = in.number<std::int32_t>("the dictionary");
  const auto labels = in.number<std::int32_t>("the dictionary");
  model->tokens = in.number<std::int64_t>("the dictionary");
  const auto kept = in.number<std::int64_t>("the dictionary");
  if (!in.ok()) return;
  if (entries < 0 || words < 0 || labels < 0 || words > entries || labels != entries - words) {
    return in.fail(at,
                   fmt::format("{} entries for {} words and {} labels", entries, words, labels));
  }
  for (std::int32_t i = 0; in.ok() && i < entries; ++i) {
    const std::uint64_t entry_at = in.offset();
    std::string text = in.word("an entry of the dictionary");
    const auto count = in.number<std::int64_t>("an entry of the dictionary");
    const auto type = in.number<std::int8_t>("an entry of the dictionary");
    const bool is_label = i >= words;
    if (in.ok() && (type != (is_label ? 1 : 0) || count < 0 || count > kMostCount)) {
      return in.fail(entry_at, fmt::format("entry {} of the dictionary has type {}, count {}", i,
                                           type, count));
    }
    (is_label ? model->labels : model->words).push_back(std::move(text));
    (is_label ? model->label_counts : model->word_counts).push_back(count);
  }
  model->pruned = kept >= 0;
  if (model->pruned && model->arguments.buckets > kMostPrunedBuckets) {
    return in.refuse(fmt::format("a pruned model of {} buckets, at most {} are supported",
                                 model->arguments.buckets, kMostPrunedBuckets));
  }
  if (!in.ok() || kept <= 0) return;
  if (kept > static_cast<std::int64_t>(in.left() / 8)) {
    return in.fail(at, fmt::format("{} kept buckets, but {} bytes are left", kept, in.left()));
  }
  for (std::int64_t i = 0; i < kept; ++i) {
    const auto bucket = in.number<std::int32_t>("the kept buckets");
    const auto row = in.number<std::int32_t>("the kept buckets");
    if (bucket < 0 || bucket >= model->arguments.buckets || row < 0) {
      return in.fail(in.offset() - 8, fmt::format("bucket {} kept in row {}", bucket, row));
    }
    model->kept_buckets.emplace_back(bucket, row);
  }
  // libfasttext takes the last of two pairs for one bucket, we the smaller row; none has been seen.
  std::sort(model->kept_buckets.begin(), model->kept_buckets.end());
  const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
  const auto& pairs = model->kept_buckets;
  if (std::adjacent_find(pairs.begin(), pairs.end(), same) != pairs.end()) {
    in.fail(at, "a bucket that is kept twice");
  }
}

bool shape_is(Cursor& in, std::uint64_t at, const FastTextMatrix& matrix, std::int64_t least_rows,
              std::int64_t columns, std::string_view what) {
  if (!in.ok()) return false;
  if (matrix.rows >= least_rows && matrix.columns == columns) return true;
  in.fail(at, fmt::format("the {} matrix is {} x {}, the model needs {} x {}", what, matrix.rows,
                          matrix.columns, least_rows, columns));
  return false;
}

void read_quantiser(Cursor& in, std::int64_t columns, FastTextMatrix* shape,
                    std::vector<float>* centroids) {
  const std::uint64_t at = in.offset();
  const auto dim = in.number<std::int32_t>("a quantiser");
  shape->parts = in.number<std::int32_t>("a quantiser");
  shape->part = in.number<std::int32_t>("a quantiser");
  shape->last_part = in.number<std::int32_t>("a quantiser");
  if (!in.ok()) return;
  const std::int64_t sum = static_cast<std::int64_t>(shape->parts - 1) * shape->part;
  if (dim != columns || shape->parts < 1 || shape->part < 1 || shape->last_part < 1 ||
      shape->last_part > shape->part || sum + shape->last_part != dim) {
    return in.fail(at, fmt::format("a quantiser of {} columns in {} parts of {}, the last of {}, "
                                   "for a matrix of {} columns",
                                   dim, shape->parts, shape->part, shape->last_part, columns));
  }
  in.array(centroids, static_cast<std::uint64_t>(dim) * 256, "centroids");
}

void read_matrix(Cursor& in, bool quantised, std::int64_t least_rows, std::int64_t columns,
                 std::string_view what, FastTextMatrix* matrix) {
  const bool norms = quantised && in.number<std::uint8_t>(what) != 0;
  const std::uint64_t at = in.offset();
  matrix->rows = in.number<std::int64_t>(what);
  matrix->columns = in.number<std::int64_t>(what);
  if (!shape_is(in, at, *matrix, least_rows, columns, what)) return;
  if (!quantised) {
    if (static_cast<std::uint64_t>(matrix->rows) >
        in.left() / 4 / static_cast<std::uint64_t>(matrix->columns)) {
      return in.fail(at, fmt::format("the {} matrix of {} x {} numbers, but {} bytes are left",
                                     what, matrix->rows, matrix->columns, in.left()));
    }
    return in.array(&matrix->dense, static_cast<std::uint64_t>(matrix->rows * matrix->columns),
                    what);
  }
  const auto codes = in.number<std::int32_t>(what);
  if (codes < 0) return in.fail(in.offset() - 4, fmt::format("{} codes", codes));
  in.array(&matrix->codes, static_cast<std::uint64_t>(codes), what);
  read_quantiser(in, columns, matrix, &matrix->centroids);
  if (in.ok() && static_cast<Uint128>(matrix->rows) * static_cast<Uint128>(matrix->parts) !=
                     matrix->codes.size()) {
    return in.fail(
        at, fmt::format("{} codes for {} rows of {} parts", codes, matrix->rows, matrix->parts));
  }
  if (!norms) return;
  in.array(&matrix->norm_codes, static_cast<std::uint64_t>(matrix->rows), "norms");
  FastTextMatrix one_column;
  read_quantiser(in, 1, &one_column, &matrix->norms);
}

Result<FastTextModel> read_model(Cursor& in) {
  FastTextModel model;
  read_arguments(in, &model.arguments);
  if (in.ok()) read_dictionary(in, &model);
  std::int64_t rows = static_cast<std::int64_t>(model.words.size());
  if (!model.pruned) rows += model.arguments.buckets;
  for (const auto& [bucket, row] : model.kept_buckets) {
    rows = std::max(rows, static_cast<std::int64_t>(model.words.size()) + row + 1);
  }
  const bool quantised = in.number<std::uint8_t>("the mark of quantised models") != 0;
  if (in.ok() && model.pruned && !quantised) {
    in.fail(in.offset() - 1, "a pruned model that is not quantised");
  }
  if (in.ok()) read_matrix(in, quantised, rows, model.arguments.dim, "input", &model.input);
  const bool quantised_output = in.number<std::uint8_t>("the mark of quantised output") != 0;
  const bool supervised = model.arguments.kind == kFastTextSupervised;
  const auto outputs =
      static_cast<std::int64_t>(supervised ? model.labels.size() : model.words.size());
  if (in.ok()) {
    read_matrix(in, quantised && quantised_output, outputs, model.arguments.dim, "output",
                &model.output);
  }
  if (!in.ok()) return in.error();
  model.fingerprint = in.digest();
  return model;
}

}  // namespace

void FastTextMatrix::row(std::int64_t index, float* out) const {
  if (codes.empty()) {
    std::copy_n(dense.data() + index * columns, columns, out);
    return;
  }
  const float norm = norm_codes.empty() ? 1.0f : norms[norm_codes[static_cast<std::size_t>(index)]];
  for (std::int32_t p = 0; p < parts; ++p) {
    const std::int64_t code = codes[static_cast<std::size_t>(index * parts + p)];
    const std::int64_t length = p == parts - 1 ? last_part : part;
    const float* centroid =
        centroids.data() + static_cast<std::int64_t>(p) * 256 * part + code * length;
    for (std::int64_t i = 0; i < length; ++i) *out++ = norm * centroid[i];
  }
}

Result<FastTextModel> read_fasttext_model(const std::string& path) {
  HEADRACE_ASSIGN_OR_RETURN(const io::RandomFile file, io::RandomFile::open_in_order(path));
  Cursor in(path, file.bytes(), [&](std::uint64_t offset, std::span<char> buffer) {
    return file.read(offset, buffer);
  });
  return read_model(in);
}

Result<FastTextModel> parse_fasttext_model(std::string_view bytes, std::string_view name) {
  Cursor in(name, bytes.size(), [&](std::uint64_t offset, std::span<char> buffer) -> Result<void> {
    std::copy_n(bytes.data() + offset, buffer.size(), buffer.data());
    return {};
  });
  return read_model(in);
}

}  // namespace headrace::score
