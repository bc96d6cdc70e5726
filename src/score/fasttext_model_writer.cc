// SPDX-License-Identifier: Apache-2.0
// Dense models only; the bytes are listed in fasttext_model_reader.cc.
#include "base/error.h"
#include "io/file.h"
#include "score/fasttext_model.h"

namespace headrace::score {
namespace {

class Writer {
 public:
  explicit Writer(io::AtomicFile* file) : file_(file) {}

  template <class T>
  void number(T value) {
    bytes({reinterpret_cast<const char*>(&value), sizeof(value)});
  }

  void bytes(std::string_view bytes) {
    if (result_) result_ = file_->write(bytes);
  }

  void matrix(const FastTextMatrix& matrix) {
    number(matrix.rows);
    number(matrix.columns);
    bytes({reinterpret_cast<const char*>(matrix.dense.data()), matrix.dense.size() * 4});
  }

  void entries(const std::vector<std::string>& texts, const std::vector<std::int64_t>& counts,
               std::int8_t type) {
    for (std::size_t i = 0; i < texts.size(); ++i) {
      bytes(texts[i]);
      number(char{0});
      number(counts[i]);
      number(type);
    }
  }

  Result<void> result() const { return result_; }

 private:
  io::AtomicFile* file_;
  Result<void> result_;
};

}  // namespace

Result<void> write_fasttext_model(FastTextModel* model, const std::string& path) {
  if (model->pruned || !model->input.codes.empty() || !model->output.codes.empty()) {
    return unsupported(
        "writing the fastText model {}: it is quantised; only dense models are written", path);
  }
  HEADRACE_ASSIGN_OR_RETURN(io::AtomicFile file, io::AtomicFile::create(path));
  Writer out(&file);
  const FastTextArguments& a = model->arguments;
  for (const std::int32_t value :
       {kFastTextMagic, kFastTextVersion, a.dim, a.window, a.epoch, a.min_count, a.negatives,
        a.word_ngrams, static_cast<std::int32_t>(a.loss), a.kind, a.buckets, a.min_gram, a.max_gram,
        a.rate_update_tokens}) {
    out.number(value);
  }
  out.number(a.sampling);
  const auto words = static_cast<std::int32_t>(model->words.size());
  const auto labels = static_cast<std::int32_t>(model->labels.size());
  for (const std::int32_t value : {words + labels, words, labels}) out.number(value);
  out.number(model->tokens);
  out.number(std::int64_t{-1});
  out.entries(model->words, model->word_counts, 0);
  out.entries(model->labels, model->label_counts, 1);
  out.number(std::uint8_t{0});
  out.matrix(model->input);
  out.number(std::uint8_t{0});
  out.matrix(model->output);
  HEADRACE_RETURN_IF_ERROR(out.result());
  model->fingerprint = file.digest();
  return file.commit();
}

}  // namespace headrace::score
