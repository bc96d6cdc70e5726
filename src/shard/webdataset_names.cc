// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "shard/webdataset_shard.h"

namespace headrace::shard {
namespace {

// What webdataset's decoder makes a str of, and what holds text.
constexpr std::array<std::string_view, 10> kTexts = {"txt", "text", "transcript", "json", "jsn",
                                                     "cls", "id",   "index",      "inx",  "html"};
constexpr std::string_view kText = ".txt";
constexpr std::string_view kNumbers = ".npy";
constexpr std::string_view kBytes = ".bin";

bool is_text(std::string_view name) {
  return std::find(kTexts.begin(), kTexts.end(), name) != kTexts.end();
}

}  // namespace

std::optional<MemberName> split_member_name(std::string_view name) {
  const std::size_t slash = name.rfind('/');
  const std::size_t base = slash == std::string_view::npos ? 0 : slash + 1;
  const std::size_t dot = name.find('.', base);
  if (dot == std::string_view::npos || dot == base) return std::nullopt;
  for (std::string_view part : {name.substr(0, name.find('/')), name.substr(base)}) {
    if (part.size() > 4 && part.starts_with("__") && part.ends_with("__")) return std::nullopt;
  }
  return MemberName{name.substr(0, dot), name.substr(dot + 1)};
}

std::string member_extension(const Field& field) {
  std::string name = field.name;
  if (type_width(field.type) > 0) return name.append(kNumbers);
  if (field.type == FieldType::kString) return is_text(name) ? name : name.append(kText);
  return is_text(name) || name == "npy" || name == "bin" ? name.append(kBytes) : name;
}

std::optional<Field> extension_field(std::string_view extension) {
  Field field{std::string(extension), FieldType::kBytes, {}};
  std::transform(field.name.begin(), field.name.end(), field.name.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  if (is_text(field.name)) {
    field.type = FieldType::kString;
    return field;
  }
  for (const std::string_view known : {kText, kNumbers, kBytes}) {
    if (field.name.size() <= known.size() || !field.name.ends_with(known)) continue;
    field.name.resize(field.name.size() - known.size());
    if (known == kText) field.type = FieldType::kString;
    break;
  }
  // "seg.png" of others: a field's name has no dots.
  for (char& c : field.name) {
    if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))) c = '_';
  }
  if (field.name.empty()) return std::nullopt;
  return field;
}

}  // namespace headrace::shard
