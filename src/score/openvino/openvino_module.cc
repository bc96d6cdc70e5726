// SPDX-License-Identifier: Apache-2.0
// The one place that calls OpenVINO. Its exceptions end here.
//
// What scores depend on is set, not left to the library: float32 throughout (it takes bfloat16 by
// itself on machines with AMX, an error of 0.03 in a logit), and no int8 for activations unless it
// was asked for. A request runs on one thread, so the number of threads changes no sum.
#include <algorithm>

#include <openvino/core/preprocess/pre_post_process.hpp>
#include <openvino/openvino.hpp>

#include "base/error.h"
#include "score/openvino/classifier_graph.h"

namespace headrace::score {
namespace {

constexpr std::uint64_t kQuantizedGroup = 32;  // activations that share a scale
constexpr std::size_t kMostOfAnError = 300;

// Never destroyed: at exit its threads may outlive what they use.
ov::Core& core() {
  static ov::Core& core = *new ov::Core;
  return core;
}

// OpenVINO's messages begin with where it was thrown, a line each.
std::string reason(const std::exception& error) {
  std::string text = error.what();
  while (text.ends_with('\n')) text.pop_back();
  std::ranges::replace(text, '\n', ' ');
  return text.size() <= kMostOfAnError ? text : "..." + text.substr(text.size() - kMostOfAnError);
}

class Request final : public InferenceRequest {
 public:
  Request(ov::InferRequest request, std::size_t classes, bool has_segments)
      : request_(std::move(request)), classes_(classes), has_segments_(has_segments) {}

  Result<void> run(const TokenBatch& batch, std::span<float> logits) override {
    try {
      const ov::Shape shape = {batch.rows, batch.length};
      request_.set_tensor(kIds, view(batch.ids, shape));
      request_.set_tensor(kMask, view(batch.mask, shape));
      if (has_segments_) {
        segments_.resize(std::max(segments_.size(), batch.ids.size()));
        request_.set_tensor(kSegments, view(segments_, shape));
      }
      request_.infer();
      const ov::Tensor output = request_.get_output_tensor(0);
      if (output.get_shape() != ov::Shape{batch.rows, classes_}) {
        return invalid_argument("the model gave {} numbers for {} texts of {} classes",
                                output.get_size(), batch.rows, classes_);
      }
      std::copy_n(output.data<const float>(), logits.size(), logits.data());
      return {};
    } catch (const std::exception& error) {
      return invalid_argument("the model failed on {} texts of {} tokens: {}", batch.rows,
                              batch.length, reason(error));
    }
  }

 private:
  // Inputs are only read.
  static ov::Tensor view(std::span<const std::int64_t> values, const ov::Shape& shape) {
    return {ov::element::i64, shape, const_cast<std::int64_t*>(values.data())};
  }

  ov::InferRequest request_;
  std::size_t classes_;
  bool has_segments_;
  std::vector<std::int64_t> segments_;  // zeros
};

class Model final : public InferenceModel {
 public:
  Model(ov::CompiledModel compiled, const ModelFacts& facts)
      : compiled_(std::move(compiled)),
        facts_(facts),
        has_segments_(std::ranges::any_of(compiled_.inputs(), [](const auto& port) {
          return port.get_names().contains(kSegments);
        })) {}

  const ModelFacts& facts() const override { return facts_; }

  Result<std::unique_ptr<InferenceRequest>> start() const override {
    try {
      return std::make_unique<Request>(ov::CompiledModel(compiled_).create_infer_request(),
                                       facts_.classes, has_segments_);
    } catch (const std::exception& error) {
      return resource_exhausted("starting a request of the model: {}", reason(error));
    }
  }

 private:
  ov::CompiledModel compiled_;
  ModelFacts facts_;
  bool has_segments_;
};

ov::AnyMap settings(const InferenceOptions& options) {
  return {
      ov::hint::inference_precision(ov::element::f32),
      ov::hint::dynamic_quantization_group_size(options.quantized_activations ? kQuantizedGroup
                                                                              : 0),
      ov::num_streams(ov::streams::Num(options.streams)),
      ov::inference_num_threads(options.streams),
      ov::hint::enable_cpu_pinning(false),  // the other threads of a run take part
      ov::hint::enable_hyper_threading(true),
  };
}

// Integers of any width are given as int64, and one output of floats is left.
Result<std::shared_ptr<ov::Model>> with_our_types(const std::shared_ptr<ov::Model>& model) {
  HEADRACE_ASSIGN_OR_RETURN(const auto logits, logits_of(*model));
  const auto& results = model->get_results();
  const auto result = std::ranges::find_if(
      results, [&](const auto& each) { return each.get() == logits.get_node(); });
  auto one = std::make_shared<ov::Model>(ov::ResultVector{*result}, model->get_parameters());
  ov::preprocess::PrePostProcessor types(one);
  for (std::size_t i = 0; i < one->inputs().size(); ++i) {
    types.input(i).tensor().set_element_type(ov::element::i64);
  }
  types.output(0).tensor().set_element_type(ov::element::f32);
  return types.build();
}

// Weights in other files: a tensor with an entry "location" in its external_data, which is field 13
// and as such tagged 0x6a, with one or two bytes of length behind.
bool has_external_weights(std::string_view onnx) {
  constexpr std::string_view kEntry("\x0a\x08location\x12");
  constexpr char kExternalData = 0x6a;
  for (std::size_t at = 0; (at = onnx.find(kEntry, at)) != onnx.npos; ++at) {
    if ((at >= 2 && onnx[at - 2] == kExternalData) || (at >= 3 && onnx[at - 3] == kExternalData)) {
      return true;
    }
  }
  return false;
}

Result<std::unique_ptr<InferenceModel>> open(std::string_view onnx,
                                             const InferenceOptions& options) {
  if (has_external_weights(onnx)) {
    return unsupported(
        "its weights are in other files (external data); write them into it: python -c \"import "
        "onnx; onnx.save(onnx.load('A.onnx'), 'B.onnx')\"");
  }
  std::shared_ptr<ov::Model> model;
  try {
    model = core().read_model(std::string(onnx), ov::Tensor());
  } catch (const std::exception&) {  // what it says speaks of its own readers
    return corrupt(
        "not a whole ONNX model of {} bytes: the file is {}; get it, or export it, again",
        onnx.size(), onnx.empty() ? "empty" : "cut, damaged or of another kind");
  }
  try {
    HEADRACE_ASSIGN_OR_RETURN(const ModelFacts facts, classifier_facts(*model));
    HEADRACE_ASSIGN_OR_RETURN(model, with_our_types(model));
    return std::make_unique<Model>(core().compile_model(model, "CPU", settings(options)), facts);
  } catch (const std::exception& error) {
    return unsupported(
        "OpenVINO cannot run the model: export it with plain operators, or run it elsewhere and "
        "give "
        "its scores as an external column ({})",
        reason(error));
  }
}

}  // namespace
}  // namespace headrace::score

extern "C" __attribute__((visibility("default"))) void headrace_openvino_open(
    std::string_view onnx, const headrace::score::InferenceOptions& options,
    headrace::Result<std::unique_ptr<headrace::score::InferenceModel>>* opened) {
  *opened = headrace::score::open(onnx, options);
}
