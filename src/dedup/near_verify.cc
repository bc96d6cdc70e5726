// SPDX-License-Identifier: Apache-2.0
// Verification: candidates are compared by their true sets of shingles.
//
// Texts are read again, those of candidates alone and once. Their sets are spilled by the connected
// part of the candidates' graph that they stand in: so both sets of a pair are in one partition,
// each partition is loaded once, and no set is loaded twice. A part of the graph that is larger
// than memory is compared by reading its sets one by one.
#include <algorithm>
#include <mutex>
#include <unordered_map>

#include "base/counter_rng.h"
#include "base/error.h"
#include "dedup/internal/near_steps.h"

namespace headrace::dedup::internal {
namespace {

struct SetHead {
  std::uint32_t group;
  std::uint32_t size;
};

std::size_t partition_of(std::uint32_t group, const Candidates& candidates,
                         std::size_t partitions) {
  const std::uint64_t hash = mix64(candidates.components.root(group));
  return static_cast<std::size_t>((hash >> 32) * partitions >> 32);
}

// The sets of one partition: all in memory, or looked up in the file.
class SetTable {
 public:
  static Result<SetTable> load(const Spill& sets, std::size_t partition, bool in_memory) {
    SetTable table(sets);
    if (in_memory) {
      HEADRACE_RETURN_IF_ERROR(sets.read(partition, &table.bytes_));
      table.note(0, table.bytes_);
    } else {
      HEADRACE_RETURN_IF_ERROR(sets.for_each_extent(
          partition, [&](std::uint64_t offset, std::string_view bytes) -> Result<void> {
            table.note(offset, bytes);
            return {};
          }));
    }
    return table;
  }

  // Valid until the next call with the same `scratch`.
  Result<std::span<const std::uint32_t>> find(std::uint32_t group,
                                              std::vector<std::uint32_t>& scratch) const {
    const auto found = places_.find(group);
    if (found == places_.end())
      return corrupt("no text came for group {}: signatures and texts do not belong together",
                     group);
    const auto& [offset, size] = found->second;
    if (!bytes_.empty())
      return std::span(reinterpret_cast<const std::uint32_t*>(bytes_.data() + offset), size);
    scratch.resize(size);
    HEADRACE_RETURN_IF_ERROR(sets_->read_at(
        offset, {reinterpret_cast<char*>(scratch.data()), size * sizeof(std::uint32_t)}));
    return std::span<const std::uint32_t>(scratch);
  }

 private:
  explicit SetTable(const Spill& sets) : sets_(&sets) {}

  void note(std::uint64_t offset, std::string_view bytes) {
    for (std::size_t at = 0; at < bytes.size();) {
      SetHead head;
      std::memcpy(&head, bytes.data() + at, sizeof(head));
      at += sizeof(head);
      places_[head.group] = {offset + at, head.size};
      at += head.size * sizeof(std::uint32_t);
    }
  }

  const Spill* sets_;
  std::string bytes_;
  std::unordered_map<std::uint32_t, std::pair<std::uint64_t, std::uint32_t>> places_;
};

class Verifier {
 public:
  Verifier(const std::vector<SignaturePart>& parts, std::size_t own_parts, const Groups& groups,
           Candidates& candidates, const NearOptions& options, const Workspace& work,
           const TextReader& texts)
      : parts_(parts),
        own_parts_(own_parts),
        groups_(groups),
        candidates_(candidates),
        options_(options),
        work_(work),
        texts_(texts) {}

