// SPDX-License-Identifier: Apache-2.0
// The columns that the rules of a recipe see: all measures, then those of its scores.
//
// An entry NAME of the score section is a group of one or two columns: NAME_not_kept where it keeps
// some labels only (1 = the text has another label; NaN = it has none), and NAME, the value. What
// the leak check found is one more column, the last.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "curate/context.h"
#include "curate/recipe.h"
#include "judge/judge.h"

namespace headrace::curate {

inline constexpr std::size_t kAllGroups = ~std::size_t{0};

// Names of all columns, in the order in which they are judged.
std::vector<std::string> judge_columns(const Recipe::Data& recipe);

// 0 for a measure; entry i of the score section is group i + 1; leaks come after.
std::size_t group_of(const Recipe::Data& recipe, const std::string& column);

// The entry that a column belongs to; nullptr for a measure and for leaks.
const ScoreSpec* score_of(const Recipe::Data& recipe, const std::string& column);
// Whether a column is the label of an entry, as a flag.
bool is_label_flag(const ScoreSpec& spec, const std::string& column);

// Whether a document without a value goes, unless a rule says otherwise.
bool drops_null(const Recipe::Data& recipe, const std::string& column);

// The rules of the entries themselves, and that on leaks where they drop.
std::vector<judge::Rule> late_rules(const Recipe::Data& recipe);

// The column of the leak check: the largest share of a held-out item that stands in the document
// and drops it; 0 where none does; null where it was not looked through.
inline constexpr const char* kLeakColumn = "leak";
// Its group, behind all scores; and how many groups there are, that of the measures included.
std::size_t leak_group(const Recipe::Data& recipe);
std::size_t group_count(const Recipe::Data& recipe);

// All reasons that columns of an entry can give.
std::vector<std::string> reasons_of(const ScoreSpec& spec);

// The reason of a value above its bound, and of none.
std::string max_reason(const Recipe::Data& recipe, const std::string& column);
std::string null_reason(const Recipe::Data& recipe, const std::string& column);

// The column behind a reason; "" for a reason that no rule gives.
std::string column_behind(const Recipe::Data& recipe, const std::string& reason);

// A judge of the columns of the groups below `groups`. `rules` speak of no others.
Result<judge::Judge> make_judge(const Recipe::Data& recipe,
                                const std::vector<judge::RuleSet>& rules,
                                std::size_t groups = kAllGroups);

// The rules of every domain with percentiles turned into numbers; in a bucket they are those of its
// documents. Of the columns of the groups below `groups`. Reads only what `auto` names, and needs
// these groups finished.
Result<std::vector<judge::RuleSet>> resolve_rules(const Context& context,
                                                  std::size_t groups = kAllGroups);

}  // namespace headrace::curate
