// SPDX-License-Identifier: Apache-2.0
// Loads libheadrace_openvino.so: the loader looks where RUNPATH says (beside the engine), then
// where it looks for all libraries. Once loaded it stays: OpenVINO has threads.
#include "score/inference.h"

#include <dlfcn.h>

#include "base/error.h"

namespace headrace::score {
namespace {

struct Module {
  OpenFunction open = nullptr;
  std::string error;
};

Module load() {
  void* const handle = dlopen("libheadrace_openvino.so", RTLD_NOW | RTLD_LOCAL);
  void* const symbol = handle == nullptr ? nullptr : dlsym(handle, kOpenSymbol);
  if (symbol == nullptr) return {nullptr, dlerror()};
  return {reinterpret_cast<OpenFunction>(symbol), ""};
}

}  // namespace

Result<std::unique_ptr<InferenceModel>> open_inference_model(std::string_view onnx,
                                                             const InferenceOptions& options) {
  static const Module kModule = load();
  if (kModule.open == nullptr) {
    return unsupported(
        "transformer needs OpenVINO: pip install openvino==" HEADRACE_OPENVINO_VERSION " ({})",
        kModule.error);
  }
  Result<std::unique_ptr<InferenceModel>> opened = internal_error("opening a model: no answer");
  kModule.open(onnx, options, &opened);
  return opened;
}

}  // namespace headrace::score
