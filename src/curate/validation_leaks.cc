// SPDX-License-Identifier: Apache-2.0
#include "curate/validation_leaks.h"

#include <algorithm>
#include <tuple>
#include <unordered_set>

#include "base/thread_pool.h"
#include "curate/measure_columns.h"
#include "curate/split_files.h"

namespace headrace::curate {
namespace {

using Ids = std::vector<std::uint64_t>;  // ascending

bool holds(const Ids& ids, std::uint64_t id) {
  return std::binary_search(ids.begin(), ids.end(), id);
}

// Of `wanted`, what the judge keeps in one part.
Result<Ids> kept_of(const Context& context, const judge::Judge& judge, std::size_t part,
                    const Ids& wanted) {
  Ids kept;
  HEADRACE_ASSIGN_OR_RETURN(const JudgedPart judged, JudgedPart::load(context, judge, part));
  for (std::size_t row = 0; row < judged.ids.size(); ++row) {
    if (judged.verdicts.kept(row) && holds(wanted, judged.ids[row]))
      kept.push_back(judged.ids[row]);
  }
  return kept;
}

// Of several finds in one document the one that says most.
bool says_more(const SplitLeak& a, const SplitLeak& b) {
  const auto key = [](const SplitLeak& leak) { return std::tuple(leak.leak, leak.mass); };
  return key(a) > key(b);
}

}  // namespace

Result<std::vector<ValidationLeak>> find_validation_leaks(const Context& context,
                                                          const judge::Judge& judge,
                                                          std::size_t parts) {
  std::vector<ValidationLeak> all;
  if (!context.recipe.validation || !context.recipe.validation->check_leaks) return all;
  std::vector<std::vector<SplitLeak>> found(parts);
  HEADRACE_RETURN_IF_ERROR(
      parallel_for(parts, context.threads, context.stop, [&](std::size_t part) -> Result<void> {
        HEADRACE_ASSIGN_OR_RETURN(found[part], SplitPart::load_leaks(context.directory, part));
        return {};
      }));
  std::unordered_set<std::uint64_t> named;
  for (const std::vector<SplitLeak>& leaks : found) {
    for (const SplitLeak& leak : leaks) named.insert(leak.validation_id);
  }
  if (named.empty()) return all;
  Ids wanted(named.begin(), named.end());
  std::sort(wanted.begin(), wanted.end());
  std::vector<Ids> kept_by_part(parts);
  HEADRACE_RETURN_IF_ERROR(
      parallel_for(parts, context.threads, context.stop, [&](std::size_t part) -> Result<void> {
        HEADRACE_ASSIGN_OR_RETURN(kept_by_part[part], kept_of(context, judge, part, wanted));
        return {};
      }));
  Ids kept;
  for (const Ids& some : kept_by_part) kept.insert(kept.end(), some.begin(), some.end());
  for (const std::vector<SplitLeak>& leaks : found) {
    for (std::size_t next = 0; next < leaks.size();) {
      const SplitLeak* most = nullptr;
      const std::uint64_t id = leaks[next].id;
      for (; next < leaks.size() && leaks[next].id == id; ++next) {
        if (!holds(kept, leaks[next].validation_id)) continue;
        if (most == nullptr || says_more(leaks[next], *most)) most = &leaks[next];
      }
      if (most != nullptr) all.push_back({id, most->validation_id, most->leak, most->share()});
    }
  }
  return all;
}

}  // namespace headrace::curate
