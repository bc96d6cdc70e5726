// SPDX-License-Identifier: Apache-2.0
// Tables are found by what looks things up in them: a Gather whose indices are the input_ids, but
// for casts and new shapes, has one row per token; one over a table of the same width, with indices
// that come from no input, has one row per place, and so has a table of which a slice is taken that
// is as long as the sequences are. OpenVINO's Gather gives zeros for an index behind the end, so a
// vocabulary or a length that does not fit would only show in the scores.
#include "score/openvino/classifier_graph.h"

#include <algorithm>
#include <set>

#include <openvino/op/util/gather_base.hpp>

#include "base/error.h"

namespace headrace::score {
namespace {

constexpr char kOther[] = "";
constexpr std::int64_t kFewestPositions = 16;  // shorter tables are those of segments

std::string shape_text(const ov::PartialShape& shape) {
  std::string text;
  if (shape.rank().is_dynamic()) return "of any shape";
  for (const ov::Dimension& dimension : shape) {
    if (!text.empty()) text += ", ";
    text += dimension.is_dynamic() ? "?" : std::to_string(dimension.get_length());
  }
  return "[" + text + "]";
}

template <class Ports>
std::string names_of(const Ports& ports) {
  std::string all;
  for (const auto& port : ports) {
    if (!all.empty()) all += ", ";
    all += port.get_names().empty() ? "(no name)" : port.get_any_name();
  }
  return all;
}

Result<void> check_inputs(const ov::Model& model) {
  const auto inputs = model.inputs();
  for (const char* const name : {kIds, kMask}) {
    const auto has_name = [name](const auto& port) { return port.get_names().contains(name); };
    if (std::ranges::none_of(inputs, has_name)) {
      return invalid_argument(
          "the model has no input '{}'; it has {}: a sequence classifier takes input_ids, "
          "attention_mask and maybe token_type_ids",
          name, names_of(inputs));
    }
  }
  for (const auto& port : inputs) {
    const std::string& name = port.get_any_name();
    if (!port.get_names().contains(kIds) && !port.get_names().contains(kMask) &&
        !port.get_names().contains(kSegments)) {
      return invalid_argument("the model asks for an input '{}', which no text has", name);
    }
    const auto shape = port.get_partial_shape();
    if (shape.rank().is_dynamic() || shape.size() != 2 || shape[0].is_static() ||
        shape[1].is_static()) {
      return invalid_argument(
          "input '{}' is {}: it must be [?, ?], batch and length of any size; export the model "
          "with dynamic axes",
          name, shape_text(shape));
    }
    if (!port.get_element_type().is_integral_number()) {
      return invalid_argument("input '{}' is of {}: it must be of integers", name,
                              port.get_element_type().get_type_name());
    }
  }
  return {};
}

// The input that is `from` but for casts and changes of shape, or kOther.
std::string source_of(ov::Output<const ov::Node> from) {
  static const std::set<std::string_view> kSame = {
      "Convert", "Unsqueeze", "Squeeze", "Reshape", "Broadcast", "Slice", "StridedSlice"};
  constexpr int kMostSteps = 16;
  for (int steps = 0; steps < kMostSteps; ++steps) {
    const ov::Node& node = *from.get_node();
    const std::string_view type = node.get_type_info().name;
    if (type == "Parameter") return node.output(0).get_any_name();
    if (!kSame.contains(type)) break;
    from = node.input_value(0);
  }
  return kOther;
}

struct Table {
  std::int64_t rows = 0;
  std::int64_t width = 0;
  std::string source;
};

// A slice up to a place that is computed.
bool takes_places(const ov::Node& node) {
  constexpr std::size_t kStop = 2;
  return std::string_view(node.get_type_info().name) == "Slice" &&
         std::string_view(node.get_input_node_ptr(kStop)->get_type_info().name) != "Constant";
}

std::vector<Table> tables_of(const ov::Model& model) {
  std::vector<Table> tables;
  for (const auto& shared : model.get_ordered_ops()) {
    const ov::Node& node = *shared;
    const bool looks_up = dynamic_cast<const ov::op::util::GatherBase*>(&node) != nullptr;
    if (!looks_up && !takes_places(node)) continue;
    const ov::PartialShape shape = node.get_input_partial_shape(0);
    if (shape.rank().is_dynamic() || shape.size() != 2 || shape.is_dynamic()) continue;
    tables.push_back({shape[0].get_length(), shape[1].get_length(),
                      looks_up ? source_of(node.input_value(1)) : kOther});
  }
  return tables;
}

}  // namespace

Result<ov::Output<const ov::Node>> logits_of(const ov::Model& model) {
  const auto outputs = model.outputs();
  const auto named = std::ranges::find_if(
      outputs, [](const auto& port) { return port.get_names().contains(kLogits); });
  if (named != outputs.end()) return *named;
  if (outputs.size() == 1) return outputs[0];
  return invalid_argument("the model has no output '{}'; it has {}", kLogits, names_of(outputs));
}

Result<ModelFacts> classifier_facts(const ov::Model& model) {
  HEADRACE_RETURN_IF_ERROR(check_inputs(model));
  HEADRACE_ASSIGN_OR_RETURN(const auto logits, logits_of(model));
  const ov::PartialShape shape = logits.get_partial_shape();
  if (shape.rank().is_dynamic() || shape.size() != 2 || shape[1].is_dynamic() ||
      shape[1].get_length() < 1) {
    return invalid_argument("output {} is {}: a sequence classifier gives [?, classes]",
                            names_of(std::vector{logits}), shape_text(shape));
  }
  ModelFacts facts;
  facts.classes = static_cast<std::size_t>(shape[1].get_length());
  const std::vector<Table> tables = tables_of(model);
  const auto tokens =
      std::ranges::find_if(tables, [](const Table& table) { return table.source == kIds; });
  if (tokens == tables.end()) {
    return invalid_argument(
        "no table that input_ids look up was found in the model, so no vocabulary can be checked "
        "against it");
  }
  facts.tokens = tokens->rows;
  for (const Table& table : tables) {
    if (table.source == kOther && table.width == tokens->width && table.rows >= kFewestPositions) {
      facts.positions = std::min(facts.positions.value_or(table.rows), table.rows);
    }
  }
  return facts;
}

}  // namespace headrace::score
