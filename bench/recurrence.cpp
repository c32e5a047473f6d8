// What a scan costs: a recurrence beside the same arithmetic by hand, layers as a scan beside the same written out, and
// gates that are a product each beside one product of their weights joined.
#include <stg/runtime/dense.hpp>     // pack_product, packed_product
#include <stg/runtime/parallel.hpp>  // parallel, threads
#include <stg/stg.hpp>               // the language

#include <algorithm>  // copy_n
#include <cmath>      // abs
#include <cstdio>     // printf
#include <cstdlib>    // exit
#include <cstring>    // memcpy
#include <tuple>      // tuple
#include <utility>    // integer_sequence
#include <vector>     // vector

#include "drawn_steps.hpp"  // drawn
#include "rounds.hpp"       // medians, timed

namespace {

constexpr int width = 32, layers = 16;

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", width>);
constexpr auto U = stg::parameter<"U", width, width>;
constexpr auto recurrence = [](auto v) {
  return stg::scan<"T">(
      v, [](auto v, auto h) { return relu(v(x) + mean(v.in_edges().src(matmul(h, U)))); }, stg::zeros<width>(v));
};

/// The same with the library's product, whose weights are laid out once, and one loop over rows, sums in registers,
/// divided as the library divides its own.
class by_hand {
 public:
  by_hand(const stg::graph& graph, const stg::tensor<float>& steps, const float* weights)
      : g(graph), in(steps), u(weights), h({g.vertices(), width}), z({g.vertices(), width}) {}

  const stg::tensor<float>& run() {
    h.fill(0);
    stg::pack_product(u, packed.data(), width, width, false);
    for (std::int64_t t = 0; t < in.extent(0); ++t) {
      stg::packed_product(h.data(), packed.data(), z.data(), g.vertices(), width, width);
      const float* const now = in.data() + t * g.vertices() * width;
      const stg::adjacency rows = g.in_edges();
      const std::int64_t parts = (g.vertices() + g.edges()) / 2048 + 1;
      stg::parallel(parts, [&](std::int64_t part) {
        for (std::int64_t v = rows.split(part, parts); v < rows.split(part + 1, parts); ++v) row(rows, v, now);
      });
    }
    return h;
  }

 private:
  static constexpr int lanes = 16, registers = width / lanes;
  using vector = float __attribute__((vector_size(lanes * sizeof(float))));
  static vector load(const float* from) {
    vector v;
    std::memcpy(&v, from, sizeof v);
    return v;
  }
  void row(const stg::adjacency& rows, std::int64_t v, const float* now) {
    vector sum[registers] = {};
    for (std::int64_t k = rows.begin(v); k < rows.end(v); ++k) {
      const float* const from = z.data() + std::int64_t{rows.neighbour(k)} * width;
      for (int r = 0; r < registers; ++r) sum[r] += load(from + r * lanes);
    }
    const float share = rows.degree(v) == 0 ? 0.0f : 1 / static_cast<float>(rows.degree(v));
    for (int r = 0; r < registers; ++r) {
      const vector y = load(now + v * width + r * lanes) + share * sum[r], nothing = {};
      const vector kept = y > nothing ? y : nothing;
      std::memcpy(h.data() + v * width + r * lanes, &kept, sizeof kept);
    }
  }