  Result<Verified> run(std::uint64_t* spilled_bytes) {
    std::uint64_t bytes = 0;
    for (std::uint32_t group = 0; group < groups_.count; ++group) {
      if (candidates_.wanted[group])
        bytes += Candidates::size_of(candidates_.size_class[group]) * sizeof(std::uint32_t);
    }
    partitions_ = work_.partitions(bytes);
    HEADRACE_ASSIGN_OR_RETURN(Spill pairs, work_.spill(partitions_));
    HEADRACE_ASSIGN_OR_RETURN(Spill edges, work_.spill(candidates_.pairs.partitions()));
    Verified verified{.edges = std::move(edges)};
    HEADRACE_RETURN_IF_ERROR(sort_pairs(pairs, verified));
    HEADRACE_ASSIGN_OR_RETURN(Spill sets, work_.spill(partitions_));
    HEADRACE_RETURN_IF_ERROR(make_sets(sets));
    *spilled_bytes += pairs.total_bytes() + sets.total_bytes();
    HEADRACE_RETURN_IF_ERROR(compare(pairs, sets, verified));
    if (groups_.earlier.empty()) return verified;
    HEADRACE_ASSIGN_OR_RETURN(verified.earlier, link_earlier(parts_, own_parts_, groups_, across_,
                                                             with_earlier_, options_, work_));
    return verified;
  }

 private:
  // A pair stands once for each band that it shares: once is enough. What pairs with the earlier
  // run goes its own way.
  Result<void> sort_pairs(Spill& pairs, Verified& verified) {
    std::mutex mutex;
    return for_each_with_writer(
        work_, pairs, candidates_.pairs.partitions(),
        [&](std::size_t range, Spill::Writer& writer) -> Result<void> {
          HEADRACE_ASSIGN_OR_RETURN(std::vector<Pair> some,
                                    candidates_.pairs.read_records<Pair>(range));
          candidates_.pairs.release(range);
          std::sort(some.begin(), some.end());
          some.erase(std::unique(some.begin(), some.end()), some.end());
          std::vector<Pair> across;
          for (const Pair& pair : some) {
            if (groups_.is_own[pair.a] && groups_.is_own[pair.b]) {
              HEADRACE_RETURN_IF_ERROR(
                  writer.put_record(partition_of(pair.a, candidates_, partitions_), pair));
            } else {
              across.push_back(pair);
            }
          }
          const std::lock_guard lock(mutex);
          verified.candidates += some.size();
          across_.insert(across_.end(), across.begin(), across.end());
          return {};
        });
  }

  // The sets of all groups that are in a pair, each from its first document.
  Result<void> make_sets(Spill& sets) {
    return for_each_with_writer(
        work_, sets, own_parts_,
        [&](std::size_t part, Spill::Writer& writer) { return sets_of(part, writer); });
  }

  Result<void> sets_of(std::size_t part, Spill::Writer& writer) {
    const SignaturePart& of = parts_[part];
    std::vector<bool> rows(of.reader.documents());
    std::vector<std::uint64_t> first(rows.size());  // number of a wanted row's first signature
    std::uint64_t signature = of.first_signature;
    bool any = false;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      first[row] = signature;
      const std::uint8_t count = groups_.signatures_of_document[of.first_document + row];
      for (std::uint8_t i = 0; i < count; ++i) rows[row] = rows[row] || wants(signature + i);
      any = any || rows[row];
      signature += count;
    }
    if (!any) return {};
    TextViewBuilder builder;
    Shingler shingler;
    std::vector<std::uint32_t> set;
    std::string bytes;
    return texts_(part, rows, [&](std::uint32_t row, std::string_view text) -> Result<void> {
      const TextView& view = builder.build(text);
      const NgramChoice choice = options_.signature.ngram == 0
                                     ? choose_ngram(view)
                                     : NgramChoice{options_.signature.ngram, 0};
      const std::uint32_t ngrams[] = {choice.ngram, choice.other};
      const std::uint8_t count = groups_.signatures_of_document[of.first_document + row];
      for (std::uint8_t i = 0; i < count && i < 2; ++i) {
        if (!wants(first[row] + i)) continue;
        const std::uint32_t group = groups_.of_signature[first[row] + i];
        shingle_set(shingler.shingles(view, ngrams[i]), &set);
        const SetHead head{group, static_cast<std::uint32_t>(set.size())};
        bytes.assign(reinterpret_cast<const char*>(&head), sizeof(head));
        bytes.append(reinterpret_cast<const char*>(set.data()), set.size() * sizeof(set[0]));
        HEADRACE_RETURN_IF_ERROR(writer.put(partition_of(group, candidates_, partitions_), bytes));
      }
      return {};
    });
  }

