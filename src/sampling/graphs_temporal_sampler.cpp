// Earlier in-edges of each relation, hop after hop, for seeds that share no vertices.
#include "edge_times.hpp"    // edge_times
#include "graphs_parts.hpp"  // graphs_parts, graphs_writer

#include <stg/runtime/out_of_memory.hpp>             // no_memory
#include <stg/sampling/graphs_temporal_sampler.hpp>  // graphs_temporal_sampler

namespace stg {

struct graphs_temporal_sampler::state {
  detail::graphs_parts parts;
  bool latest;
  detail::numbers_by_hop fan_outs{};
  std::vector<detail::edge_times> times{};  // by relation

  void draw_hop(detail::graphs_writer& to, std::size_t relation, std::size_t hop, std::span<const double> of_seeds,
                std::uint64_t number) const;
};

graphs_temporal_sampler::graphs_temporal_sampler(const graphs& g, const graphs_temporal_options& options) try
    : state_(new state{detail::graphs_parts("graphs_temporal_sampler", g), options.latest}) {
  state_->fan_outs = detail::fan_outs_of("graphs_temporal_sampler", state_->parts, options.fan_outs, options.of, false);
  state_->times.resize(state_->parts.relations().size());
} catch (const std::bad_alloc&) {
  detail::no_memory();
}
graphs_temporal_sampler::~graphs_temporal_sampler() = default;
graphs_temporal_sampler::graphs_temporal_sampler(graphs_temporal_sampler&&) noexcept = default;

const graphs& graphs_temporal_sampler::of() const& { return state_->parts.all(); }

void graphs_temporal_sampler::set_times(std::string_view relation, const edge_values<double>& times) try {
  const std::size_t r = state_->parts.number_of_relation(relation);
  state_->times[r] = detail::checked_times("graphs_temporal_sampler: relation " + detail::quote(relation),
                                           state_->parts.relations()[r].edges, times);
  state_->times[r].latest = state_->latest;
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

void graphs_temporal_sampler::state::draw_hop(detail::graphs_writer& to, std::size_t r, std::size_t hop,
                                              std::span<const double> of_seeds, std::uint64_t number) const {
  const std::int64_t fan_out = fan_outs.of[r][hop];
  if (fan_out == 0) return to.skip(r);
  const detail::sampled_relation& relation = parts.relations()[r];
  const graphs_batch::set_rows& into = to.to().sets[relation.destination];
  graphs_batch::set_rows& from = to.to().sets[relation.source];
  const adjacency in = relation.edges.in_edges();
  detail::batch_scratch& scratch = to.scratch().draws;
  detail::sampled_rows& rows = to.rows(r);
  const auto pick = [&](std::int64_t local, std::int64_t* positions) {
    const std::int32_t v = into.vertices[detail::at(local)];
    detail::draws random(number, detail::purpose::neighbours, static_cast<std::uint32_t>(hop),
                         static_cast<std::uint64_t>(r) << 32 | static_cast<std::uint64_t>(v));
    return times[r].pick(random, in, v, &of_seeds[detail::at(into.roots[detail::at(local)])], fan_out, scratch,
                         positions);
  };
  detail::expand_rows(
      in, 0, scratch, into.vertices, to.first(relation.destination), to.last(relation.destination), [](std::int32_t) {},
      pick,
      [&](std::int64_t first, std::int64_t of, std::int64_t count) {
        rows.reserve(count);
        std::int64_t i = 0;
        for (std::int64_t k = 0; k < of; ++k) {
          const std::int32_t root = into.roots[detail::at(first + k)];
          for (; i < scratch.ends[detail::at(k)]; ++i) {
            rows.add(to.numbers(relation.source).add(scratch.neighbours[detail::at(i)]),
                     scratch.positions[detail::at(i)]);
            from.roots.push_back(root);
          }
          rows.end_row();
        }
      });
}

void graphs_temporal_sampler::sample_into(graphs_batch& to, std::string_view set, std::span<const std::int32_t> seeds,
                                          std::span<const double> times, std::uint64_t number) const try {
  state_->parts.write(to, [&](detail::graphs_writer& writer) {
    detail::check_times_of_seeds("graphs_temporal_sampler", seeds.size(), times);
    writer.begin_apart({set, seeds});
    for (std::size_t hop = 0; hop < state_->fan_outs.hops; ++hop) {
      for (std::size_t r = 0; r < state_->parts.relations().size(); ++r)
        state_->draw_hop(writer, r, hop, times, number);
      writer.end_hop();
    }
    for (std::size_t r = 0; r < state_->parts.relations().size(); ++r) {
      const detail::sampled_relation& relation = state_->parts.relations()[r];
      const graphs_batch::set_rows& into = to.sets[relation.destination];
      state_->times[r].count_earlier(relation.edges.in_edges(), into.vertices, into.roots, times,
                                     writer.first(relation.destination), to.relations[r].earlier_degrees);
    }
  });
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

}  // namespace stg
