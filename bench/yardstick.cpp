// Graphs as the yardsticks read them, and their loops over parts and threads.
#include "yardstick.hpp"

#include <stg/base/error.hpp>        // error
#include <stg/runtime/isa.hpp>       // isa
#include <stg/runtime/parallel.hpp>  // parallel, threads

#include <algorithm>    // clamp, max
#include <atomic>       // atomic
#include <limits>       // numeric_limits
#include <string>       // string
#include <string_view>  // string_view

#include "yardstick/table.hpp"  // kernels_avx2, kernels_avx512

namespace yardstick {

namespace {

constexpr std::int64_t part_edges = 4096;
constexpr std::int64_t prefetched = 12 << 10;  // bytes of rows on their way
constexpr std::int64_t last_cache = 32 << 20;  // bytes
constexpr int readable_past_end = 64;          // ids behind the last that kernels may read

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

const table& kernels() {
  const std::string_view isa = stg::isa();
#if defined(__x86_64__)
  if (isa == "avx512") return kernels_avx512;
  if (isa == "avx2") return kernels_avx2;
#endif
  throw stg::error("yardstick: there is none for " + std::string(isa) +
                   "; run where AVX2 is, without STG_ISA=baseline");
}

rows rows_of(const stg::adjacency& from) {
  rows r;
  r.begin.reserve(index(from.rows() + 1));
  r.neighbour.reserve(index(from.edges() + readable_past_end));
  for (std::int64_t v = 0; v < from.rows(); ++v) {
    r.begin.push_back(static_cast<std::int32_t>(from.begin(v)));
    for (auto k = from.begin(v); k != from.end(v); ++k) {
      r.neighbour.push_back(from.neighbour(k));
      if (!from.ids_are_positions()) r.edge_id.push_back(static_cast<std::int32_t>(from.edge_id(k)));
    }
  }
  r.begin.push_back(static_cast<std::int32_t>(from.edges()));
  r.neighbour.resize(r.neighbour.size() + readable_past_end, 0);
  if (!r.edge_id.empty()) r.edge_id.resize(r.neighbour.size(), 0);
  const std::int64_t parts = (from.edges() + from.rows()) / part_edges + 1;
  for (std::int64_t part = 0; part <= parts; ++part)
    r.part.push_back(static_cast<std::int32_t>(from.split(part, parts)));
  for (std::size_t i = 1; i < r.part.size(); ++i) {
    const std::int32_t first = r.part[i - 1], last = r.part[i];
    r.scratch_row = std::max({r.scratch_row, r.begin[index(last)] - r.begin[index(first)], last - first});
  }
  r.scratch_row = (r.scratch_row + 2 * readable_past_end) / readable_past_end * readable_past_end;
  return r;
}

/// Calls body(first row, last row, thread) for every part; parts are handed out as threads ask for them: each asks
/// in vain at last, and a locked count makes rows written past the caches seen. The threads are stg's, so that no
/// others compete with those of what is measured next.
template <class Body> void each_part(const rows& on, int threads, const Body& body) {
  const int parts = static_cast<int>(on.part.size()) - 1;
  std::atomic<int> next{0};
  stg::parallel(threads, [&](std::int64_t thread) {
    for (int part = next++; part < parts; part = next++)
      body(on.part[index(part)], on.part[index(part) + 1], static_cast<int>(thread));
  });
}

/// Whether rows of so many bytes are written past the caches: where these hold less than the table.
bool past_caches(const float* to, std::int64_t row, std::int64_t table) {
  return row % 64 == 0 && reinterpret_cast<std::uintptr_t>(to) % 64 == 0 && table > last_cache;
}

void sum(const rows& on, weight kind, const float* weights, const float* x, float* y, std::int64_t width) {
  const auto function = kernels().sums[static_cast<int>(kind)];
  const std::int64_t row = 4 * width, table = row * (static_cast<std::int64_t>(on.begin.size()) - 1);
  const sum_arguments a{&on,
                        weights,
                        x,
                        y,
                        width,
                        std::clamp<std::int64_t>(prefetched / row, 4, readable_past_end - 16),
                        table <= last_cache / 2,
                        past_caches(y, row, table)};
  each_part(on, stg::threads(), [&](std::int32_t first, std::int32_t last, int) { function(a, first, last); });
}

const attention_functions& functions(int heads, int dim) {
  for (const attention_functions& f : kernels().shapes)
    if (f.heads == heads && f.dim == dim) return f;
  throw stg::error("yardstick::attention: no kernel for " + std::to_string(heads) + " heads of " + std::to_string(dim) +
                   "; take 8 of 8, 1 of 64 or 4 of 64");
}

}  // namespace

graph prepare(const stg::graph& g) {
  if (g.edges() > std::numeric_limits<std::int32_t>::max() - readable_past_end)
    throw stg::error("yardstick::prepare: " + std::to_string(g.edges()) + " edges; ids have 32 bits");
  return {static_cast<std::int32_t>(g.vertices()), rows_of(g.in_edges()), rows_of(g.out_edges())};
}

void weighted_sum(const graph& g, const float* c, const float* x, float* y, std::int64_t width) {
  sum(g.in, weight::of_neighbour, c, x, y, width);
}
void weighted_sum_backward(const graph& g, const float* c, const float* dy, float* dx, std::int64_t width) {
  sum(g.out, weight::of_owner, c, dy, dx, width);
}
void edge_weighted_sum(const graph& g, const float* w, const float* x, float* y, std::int64_t width) {
  sum(g.in, weight::of_position, w, x, y, width);
}
void edge_weighted_sum_backward(const graph& g, const float* w, const float* dy, float* dx, std::int64_t width) {
  sum(g.out, g.out.edge_id.empty() ? weight::of_position : weight::of_edge_id, w, dy, dx, width);
}

attention::attention(const graph& g, int heads, int dim) : on_(g), heads_(heads), dim_(dim), threads_(stg::threads()) {
  functions(heads, dim);
  const std::int64_t scores = std::int64_t{g.vertices} * heads;
  records_ = floats(scores * numbers);
  sloped_ = floats(scores * dim);
  scratch_ = floats(std::int64_t{3} * std::max(g.in.scratch_row, g.out.scratch_row) * heads * threads_);
}

void attention::forward(const float* el, const float* er, const float* h, float* out) {
  forward(false, el, er, h, out);
}
void attention::forward_in_training(const float* el, const float* er, const float* h, float* out) {
  forward(true, el, er, h, out);
}

void attention::forward(bool training, const float* el, const float* er, const float* h, float* out) {
  const attention_functions& f = functions(heads_, dim_);
  const forward_function function = training ? f.forward_in_training : f.forward;
  const forward_arguments a{&on_.in,
                            el,
                            er,
                            h,
                            out,
                            records_.data(),
                            sloped_.data(),
                            past_caches(out, 4 * dim_ * heads_, 4 * sloped_.size())};
  const std::int64_t scratch = scratch_.size() / threads_;
  each_part(on_.in, threads_, [&](std::int32_t first, std::int32_t last, int thread) {
    function(a, first, last, scratch_.data() + scratch * thread);
  });
}

void attention::backward(const float* el, const float* h, const float* out, const float* dout, float* d_el, float* d_er,
                         float* d_h) {
  const attention_functions& f = functions(heads_, dim_);
  const own_arguments own{out, sloped_.data(), dout, records_.data(), d_er};
  each_part(on_.in, threads_, [&](std::int32_t first, std::int32_t last, int) { f.own(own, first, last); });
  const bool stream = past_caches(d_h, 4 * dim_ * heads_, 4 * sloped_.size());
  const sweep_arguments a{&on_.out, el, h, dout, records_.data(), d_el, d_h, stream};
  const std::int64_t scratch = scratch_.size() / threads_;
  each_part(on_.out, threads_, [&](std::int32_t first, std::int32_t last, int thread) {
    f.sweep(a, first, last, scratch_.data() + scratch * thread);
  });
}

std::int64_t attention::bytes() const { return 4 * (records_.size() + sloped_.size() + scratch_.size()); }

}  // namespace yardstick
