// Rows in the order of time: what is earlier is a part from their beginning.
#include "edge_times.hpp"  // edge_times
#include "pick.hpp"        // check_fan_outs, expand_hop

#include <stg/runtime/out_of_memory.hpp>      // no_memory
#include <stg/sampling/temporal_sampler.hpp>  // temporal_sampler

namespace stg {

temporal_sampler::temporal_sampler(const graph& g, temporal_options options, const edge_values<double>& times) try
    : sampler(g), options_(std::move(options)) {
  detail::check_fan_outs("temporal_sampler", options_.fan_outs, false);
  auto sorted = std::make_shared<detail::edge_times>(detail::checked_times("temporal_sampler", of(), times));
  sorted->latest = options_.latest;
  times_ = std::move(sorted);
} catch (const std::bad_alloc&) {
  detail::no_memory();
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
      const std::int32_t v = writer.to().vertices[detail::at(local)];
      const double* const before = times.empty() ? nullptr : &times[detail::at(roots[detail::at(local)])];
      detail::draws random(number, detail::purpose::neighbours, hop, static_cast<std::uint64_t>(v));
      return times_->pick(random, in, v, before, fan_out, scratch, to);
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
  times_->count_earlier(in, writer.to().vertices, roots, times, *(writer.to().vertex_offsets.end() - 2),
                        writer.to().earlier_degrees);
}

void temporal_sampler::sample_into(batch& to, std::span<const std::int32_t> seeds, std::span<const double> times,
                                   std::uint64_t number) const try {
  write(to, [&](detail::batch_writer& writer) {
    detail::check_times_of_seeds("temporal_sampler", seeds.size(), times);
    draw(writer, seeds, times, number);
  });
} catch (const std::bad_alloc&) {
  detail::no_memory();
}

batch temporal_sampler::sample(std::span<const std::int32_t> seeds, std::span<const double> times,
                               std::uint64_t number) const {
  batch b;
  sample_into(b, seeds, times, number);
  return b;
}

}  // namespace stg