  const stg::graph& g;
  const stg::tensor<float>& in;
  const float* u;
  stg::tensor<float> h, z;
  std::vector<float> packed = std::vector<float>(static_cast<std::size_t>(stg::product_scratch<float>(width, width)));
};

// ---- layers ----

constexpr auto rows = stg::vertex_feature<"rows", width>;
constexpr auto goal = stg::vertex_feature<"goal", width>;
constexpr auto layer = [](auto v, auto h, auto w) { return h + relu(matmul(mean(v.in_edges().src(h)), w)); };

constexpr auto all = stg::over<layers>(stg::parameter<"all", width, width>);
constexpr auto as_scan = [](auto v) {
  return mse(stg::scan<layers>(
                 v, [](auto v, auto h) { return layer(v, h, all); }, v(rows)),
             v(goal));
};

template <int K>
constexpr stg::fixed_string<2> letter = [] {
  stg::fixed_string<2> name("a");
  name.letters[0] = static_cast<char>('a' + K);
  return name;
}();
template <int K> constexpr auto one = stg::parameter<letter<K>, width, width>;
template <int K> constexpr auto through(auto v, auto h) {
  if constexpr (K == layers) return h;
  else return through<K + 1>(v, layer(v, h, one<K>));
}
constexpr auto written_out = [](auto v) { return mse(through<0>(v, v(rows)), v(goal)); };

// ---- gates ----

constexpr auto lag = stg::over<"T">(stg::vertex_feature<"lag", width>);
constexpr auto aim = stg::over<"T">(stg::vertex_feature<"aim", width>);
constexpr auto Wr = stg::parameter<"Wr", width, width>;
constexpr auto Wz = stg::parameter<"Wz", width, width>;
constexpr auto Wn = stg::parameter<"Wn", width, width>;
constexpr auto Ur = stg::parameter<"Ur", width, width>;
constexpr auto Uz = stg::parameter<"Uz", width, width>;
constexpr auto Un = stg::parameter<"Un", width, width>;

/// A gated cell, of what its gates are made of: x W and h U, as `of` says. The loss is that of all steps.
template <class Of> constexpr auto gated(auto v, Of of) {
  auto errors = std::get<1>(stg::scan<"T">(
      v,
      [=](auto v, auto h) {
        auto heard = mean(v.in_edges().src(h));
        auto [xr, xz, xn, hr, hz, hn] = of(v(lag), heard);
        auto r = sigmoid(xr + hr), z = sigmoid(xz + hz);
        auto n = z * h + (1.0 - z) * tanh(xn + r * hn);
        return stg::next(n).gives(mean(sum(square(n - v(aim)), stg::axis<0>), stg::all_vertices));
      },
      stg::zeros<width>(v)));
  return mean(stg::stacked(errors), stg::axis<0>);
}
constexpr auto six_products = [](auto v) {
  return gated(v, [](auto x, auto h) {
    return std::tuple(matmul(x, Wr), matmul(x, Wz), matmul(x, Wn), matmul(h, Ur), matmul(h, Uz), matmul(h, Un));
  });
};
/// The same parameters, joined before the scan, and the rows cut.
constexpr auto joined_weights = [](auto v) {
  auto W = stg::concat<stg::axis<1>>(v(Wr), v(Wz), v(Wn)), U = stg::concat<stg::axis<1>>(v(Ur), v(Uz), v(Un));
  return gated(v, [=](auto x, auto h) {
    auto a = matmul(x, W), b = matmul(h, U);
    return std::tuple(stg::slice<0, width>(a), stg::slice<width, 2 * width>(a), stg::slice<2 * width, 3 * width>(a),
                      stg::slice<0, width>(b), stg::slice<width, 2 * width>(b), stg::slice<2 * width, 3 * width>(b));
  });
};

void print(const char* what, const std::vector<rounds::median>& of, const char* unit) {
  std::printf("%s\n", what);
  for (const rounds::median& m : of) std::printf("  %-12s %9.3f ms %s\n", m.part.c_str(), 1e3 * m.seconds, unit);
  std::printf("  ratio        %9.2f\n", of[0].seconds / of[1].seconds);
}

/// Ends the program where two that are compared do not give the same.
void expect_near(const stg::tensor<float>& a, const stg::tensor<float>& b) {
  for (std::int64_t i = 0; i < a.size(); ++i)
    if (!(std::abs(a.data()[i] - b.data()[i]) <= 1e-4f * (1 + std::abs(b.data()[i])))) {
      std::printf("they differ: %g and %g\n", static_cast<double>(a.data()[i]), static_cast<double>(b.data()[i]));
      std::exit(1);
    }
}

stg::graph drawn_graph(std::int64_t vertices, std::int64_t edges) {
  drawn_steps::drawn random;
  std::vector<std::int64_t> src, dst;
  for (std::int64_t e = 0; e < edges; ++e) {
    src.push_back(random.below(vertices));
    dst.push_back(random.below(vertices));
  }
  return stg::graph::from_edges(vertices, src, dst);
}

void compare_recurrences(std::int64_t vertices, std::int64_t edges, std::int64_t steps) {
  const stg::graph g = drawn_graph(vertices, edges);
  stg::tensor<float> in({steps, vertices, width});
  stg::uniform(in, -1, 1, 1);
  auto params = stg::parameters<recurrence>();
  stg::initialize(params, 2);
  const auto model = stg::compile<recurrence>();
  stg::tensor<float> out = model(g, x = in, params);
  by_hand hand(g, in, params[U].data());
  expect_near(out, hand.run());
  std::printf("%lld vertices, %lld edges, %lld steps of %d numbers; threads: %d\n", static_cast<long long>(vertices),
              static_cast<long long>(edges), static_cast<long long>(steps), width, stg::threads());
  print("a recurrence",
        rounds::medians({rounds::timed("scan", [&] { model.into(out, g, x = in, params); }),
                         rounds::timed("by hand", [&] { hand.run(); })},
                        41),
        "for all steps");
}

void compare_layers(std::int64_t vertices, std::int64_t edges) {
  const stg::graph g = drawn_graph(vertices, edges);
  stg::tensor<float> in({vertices, width}), wanted({vertices, width});
  stg::uniform(in, -1, 1, 1);
  stg::uniform(wanted, -1, 1, 2);
  auto of_scan = stg::parameters<as_scan>();
  auto of_each = stg::parameters<written_out>();
  stg::initialize(of_scan, 3);
  [&]<int... K>(std::integer_sequence<int, K...>) {
    (std::copy_n(of_scan[all].data() + K * width * width, width * width, of_each[one<K>].data()), ...);
  }
  (std::make_integer_sequence<int, layers>());
  auto scan = stg::value_and_grad<as_scan>();
  auto each = stg::value_and_grad<written_out>();
  const float a = scan(g, rows = in, goal = wanted, of_scan).loss, b = each(g, rows = in, goal = wanted, of_each).loss;
  expect_near(stg::tensor<float>::full({1}, a), stg::tensor<float>::full({1}, b));
  std::printf("%d layers, %lld vertices, %lld edges\n", layers, static_cast<long long>(vertices),
              static_cast<long long>(edges));
  print("layers",
        rounds::medians({rounds::timed("scan", [&] { scan(g, rows = in, goal = wanted, of_scan); }),
                         rounds::timed("written out", [&] { each(g, rows = in, goal = wanted, of_each); })},
                        21),
        "for a step of training");
}

void compare_gates(std::int64_t vertices, std::int64_t edges, std::int64_t steps) {
  const stg::graph g = drawn_graph(vertices, edges);
  stg::tensor<float> in({steps, vertices, width}), wanted({steps, vertices, width});
  stg::uniform(in, -1, 1, 1);
  stg::uniform(wanted, -1, 1, 2);
  auto params = stg::parameters<six_products>();
  stg::initialize(params, 3);
  auto joined = stg::value_and_grad<joined_weights>();
  auto six = stg::value_and_grad<six_products>();
  const float a = joined(g, lag = in, aim = wanted, params).loss, b = six(g, lag = in, aim = wanted, params).loss;
  expect_near(stg::tensor<float>::full({1}, a), stg::tensor<float>::full({1}, b));
  std::printf("gates of %d numbers, %lld vertices, %lld edges, %lld steps; bytes: %lld and %lld\n", width,
              static_cast<long long>(vertices), static_cast<long long>(edges), static_cast<long long>(steps),
              static_cast<long long>(joined.bytes()), static_cast<long long>(six.bytes()));
  print("gates",
        rounds::medians({rounds::timed("joined", [&] { joined(g, lag = in, aim = wanted, params); }),
                         rounds::timed("six products", [&] { six(g, lag = in, aim = wanted, params); })},
                        21),
        "for a step of training");
}

}  // namespace

int main() {
  compare_recurrences(20, 102, 517);
  compare_recurrences(1068, 27'079, 100);
  compare_gates(20, 102, 517);
  compare_gates(1068, 27'079, 30);
  compare_layers(1068, 27'079);
  compare_layers(20'000, 200'000);
}
