// Fan-outs: so many in-edges of each vertex, hop after hop.
#include "edge_weights.hpp"  // checked_weights
#include "pick.hpp"          // pick, row_of

#include <stg/base/error.hpp>             // error
#include <stg/runtime/out_of_memory.hpp>  // no_memory

namespace stg {

neighbour_sampler::neighbour_sampler(const graph& g, neighbour_options options) try
    : sampler(g), options_(std::move(options)) {
  detail::check_fan_outs("neighbour_sampler", options_.fan_outs, options_.with_replacement);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

neighbour_sampler::neighbour_sampler(const graph& g, neighbour_options options, const edge_values<float>& weights) try
    : neighbour_sampler(g, std::move(options)) {
  weights_ = detail::checked_weights("neighbour_sampler", of(), weights);
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

void neighbour_sampler::draw(detail::batch_writer& writer, std::span<const std::int32_t> seeds,
                             std::uint64_t number) const {
  const adjacency in = of().in_edges();
  detail::batch_scratch& scratch = writer.scratch();
  writer.begin(seeds);
  std::uint32_t hop = 0;
  for (const std::int64_t fan_out : options_.fan_outs) {
    const auto pick = [&](std::int64_t local, std::int64_t* to) {
      const std::int32_t v = writer.to().vertices[static_cast<std::size_t>(local)];
      detail::draws random(number, detail::purpose::neighbours, hop, static_cast<std::uint64_t>(v));
      return detail::pick(random, detail::row_of(in, v, scratch.excluded), fan_out, options_.with_replacement,
                          weights_.empty() ? nullptr : weights_.data(), scratch, to);
    };
    const std::int64_t most = options_.with_replacement ? fan_out : 0;
    detail::expand_hop(in, most, writer, pick, [&](std::int64_t, std::int64_t rows, std::int64_t count) {
      writer.reach(scratch.neighbours.data(), scratch.positions.data(), count);
      detail::end_rows(writer, rows);
    });
    ++hop;
  }
}

void neighbour_sampler::sample_without(batch& to, std::span<const std::int32_t> seeds, std::uint64_t number,
                                       std::span<const std::int64_t> edges) const try {
  write(to, [&](detail::batch_writer& writer) {
    auto& excluded = writer.scratch().excluded;
    excluded.assign(edges.begin(), edges.end());
    std::sort(excluded.begin(), excluded.end());
    excluded.erase(std::unique(excluded.begin(), excluded.end()), excluded.end());
    if (!excluded.empty() && (excluded.front() < 0 || excluded.back() >= of().edges()))
      throw error("edge " + std::to_string(excluded.front() < 0 ? excluded.front() : excluded.back()) +
                  " is to be left out; it must be in [0, " + std::to_string(of().edges()) + ")");
    draw(writer, seeds, number);
  });
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

}  // namespace stg
