// Bytes as a graph, loaders of its batches and of another graph's, and what they are asked for: whatever is not refused
// is the rows of a batch's own vertices and edges.
#include "readers.hpp"  // fuzz_loading

#include "records.hpp"  // byte_stream, demand, drawn_graph, drawn_ids, may_refuse

#include <stg/sampling/gather.hpp>             // gather
#include <stg/sampling/loader.hpp>             // loader
#include <stg/sampling/neighbour_sampler.hpp>  // neighbour_sampler

#include <algorithm>    // copy
#include <cstdint>      // int32_t, int64_t
#include <numeric>      // iota
#include <optional>     // optional
#include <string_view>  // string_view
#include <utility>      // move
#include <vector>       // vector

namespace stg::test {

namespace {

template <class T> tensor<T> numbered(std::int64_t rows) {
  tensor<T> t({rows});
  std::iota(t.begin(), t.end(), T{});
  return t;
}

/// A loader, and the rows that it was asked for.
struct asked {
  loader of;
  std::optional<vertex_rows<float>> features{}, given{};
  std::optional<vertex_rows<std::int32_t>> labels{};
  std::optional<edge_rows<float>> weights{};
};

loader_options options_of(byte_stream& from) {
  const int how = from.next();
  return {.batch_size = static_cast<signed char>(from.next()),
          .shuffle = (how & 1) != 0,
          .drop_last = (how & 2) != 0,
          .ahead = static_cast<signed char>(from.next()) % 4,
          .threads = static_cast<signed char>(from.next()) % 2,
          .blocks = (how & 4) != 0};
}

/// Of a sampler, or of a function whose batches are a graph's that may be another.
asked loader_of(const graph& g, const neighbour_sampler& other, byte_stream& from) {
  const int how = from.next();
  const loader_options options = options_of(from);
  const auto made = [&] {
    if ((how & 1) == 0) {
      neighbour_sampler sampler(g, {.fan_outs = from.ends(from.next() % 3)});
      return loader(std::move(sampler), drawn_ids(from), options);
    }
    const bool wrong = (how & 2) != 0;
    const auto draw = [&other, wrong](batch& to, std::span<const std::int32_t> items, std::uint64_t number) {
      other.sample_into(to, items, number);
      if (wrong) to.seeds += 3;
    };
    return loader(g, from.next() % 32, draw, options);
  };
  asked a{made()};
  const int rows = from.next();
  may_refuse([&] {
    if ((rows & 1) != 0) a.features = a.of.rows(numbered<float>(g.vertices() + (rows & 128)));
    if ((rows & 2) != 0) a.labels = a.of.rows(numbered<std::int32_t>(g.vertices()), {.rows = from.next() - 1});
    if ((rows & 4) != 0) a.weights = a.of.edges(g.edge_values(numbered<float>(g.edges())));
    if ((rows & 8) != 0)
      a.given = a.of.rows<float>({},
                                 [assigns = (rows & 16) != 0](std::span<const std::int32_t> v, tensor<float>& to) {
                                   if (assigns) to = tensor<float>({static_cast<std::int64_t>(v.size()), 1});
                                   else std::copy(v.begin(), v.end(), to.begin());
                                 },
                                 {.rows = from.next() % 16});
  });
  return a;
}

template <class T, class Rows> void check_rows(const loaded_batch& b, const std::optional<Rows>& of) {
  if (!of) return;
  const const_tensor<T>& rows = b[*of];
  demand(rows.shape() == dimensions{b.graph.vertices()}, "a row of each vertex");
  for (std::int64_t v = 0; v < rows.size(); ++v)
    demand(rows(v) == static_cast<T>(b.vertices[static_cast<std::size_t>(v)]), "the row of that vertex");
}

template <class Rows> void must_refuse(const loaded_batch& b, const std::optional<Rows>& of_another) {
  if (!of_another) return;
  try {
    b[*of_another];
  } catch (const error&) {
    return;
  }
  demand(false, "rows of another loader refused");
}

void go_through(asked& a, const asked& another, byte_stream& from) {
  for (int epochs = from.next() % 3; epochs >= 0; --epochs)
    may_refuse([&] {
      for (const loaded_batch& b : a.of.epoch(static_cast<signed char>(from.next()))) {
        check_rows<float>(b, a.features);
        check_rows<float>(b, a.given);
        check_rows<std::int32_t>(b, a.labels);
        if (a.weights) demand(b[*a.weights].values().size() == b.graph.edges(), "a value of each edge");
        must_refuse(b, another.features), must_refuse(b, another.given), must_refuse(b, another.labels);
        must_refuse(b, another.weights);
        demand(b.known.size() == b.graph.vertices() && b.blocks().seeds() >= 0, "a mark of each vertex");
        if (from.next() == 255) break;
      }
    });
}

}  // namespace

void fuzz_loading(std::string_view bytes) {
  byte_stream from(bytes);
  const std::optional<graph> g = drawn_graph(from), other = drawn_graph(from);
  if (!g || !other) return;
  may_refuse([&] {
    const neighbour_sampler of_other(*other, {.fan_outs = {2}});
    asked first = loader_of(*g, of_other, from), second = loader_of(*g, of_other, from);
    go_through(first, second, from);
    go_through(second, first, from);
  });
}

}  // namespace stg::test
