// SPDX-License-Identifier: Apache-2.0
#include "dedup/near_index.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "base/error.h"
#include "dedup/internal/near_steps.h"

namespace headrace::dedup {

using internal::Groups;
using internal::kNoGroup;
using internal::SignaturePart;
using internal::Workspace;

struct NearIndex::State {
  std::vector<SignaturePart> parts;
  std::size_t own_parts = 0;
  Groups groups;
  UnionFind components;      // of groups, over edges and over documents of two groups
  std::vector<bool> linked;  // by group: it has an edge, copies, or an earlier document
  std::optional<Spill> edges;
  std::vector<internal::EarlierLink> earlier;
  NearCounts counts;

  template <class Sink>
  Result<void> for_each_edge(Sink sink) const {
    for (std::size_t range = 0; range < edges->partitions(); ++range) {
      HEADRACE_ASSIGN_OR_RETURN(std::vector<NearEdge> some, edges->read_records<NearEdge>(range));
      std::sort(some.begin(), some.end(), [](const NearEdge& x, const NearEdge& y) {
        return x.a != y.a ? x.a < y.a : x.b < y.b;
      });
      for (const NearEdge& edge : some) HEADRACE_RETURN_IF_ERROR(sink(edge));
    }
    return {};
  }

  Result<void> connect();

  // The nearer one, where both of a document's groups have one.
  void add_earlier(std::uint32_t group, NearPlace* place) const {
    const auto found = std::lower_bound(
        earlier.begin(), earlier.end(), group,
        [](const internal::EarlierLink& link, std::uint32_t of) { return link.group < of; });
    if (found == earlier.end() || found->group != group ||
        found->similarity <= place->earlier_similarity) {
      return;
    }
    place->earlier_part = found->part;
    place->earlier_row = found->row;
    place->earlier_similarity = found->similarity;
  }
};

// Documents of two groups hold these together, where one of them has something near it.
Result<void> NearIndex::State::connect() {
  components = UnionFind(groups.count);
  linked = groups.has_copies;
  HEADRACE_RETURN_IF_ERROR(for_each_edge([&](const NearEdge& edge) -> Result<void> {
    components.unite(edge.a, edge.b);
    linked[edge.a] = linked[edge.b] = true;
    return {};
  }));
  for (const internal::EarlierLink& link : earlier) linked[link.group] = true;
  std::uint64_t signature = 0;
  for (const std::uint8_t count : groups.signatures_of_document) {
    if (count == 2) {
      const std::uint32_t a = groups.of_signature[signature];
      const std::uint32_t b = groups.of_signature[signature + 1];
      if (linked[a] || linked[b]) {
        components.unite(a, b);
        linked[a] = linked[b] = true;
      }
    }
    signature += count;
  }
  components.flatten();
  return {};
}

namespace {

Result<void> open_part(const std::string& path, const SignatureSettings& settings,
                       const std::vector<bool>* kept, std::uint64_t* signatures,
                       std::vector<SignaturePart>* parts, std::uint64_t first_document) {
  HEADRACE_ASSIGN_OR_RETURN(SignatureReader reader, SignatureReader::open(path, settings));
  const std::uint64_t count = reader.signatures();
  parts->push_back({std::move(reader), *signatures, first_document, kept});
  *signatures += count;
  return {};
}

}  // namespace

NearIndex::NearIndex(std::unique_ptr<State> state) : state_(std::move(state)) {}
NearIndex::NearIndex(NearIndex&&) noexcept = default;
NearIndex& NearIndex::operator=(NearIndex&&) noexcept = default;
NearIndex::~NearIndex() = default;

const NearCounts& NearIndex::counts() const { return state_->counts; }

Result<NearIndex> NearIndex::build(const std::vector<std::string>& signatures,
                                   const std::vector<EarlierPart>& earlier,
                                   const NearOptions& options, const NearLimits& limits,
                                   const TextReader& texts) {
  auto state = std::make_unique<State>();
  NearCounts& counts = state->counts;
  for (const std::string& path : signatures) {
    HEADRACE_RETURN_IF_ERROR(open_part(path, options.signature, nullptr, &counts.signatures,
                                       &state->parts, counts.documents));
    counts.documents += state->parts.back().reader.documents();
  }
  state->own_parts = state->parts.size();
  std::uint64_t all = counts.signatures;
  for (const EarlierPart& part : earlier) {
    HEADRACE_RETURN_IF_ERROR(
        open_part(part.signatures, options.signature, &part.kept, &all, &state->parts, 0));
  }
  if (all >= std::numeric_limits<std::uint32_t>::max()) {
    return unsupported("{} signatures: near duplicates are found among at most {} in this version",
                       all, std::numeric_limits<std::uint32_t>::max() - 1);
  }
  // Group, leader and, as if each were a group of its own, its component, size and four flags.
  const std::uint64_t held = counts.documents + all * (4 + 4 + 1) + all * 5 / 8 +
                             (earlier.empty() ? 0 : all * sizeof(std::uint32_t));
  HEADRACE_ASSIGN_OR_RETURN(const Workspace work, Workspace::make(limits, held));
  HEADRACE_ASSIGN_OR_RETURN(state->groups, internal::number_groups(state->parts, counts.documents,
                                                                   counts.signatures, work));
  counts.groups = state->groups.count;
  {
    HEADRACE_ASSIGN_OR_RETURN(internal::Candidates candidates,
                              internal::find_candidates(state->parts, state->groups, options.bands,
                                                        work, &counts.spilled_bytes));
    HEADRACE_ASSIGN_OR_RETURN(
        internal::Verified verified,
        internal::verify(state->parts, state->own_parts, state->groups, candidates, options, work,
                         texts, &counts.spilled_bytes));
    counts.candidates = verified.candidates;
    counts.edges = verified.count;
    counts.left_out = candidates.left_out;
    state->edges.emplace(std::move(verified.edges));
    state->earlier = std::move(verified.earlier);
  }
  HEADRACE_RETURN_IF_ERROR(state->connect());
  return NearIndex(std::move(state));
}

Result<void> NearIndex::for_each_edge(
    const std::function<Result<void>(const NearEdge& edge, std::uint32_t component)>& sink) const {
  return state_->for_each_edge(
      [&](const NearEdge& edge) { return sink(edge, state_->components.root(edge.a)); });
}

Result<void> NearIndex::for_each_place(
    std::size_t part, const std::function<Result<void>(const NearPlace& place)>& sink) const {
  const SignaturePart& of = state_->parts[part];
  const Groups& groups = state_->groups;
  std::uint64_t signature = of.first_signature;
  for (std::uint64_t row = 0; row < of.reader.documents(); ++row) {
    const std::uint8_t count = groups.signatures_of_document[of.first_document + row];
    NearPlace place;
    if (count > 0 && state_->linked[groups.of_signature[signature]]) {
      place.group = groups.of_signature[signature];
      place.component = state_->components.root(place.group);
      if (count == 2) place.other = groups.of_signature[signature + 1];
      state_->add_earlier(place.group, &place);
      if (count == 2) state_->add_earlier(place.other, &place);
    }
    signature += count;
    HEADRACE_RETURN_IF_ERROR(sink(place));
  }
  return {};
}

}  // namespace headrace::dedup
