// SPDX-License-Identifier: Apache-2.0
// A sequence classifier in ONNX, run on OpenVINO.
//
// OpenVINO is in a shared object of its own, libheadrace_openvino.so, that is loaded when the first
// model is opened: a program that scores no transformer neither loads nor needs it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "headrace/result.h"

namespace headrace::score {

struct InferenceOptions {
  // What OpenVINO does unless it is told not to: activations in front of weights in int8 become
  // int8 as well. Faster, and other scores.
  bool quantized_activations = false;
  // Sequences that may be in work at once, each on one thread.
  int streams = 1;
};

// What the graph says of itself.
struct ModelFacts {
  std::size_t classes = 0;                // columns of the logits
  std::int64_t tokens = 0;                // rows of the table that the ids look up
  std::optional<std::int64_t> positions;  // rows of the table of places, where there is one
};

// Rows of token ids, padded to one length.
struct TokenBatch {
  std::size_t rows = 0;
  std::size_t length = 0;
  std::span<const std::int64_t> ids;   // rows * length
  std::span<const std::int64_t> mask;  // 1 for a token, 0 for padding
};

// One thread's.
class InferenceRequest {
 public:
  virtual ~InferenceRequest() = default;
  // Writes rows * classes logits.
  virtual Result<void> run(const TokenBatch& batch, std::span<float> logits) = 0;
};

// Thread-safe.
class InferenceModel {
 public:
  virtual ~InferenceModel() = default;
  virtual const ModelFacts& facts() const = 0;
  virtual Result<std::unique_ptr<InferenceRequest>> start() const = 0;
};

// `onnx`: the bytes of the file. corrupt: they are none, or cut off. invalid_argument: a model with
// other inputs or outputs than those of a sequence classifier, by name. unsupported: there is no
// OpenVINO. Errors do not name the file.
Result<std::unique_ptr<InferenceModel>> open_inference_model(std::string_view onnx,
                                                             const InferenceOptions& options);

// What the shared object exports. Both sides are of one build.
inline constexpr char kOpenSymbol[] = "headrace_openvino_open";
using OpenFunction = void (*)(std::string_view onnx, const InferenceOptions& options,
                              Result<std::unique_ptr<InferenceModel>>* opened);

}  // namespace headrace::score
