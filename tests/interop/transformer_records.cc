// SPDX-License-Identifier: Apache-2.0
// For tests/interop/transformer and bench/peers/transformer_bench.py: documents on standard input,
// their scores on standard output.
//
//   headrace_transformer_records THREADS TEXTS_PER_CALL NAME=VALUE... < documents > scores
//
// A document is its length in bytes (u32, little-endian) and the bytes; its score a f64. On
// standard error, in seconds: opening the model, scoring, and the CPU time of scoring.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/thread_pool.h"
#include "records.h"
#include "score/score.h"
#include "tokenize/sequence_tokenizer.h"

namespace {

using headrace::interop::fail;
using headrace::score::Score;

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() < 3) return fail("arguments: THREADS TEXTS_PER_CALL NAME=VALUE...");
  headrace::OptionValues options;
  for (std::size_t i = 2; i < arguments.size(); ++i) {
    const std::size_t equals = arguments[i].find('=');
    if (equals == std::string::npos) return fail("no NAME=VALUE: " + arguments[i]);
    options[arguments[i].substr(0, equals)] = arguments[i].substr(equals + 1);
  }
  const double begin = headrace::monotonic_seconds();
  const auto scorer = headrace::score::make_scorer(
      "transformer", options, {.tokenizers = &headrace::tokenize::sequence_tokenizers()});
  if (!scorer) return fail(scorer.error().message());
  const double opened = headrace::monotonic_seconds();
  std::vector<std::string> documents;
  for (std::string text; headrace::interop::read(&text);) documents.push_back(text);
  const std::vector<std::string_view> views(documents.begin(), documents.end());
  std::vector<Score> scores(views.size());
  const std::size_t stretch = std::stoul(arguments[1]);

  const std::clock_t cpu = std::clock();
  const double started = headrace::monotonic_seconds();
  const auto done = headrace::parallel_for(
      (views.size() + stretch - 1) / stretch, std::stoul(arguments[0]), {},
      [&](std::size_t job) -> headrace::Result<void> {
        // One for each thread, as in a run.
        static thread_local std::unique_ptr<headrace::score::Session> session;
        if (session == nullptr) {
          HEADRACE_ASSIGN_OR_RETURN(session, (*scorer)->start());
        }
        const std::size_t at = job * stretch;
        const std::size_t count = std::min(stretch, views.size() - at);
        return session->score(std::span(views).subspan(at, count),
                              std::span(scores).subspan(at, count));
      });
  const double ended = headrace::monotonic_seconds();
  if (!done) return fail(done.error().message());
  for (const Score& score : scores) std::fwrite(&score.value, sizeof(score.value), 1, stdout);
  std::fprintf(stderr, "%.3f %.3f %.3f\n", opened - begin, ended - started,
               static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC);
  return 0;
}
