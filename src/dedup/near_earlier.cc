// SPDX-License-Identifier: Apache-2.0
// Links from groups of this run to documents of an earlier one.
//
// The earlier run's texts are not read, so a pair across the two is compared by what is there: the
// signatures. The same shingles are similarity 1; a group of this run whose shingles the earlier
// run has stands for its document, so what is near that group is compared truly; all else is
// estimated.
#include <algorithm>

#include "base/error.h"
#include "dedup/internal/near_steps.h"

namespace headrace::dedup::internal {
namespace {

// Some signatures, looked up in their files in order.
class SomeSignatures {
 public:
  // `wanted`: numbers among those of all files; sorted here.
  static Result<SomeSignatures> read(const std::vector<SignaturePart>& parts,
                                     std::vector<std::uint32_t> wanted, std::size_t permutations) {
    std::sort(wanted.begin(), wanted.end());
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    SomeSignatures some;
    some.permutations_ = permutations;
    some.values_.reserve(wanted.size() * permutations);
    SignatureBlock block;
    std::size_t next = 0;
    for (std::size_t part = 0; part < parts.size(); ++part) {
      const std::uint64_t first = parts[part].first_signature;
      const std::uint64_t end = first + parts[part].reader.signatures();
      for (std::uint64_t number = 0; next < wanted.size() && wanted[next] < end; ++number) {
        const std::uint64_t block_first = first + SignatureReader::first_of(number);
        const std::uint64_t block_end = first + SignatureReader::first_of(number + 1);
        if (wanted[next] >= block_end) continue;
        HEADRACE_RETURN_IF_ERROR(parts[part].reader.read(number, &block));
        for (; next < wanted.size() && wanted[next] < std::min(block_end, end); ++next) {
          const std::size_t i = wanted[next] - block_first;
          const auto values = block.values(i);
          some.values_.insert(some.values_.end(), values.begin(), values.end());
          some.places_.emplace_back(static_cast<std::uint32_t>(part), block.record(i).row);
        }
      }
    }
    some.numbers_ = std::move(wanted);
    return some;
  }

  std::span<const std::uint16_t> values(std::uint32_t signature) const {
    return std::span(values_).subspan(index(signature) * permutations_, permutations_);
  }
  // Part (among all) and row.
  std::pair<std::uint32_t, std::uint32_t> place(std::uint32_t signature) const {
    return places_[index(signature)];
  }

 private:
  std::size_t index(std::uint32_t signature) const {
    return static_cast<std::size_t>(std::lower_bound(numbers_.begin(), numbers_.end(), signature) -
                                    numbers_.begin());
  }
  std::vector<std::uint32_t> numbers_;
  std::vector<std::uint16_t> values_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> places_;
  std::size_t permutations_ = 0;
};

struct Link {
  std::uint32_t group;
  std::uint32_t signature;  // of the earlier run
  float similarity;
};

// The most similar one of each group; of equal ones the first.
void keep_best(std::vector<Link>& links) {
  std::sort(links.begin(), links.end(), [](const Link& a, const Link& b) {
    if (a.group != b.group) return a.group < b.group;
    if (a.similarity != b.similarity) return a.similarity > b.similarity;
    return a.signature < b.signature;
  });
  links.erase(std::unique(links.begin(), links.end(),
                          [](const Link& a, const Link& b) { return a.group == b.group; }),
              links.end());
}

}  // namespace

Result<std::vector<EarlierLink>> link_earlier(const std::vector<SignaturePart>& parts,
                                              std::size_t own_parts, const Groups& groups,
                                              const std::vector<Pair>& pairs,
                                              const std::vector<NearEdge>& edges,
                                              const NearOptions& options, const Workspace& work) {
  std::vector<Link> links;
  for (std::uint32_t group = 0; group < groups.count; ++group) {
    if (groups.is_own[group] && groups.earlier[group] != kNoGroup)
      links.push_back({group, groups.earlier[group], 1});
  }
  for (const NearEdge& edge : edges) {
    if (groups.earlier[edge.a] != kNoGroup)
      links.push_back({edge.b, groups.earlier[edge.a], edge.similarity});
    if (groups.earlier[edge.b] != kNoGroup)
      links.push_back({edge.a, groups.earlier[edge.b], edge.similarity});
  }
  // The first own signature of a group, by group.
  std::vector<std::uint32_t> leader(groups.count, kNoGroup);
  for (std::uint64_t i = 0; i < groups.own_signatures; ++i) {
    if (groups.is_leader[i]) leader[groups.of_signature[i]] = static_cast<std::uint32_t>(i);
  }
  const std::size_t permutations = options.signature.permutations;
  const std::size_t batch = std::max<std::size_t>(
      1024, work.partition_bytes() / (2 * sizeof(std::uint16_t) * permutations + 64));
  for (std::size_t first = 0; first < pairs.size(); first += batch) {
    const std::span<const Pair> some =
        std::span(pairs).subspan(first, std::min(batch, pairs.size() - first));
    std::vector<std::uint32_t> wanted;
    for (const Pair& pair : some) {
      const bool a_is_own = groups.is_own[pair.a];
      wanted.push_back(leader[a_is_own ? pair.a : pair.b]);
      wanted.push_back(groups.earlier[a_is_own ? pair.b : pair.a]);
    }
    HEADRACE_ASSIGN_OR_RETURN(const SomeSignatures signatures,
                              SomeSignatures::read(parts, std::move(wanted), permutations));
    for (const Pair& pair : some) {
      const bool a_is_own = groups.is_own[pair.a];
      const std::uint32_t own = a_is_own ? pair.a : pair.b;
      const std::uint32_t earlier = groups.earlier[a_is_own ? pair.b : pair.a];
      const double similarity =
          estimated_similarity(signatures.values(leader[own]), signatures.values(earlier));
      if (similarity >= options.threshold)
        links.push_back({own, earlier, static_cast<float>(similarity)});
    }
    keep_best(links);
  }
  keep_best(links);

  std::vector<std::uint32_t> wanted;
  for (const Link& link : links) wanted.push_back(link.signature);
  HEADRACE_ASSIGN_OR_RETURN(const SomeSignatures signatures,
                            SomeSignatures::read(parts, std::move(wanted), permutations));
  std::vector<EarlierLink> found;
  for (const Link& link : links) {
    const auto [part, row] = signatures.place(link.signature);
    found.push_back(
        {link.group, part - static_cast<std::uint32_t>(own_parts), row, link.similarity});
  }
  return found;
}

}  // namespace headrace::dedup::internal
