// In-edges by fan-out of each relation, hop after hop.
#include "edge_weights.hpp"  // checked_weights
#include "graphs_parts.hpp"  // graphs_parts, graphs_writer
#include "pick.hpp"          // expand_rows, pick, row_of

#include <stg/base/error.hpp>               // error
#include <stg/runtime/out_of_memory.hpp>    // no_memory
#include <stg/sampling/graphs_sampler.hpp>  // graphs_sampler

#include <algorithm>  // sort, unique
#include <string>     // to_string

namespace stg {

struct graphs_sampler::state {
  detail::graphs_parts parts;
  bool with_replacement;
  detail::numbers_by_hop fan_outs{};
  std::vector<std::vector<float>> weights{};  // by relation: of all edges, or empty

  void leave_out(detail::graphs_writer& to, std::span<const edges_left_out> without) const;
  void draw(detail::graphs_writer& to, std::uint64_t number) const;
  void draw_hop(detail::graphs_writer& to, std::size_t relation, std::size_t hop, std::uint64_t number) const;
};

graphs_sampler::graphs_sampler(const graphs& g, graphs_options options) try
    : state_(new state{detail::graphs_parts("graphs_sampler", g), options.with_replacement}) {
  state_->fan_outs =
      detail::fan_outs_of("graphs_sampler", state_->parts, options.fan_outs, options.of, options.with_replacement);
  state_->weights.resize(state_->parts.relations().size());
} catch (const std::bad_alloc&) {
  detail::no_memory();
}
graphs_sampler::~graphs_sampler() = default;
graphs_sampler::graphs_sampler(graphs_sampler&&) noexcept = default;

const graphs& graphs_sampler::of() const& { return state_->parts.all(); }

void graphs_sampler::weigh(std::string_view relation, const edge_values<float>& weights) try {
  const std::size_t r = state_->parts.number_of_relation(relation);
  state_->weights[r] = detail::checked_weights("graphs_sampler", state_->parts.relations()[r].edges, weights);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

void graphs_sampler::state::leave_out(detail::graphs_writer& to, std::span<const edges_left_out> without) const {
  auto& excluded = to.scratch().excluded;
  for (const edges_left_out& of : without) {
    const std::size_t r = parts.number_of_relation(of.relation);
    const std::int64_t all = parts.relations()[r].edges.edges();
    for (const std::int64_t e : of.edges)
      if (e < 0 || e >= all)
        throw error("edge " + std::to_string(e) + " of " + detail::quote(of.relation) +
                    " is to be left out; it must be in [0, " + std::to_string(all) + ")");
    excluded[r].insert(excluded[r].end(), of.edges.begin(), of.edges.end());
  }
  for (std::vector<std::int64_t>& edges : excluded) {
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  }
}

void graphs_sampler::state::draw_hop(detail::graphs_writer& to, std::size_t r, std::size_t hop,
                                     std::uint64_t number) const {
  const std::int64_t fan_out = fan_outs.of[r][hop];
  if (fan_out == 0) return to.skip(r);
  const detail::sampled_relation& relation = parts.relations()[r];
  const std::vector<std::int32_t>& into = to.to().sets[relation.destination].vertices;
  const adjacency in = relation.edges.in_edges();
  detail::batch_scratch& scratch = to.scratch().draws;
  detail::vertex_numbers& sources = to.numbers(relation.source);
  detail::sampled_rows& rows = to.rows(r);
  const std::vector<std::int64_t>& excluded = to.scratch().excluded[r];
  const float* const of_edges = weights[r].empty() ? nullptr : weights[r].data();
  const auto pick = [&](std::int64_t local, std::int64_t* positions) {
    const std::int32_t v = into[detail::at(local)];
    detail::draws random(number, detail::purpose::neighbours, static_cast<std::uint32_t>(hop),
                         static_cast<std::uint64_t>(r) << 32 | static_cast<std::uint64_t>(v));
    return detail::pick(random, detail::row_of(in, v, excluded), fan_out, with_replacement, of_edges, scratch,
                        positions);
  };
  detail::expand_rows(
      in, with_replacement ? fan_out : 0, scratch, into, to.first(relation.destination), to.last(relation.destination),
      [&](std::int32_t u) { sources.prefetch(u); }, pick,
      [&](std::int64_t, std::int64_t of, std::int64_t count) {
        rows.reserve(count);
        sources.number(scratch.neighbours.data(), count, rows.next_sources());
        rows.add(scratch.positions.data(), count);
        for (std::int64_t k = 0; k < of; ++k) rows.end_row(scratch.ends[detail::at(k)]);
      });
}

void graphs_sampler::state::draw(detail::graphs_writer& to, std::uint64_t number) const {
  for (std::size_t hop = 0; hop < fan_outs.hops; ++hop) {
    for (std::size_t r = 0; r < parts.relations().size(); ++r) draw_hop(to, r, hop, number);
    to.end_hop();
  }
}

void graphs_sampler::sample_into(graphs_batch& to, std::string_view set, std::span<const std::int32_t> seeds,
                                 std::uint64_t number) const try {
  const set_seeds of_one_set[] = {{set, seeds}};
  sample_into(to, of_one_set, number);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

void graphs_sampler::sample_into(graphs_batch& to, std::span<const set_seeds> seeds, std::uint64_t number,
                                 std::span<const edges_left_out> without) const try {
  state_->parts.write(to, [&](detail::graphs_writer& writer) {
    if (seeds.empty()) throw error("graphs_sampler: seeds of no vertex set; give those of one");
    state_->leave_out(writer, without);
    writer.begin(seeds);
    state_->draw(writer, number);
  });
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

}  // namespace stg
