// Rows in the order of time: what is earlier is a part from their beginning.
#include "expand.hpp"  // expand_hop, choose

#include <stg/base/error.hpp>                  // error
#include <stg/sampling/neighbour_sampler.hpp>  // all_neighbours
#include <stg/sampling/temporal_sampler.hpp>   // temporal_sampler

#include <cmath>    // isnan
#include <limits>   // numeric_limits
#include <numeric>  // iota
#include <string>   // to_string

namespace stg {

temporal_sampler::temporal_sampler(const graph& g, temporal_options options, const edge_values<double>& times)
    : sampler(g), options_(std::move(options)) {
  for (std::size_t h = 0; h < options_.fan_outs.size(); ++h)
    if (options_.fan_outs[h] < all_neighbours)
      throw error("temporal_sampler: fan-out " + std::to_string(options_.fan_outs[h]) + " of hop " +
                  std::to_string(h + 1) + "; give a number of edges, or all_neighbours");
  const tensor<double> in_order = of().to_input_order(times);  // whose checks name what is wrong
  if (in_order.rank() != 1)
    throw error("temporal_sampler: times of shape " + to_string(in_order.shape()) + "; give one per edge");
  for (std::int64_t e = 0; e < in_order.size(); ++e)
    if (std::isnan(in_order(e))) throw error("temporal_sampler: the time of edge " + std::to_string(e) + " is NaN");
  const double* const of_edge = times.values().data();
  const adjacency in = of().in_edges();
  by_time_.resize(static_cast<std::size_t>(in.edges()));
  std::iota(by_time_.begin(), by_time_.end(), std::int64_t{0});
  for (std::int64_t v = 0; v < in.rows(); ++v)
    std::stable_sort(by_time_.begin() + in.begin(v), by_time_.begin() + in.end(v),
                     [&](std::int64_t a, std::int64_t b) { return of_edge[a] < of_edge[b]; });
  for (const std::int64_t k : by_time_) times_.push_back(of_edge[k]);
}

void temporal_sampler::draw(detail::batch_writer& writer, std::span<const std::int32_t> seeds,
                            std::uint64_t number) const {
  draw(writer, seeds, {}, number);
}

void temporal_sampler::draw(detail::batch_writer& writer, std::span<const std::int32_t> seeds,
                            std::span<const double> times, std::uint64_t number) const {
  const adjacency in = of().in_edges();
  detail::batch_scratch& scratch = writer.scratch();
  std::vector<std::int32_t>& roots = writer.to().roots;
  writer.begin_apart(seeds);
  for (std::size_t i = 0; i < seeds.size(); ++i) roots.push_back(static_cast<std::int32_t>(i));
  std::uint32_t hop = 0;
  for (const std::int64_t fan_out : options_.fan_outs) {
    const auto pick = [&](std::int64_t local, std::int64_t* to) {
      const std::int32_t v = writer.to().vertices[static_cast<std::size_t>(local)];
      const auto root = static_cast<std::size_t>(roots[static_cast<std::size_t>(local)]);
      const double before = times.empty() ? std::numeric_limits<double>::infinity() : times[root];
      const double* const row = times_.data() + in.begin(v);
      const std::int64_t* const position = by_time_.data() + in.begin(v);
      const std::int64_t earlier =
          times.empty() ? in.degree(v) : std::lower_bound(row, row + in.degree(v), before) - row;
      const std::int64_t count = fan_out == all_neighbours ? earlier : std::min(fan_out, earlier);
      if (options_.latest) return std::copy(position + earlier - count, position + earlier, to);
      detail::draws random(number, detail::purpose::neighbours, hop, static_cast<std::uint64_t>(v));
      std::int64_t* const end = detail::choose(random, earlier, count, scratch, 0, to);
      for (; to != end; ++to) *to = position[*to];
      return to;
    };
    detail::expand_hop(in, 0, writer, pick, [&](std::int64_t first, std::int64_t rows, std::int64_t) {
      std::int64_t i = 0;
      for (std::int64_t r = 0; r < rows; ++r)
        for (; i < scratch.ends[static_cast<std::size_t>(r)]; ++i) {
          const auto k = static_cast<std::size_t>(i);
          writer.edge(writer.add(scratch.neighbours[k]), scratch.positions[k]);
          roots.push_back(roots[static_cast<std::size_t>(first + r)]);
        }
      detail::end_rows(writer, rows);
    });
    ++hop;
  }
}

void temporal_sampler::sample_into(batch& to, std::span<const std::int32_t> seeds, std::span<const double> times,
                                   std::uint64_t number) const {
  if (times.size() != seeds.size())
    throw error("temporal_sampler: " + std::to_string(times.size()) + " times for " + std::to_string(seeds.size()) +
                " seeds; give one for each");
  for (std::size_t i = 0; i < times.size(); ++i)
    if (std::isnan(times[i])) throw error("temporal_sampler: the time of seed " + std::to_string(i) + " is NaN");
  write(to, [&](detail::batch_writer& writer) { draw(writer, seeds, times, number); });
}

batch temporal_sampler::sample(std::span<const std::int32_t> seeds, std::span<const double> times,
                               std::uint64_t number) const {
  batch b;
  sample_into(b, seeds, times, number);
  return b;
}

}  // namespace stg
