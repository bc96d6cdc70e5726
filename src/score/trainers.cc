// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"
#include "base/suggest.h"
#include "score/trainer.h"

namespace headrace::score {
namespace {

TrainerInfo elsewhere(std::string name, std::string summary, std::string command) {
  TrainerInfo info;
  info.name = std::move(name);
  info.summary = std::move(summary);
  info.elsewhere = std::move(command);
  return info;
}

}  // namespace

const Trainers& trainers() {
  static const Trainers* const all = [] {
    auto* made = new Trainers;
    made->add(fasttext_trainer());
    made->add(perplexity_trainer());
    made->add(elsewhere("transformer", "a BERT that gives one label its probability, as ONNX",
                        "headrace.torch in Python, or python -m headrace.mindspore train"));
    made->add(elsewhere("mindspore", "the same as MindIR", "python -m headrace.mindspore train"));
    return made;
  }();
  return *all;
}

Result<const TrainerInfo*> find_trainer(std::string_view kind) {
  const TrainerInfo* found = trainers().find(kind);
  if (found == nullptr) {
    return invalid_argument("no kind '{}' can be trained{}", kind,
                            suggestion(kind, trainers().names()));
  }
  if (!found->elsewhere.empty()) {
    return unsupported("the kind {} is not trained by this command, but by {}", kind,
                       found->elsewhere);
  }
  return found;
}

}  // namespace headrace::score