  bool wants(std::uint64_t signature) const {
    return groups_.is_leader[signature] && candidates_.wanted[groups_.of_signature[signature]];
  }

  Result<void> compare(Spill& pairs, Spill& sets, Verified& verified) {
    std::mutex mutex;
    return for_each_with_writer(
        work_, verified.edges, partitions_,
        [&](std::size_t partition, Spill::Writer& writer) -> Result<void> {
          HEADRACE_ASSIGN_OR_RETURN(std::vector<Pair> some, pairs.read_records<Pair>(partition));
          pairs.release(partition);
          if (some.empty()) return {};
          std::sort(some.begin(), some.end());
          const bool fits = sets.bytes(partition) <= 2 * work_.partition_bytes();
          HEADRACE_ASSIGN_OR_RETURN(const SetTable table, SetTable::load(sets, partition, fits));
          HEADRACE_ASSIGN_OR_RETURN(const std::vector<NearEdge> found, compare_all(some, table));
          sets.release(partition);
          for (const NearEdge& edge : found) {
            HEADRACE_RETURN_IF_ERROR(writer.put_record(
                range_of(edge.a, groups_.count, candidates_.pairs.partitions()), edge));
          }
          const std::lock_guard lock(mutex);
          verified.count += found.size();
          if (groups_.earlier.empty()) return {};
          for (const NearEdge& edge : found) {
            if (groups_.earlier[edge.a] != kNoGroup || groups_.earlier[edge.b] != kNoGroup)
              with_earlier_.push_back(edge);
          }
          return {};
        });
  }

  Result<std::vector<NearEdge>> compare_all(const std::vector<Pair>& pairs,
                                            const SetTable& table) const {
    std::vector<std::uint32_t> scratch_a;
    std::vector<std::uint32_t> scratch_b;
    std::span<const std::uint32_t> a;
    std::uint32_t loaded = kNoGroup;
    std::vector<NearEdge> found;
    for (const Pair& pair : pairs) {
      if (pair.a != loaded) {
        HEADRACE_ASSIGN_OR_RETURN(a, table.find(pair.a, scratch_a));
        loaded = pair.a;
      }
      HEADRACE_ASSIGN_OR_RETURN(const std::span<const std::uint32_t> b,
                                table.find(pair.b, scratch_b));
      // Sets of very different sizes cannot be similar.
      const auto [less, more] = std::minmax(a.size(), b.size());
      if (static_cast<double>(less) < options_.threshold * static_cast<double>(more)) continue;
      const double similarity = jaccard(a, b);
      if (similarity < options_.threshold) continue;
      found.push_back({pair.a, pair.b, static_cast<float>(similarity)});
    }
    return found;
  }

  const std::vector<SignaturePart>& parts_;
  const std::size_t own_parts_;
  const Groups& groups_;
  Candidates& candidates_;
  const NearOptions& options_;
  const Workspace& work_;
  const TextReader& texts_;
  std::size_t partitions_ = 1;
  std::vector<Pair> across_;            // with groups of the earlier run alone
  std::vector<NearEdge> with_earlier_;  // with groups that are in both runs
};

}  // namespace

Result<Verified> verify(const std::vector<SignaturePart>& parts, std::size_t own_parts,
                        const Groups& groups, Candidates& candidates, const NearOptions& options,
                        const Workspace& work, const TextReader& texts,
                        std::uint64_t* spilled_bytes) {
  return Verifier(parts, own_parts, groups, candidates, options, work, texts).run(spilled_bytes);
}

}  // namespace headrace::dedup::internal
