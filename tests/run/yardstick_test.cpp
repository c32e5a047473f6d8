// test: proof kernels 0, counted
// The kernels that stg is measured against compute what they say: plain loops in double are the judge.
#include <bench/yardstick.hpp>

#include <stg/base/error.hpp>        // error
#include <stg/runtime/isa.hpp>       // isa, set_isa
#include <stg/runtime/parallel.hpp>  // set_threads

#include <bench/fill.hpp>    // filled
#include <bench/graphs.hpp>  // make

#include <algorithm>  // fill_n, max
#include <cmath>      // abs, exp, isnan
#include <cstring>    // memcmp, memcpy

#include <gtest/gtest.h>

namespace {

using doubles = std::vector<double>;
std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

/// Directed, with a hub, parallel edges, loops, and vertices without in-edges or out-edges.
const stg::graph& some_graph() {
  static const stg::graph g = [] {
    const stg::edge_list both = graphs::make({.vertices = 700, .edges = 6000, .uniform = 3000}).edge_list();
    std::vector<std::int32_t> src, dst;
    for (std::size_t i = 0; i < both.src.size(); ++i)
      if (both.src[i] % 50 != 7 && both.dst[i] % 40 != 3 && i % 5 != 0) {
        src.push_back(both.src[i]);
        dst.push_back(both.dst[i]);
      }
    for (std::int32_t v = 0; v < 5000; ++v) {
      src.push_back(v * 13 % 700);
      dst.push_back(v % 3 == 0 ? 11 : v * 29 % 500);
    }
    return stg::graph::from_edges(700, std::span<const std::int32_t>(src), std::span<const std::int32_t>(dst));
  }();
  return g;
}

template <class Body> void each_edge(const Body& body) {
  const stg::adjacency rows = some_graph().in_edges();
  for (std::int64_t v = 0; v < rows.rows(); ++v)
    for (auto k = rows.begin(v); k != rows.end(v); ++k) body(std::int64_t{rows.neighbour(k)}, v, rows.edge_id(k));
}

void expect_near(const floats& got, const doubles& wanted, const char* what, std::int64_t width = 0) {
  double largest = 1, worst = 0;
  for (double w : wanted) largest = std::max(largest, std::abs(w));
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const double error = std::abs(got[static_cast<std::int64_t>(i)] - wanted[i]);
    if (error > worst || std::isnan(error)) worst = error;
    if (std::isnan(worst)) break;  // no number compares with it
  }
  EXPECT_LE(worst, 3e-6 * largest) << what << ", width " << width << ", " << stg::isa();
}

struct setting {
  const char* isa;
  int threads;
};
class yardsticks : public testing::TestWithParam<setting> {
 protected:
  void SetUp() override {
    try {
      stg::set_isa(GetParam().isa);
    } catch (const stg::error& e) {
      GTEST_SKIP() << e.what();
    }
    stg::set_threads(GetParam().threads);
  }
  void TearDown() override {
    stg::set_isa(before_);
    stg::set_threads(threads_);
  }
  const std::string before_ = stg::isa();
  const int threads_ = stg::threads();
};

TEST_P(yardsticks, sums) {
  const yardstick::graph g = yardstick::prepare(some_graph());
  const std::int64_t n = some_graph().vertices();
  const floats c = filled(n, 1), w = filled(some_graph().edges(), 2);
  for (std::int64_t width : {1, 7, 16, 64, 100, 128, 256, 300}) {
    const floats x = filled(n * width, 3);
    floats y(n * width);
    doubles sum(at(n * width)), sum_back(sum), edge(sum), edge_back(sum);
    each_edge([&](std::int64_t u, std::int64_t v, std::int64_t e) {
      for (std::int64_t i = 0; i < width; ++i) {
        sum[at(v * width + i)] += static_cast<double>(c[u]) * x[u * width + i];
        sum_back[at(u * width + i)] += static_cast<double>(c[u]) * x[v * width + i];
        edge[at(v * width + i)] += static_cast<double>(w[e]) * x[u * width + i];
        edge_back[at(u * width + i)] += static_cast<double>(w[e]) * x[v * width + i];
      }
    });
    yardstick::weighted_sum(g, c.data(), x.data(), y.data(), width);
    expect_near(y, sum, "weighted sum", width);
    yardstick::weighted_sum_backward(g, c.data(), x.data(), y.data(), width);
    expect_near(y, sum_back, "weighted sum, backward", width);
    yardstick::edge_weighted_sum(g, w.data(), x.data(), y.data(), width);
    expect_near(y, edge, "edge-weighted sum", width);
    yardstick::edge_weighted_sum_backward(g, w.data(), x.data(), y.data(), width);
    expect_near(y, edge_back, "edge-weighted sum, backward", width);
  }
}

struct attention_in_double {
  doubles out, d_el, d_er, d_h;
};
attention_in_double plain_attention(int heads, int dim, const floats& el, const floats& er, const floats& h,
                                    const floats& dout) {
  const std::int64_t n = some_graph().vertices();
  attention_in_double r{doubles(at(n * heads * dim)), doubles(at(n * heads)), doubles(at(n * heads)), {}};
  r.d_h = r.out;
  doubles total(at(n * heads)), delta(total);
  const auto each_head = [&](const auto& body) {
    each_edge([&](std::int64_t u, std::int64_t v, std::int64_t) {
      for (int k = 0; k < heads; ++k) {
        const double s = static_cast<double>(el[u * heads + k]) + er[v * heads + k];
        body(u * heads + k, v * heads + k, std::exp(s > 0 ? s : 0.2 * s), s > 0 ? 1 : 0.2);
      }
    });
  };
  each_head([&](std::int64_t, std::int64_t v, double e, double) { total[at(v)] += e; });
  each_head([&](std::int64_t u, std::int64_t v, double e, double) {
    for (int i = 0; i < dim; ++i) {
      r.out[at(v * dim + i)] += e / total[at(v)] * h[u * dim + i];
      r.d_h[at(u * dim + i)] += e / total[at(v)] * dout[v * dim + i];
    }
  });
  for (std::int64_t v = 0; v < n * heads; ++v)
    for (int i = 0; i < dim; ++i) delta[at(v)] += r.out[at(v * dim + i)] * dout[v * dim + i];
  each_head([&](std::int64_t u, std::int64_t v, double e, double slope) {
    double dot = 0;
    for (int i = 0; i < dim; ++i) dot += static_cast<double>(h[u * dim + i]) * dout[v * dim + i];
    const double d = e / total[at(v)] * (dot - delta[at(v)]) * slope;
    r.d_el[at(u)] += d;
    r.d_er[at(v)] += d;
  });
  return r;
}

TEST_P(yardsticks, attention) {
  const yardstick::graph g = yardstick::prepare(some_graph());
  const std::int64_t n = some_graph().vertices();
  for (const auto& [heads, dim] : {std::pair{8, 8}, {1, 64}, {4, 64}}) {
    const std::int64_t width = heads * dim;
    floats el = filled(n * heads, 4), er = filled(n * heads, 5);
    for (floats* scores : {&el, &er})
      for (std::int64_t i = 0; i < n * heads; ++i) (*scores)[i] *= 8;
    const floats h = filled(n * width, 6), dout = filled(n * width, 7);
    floats plain(n * width), out(n * width), d_el(n * heads), d_er(n * heads), d_h(n * width);
    for (floats* result : {&plain, &out, &d_el, &d_er, &d_h}) std::fill_n(result->data(), result->size(), 1e9f);
    yardstick::attention a(g, heads, dim);
    const attention_in_double wanted = plain_attention(heads, dim, el, er, h, dout);
    for (int call = 0; call < 2; ++call) {  // nothing is left from the call before
      a.forward_in_training(el.data(), er.data(), h.data(), out.data());
      a.forward(er.data(), el.data(), dout.data(), plain.data());  // leaves alone what backward needs
      a.forward(el.data(), er.data(), h.data(), plain.data());
      for (int again = 0; again < 2; ++again)
        a.backward(el.data(), h.data(), out.data(), dout.data(), d_el.data(), d_er.data(), d_h.data());
    }
    expect_near(plain, wanted.out, "attention", width);
    expect_near(out, wanted.out, "attention in training", width);
    expect_near(d_el, wanted.d_el, "gradient of el", width);
    expect_near(d_er, wanted.d_er, "gradient of er", width);
    expect_near(d_h, wanted.d_h, "gradient of h", width);
  }
  EXPECT_THROW(yardstick::attention(g, 3, 5), stg::error);
}

bool equal_bits(const floats& a, const floats& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), sizeof(float) * at(a.size())) == 0;
}

struct attention_results {
  floats plain, out, d_el, d_er, d_h;
};
attention_results attention_on(const yardstick::graph& g, int heads, int dim, int threads) {
  stg::set_threads(threads);
  const std::int64_t scores = std::int64_t{g.vertices} * heads, features = scores * dim;
  const floats el = filled(scores, 4), er = filled(scores, 5), h = filled(features, 6), dout = filled(features, 7);
  attention_results r{floats(features), floats(features), floats(scores), floats(scores), floats(features)};
  yardstick::attention a(g, heads, dim);
  a.forward(el.data(), er.data(), h.data(), r.plain.data());
  a.forward_in_training(el.data(), er.data(), h.data(), r.out.data());
  a.backward(el.data(), h.data(), r.out.data(), dout.data(), r.d_el.data(), r.d_er.data(), r.d_h.data());
  return r;
}

TEST_P(yardsticks, attention_has_equal_bits_for_any_number_of_threads) {
  const yardstick::graph g = yardstick::prepare(some_graph());
  for (const auto& [heads, dim] : {std::pair{8, 8}, {1, 64}, {4, 64}}) {
    const attention_results alone = attention_on(g, heads, dim, 1);
    for (int threads : {1, 2, 3, 2, 3, 2, 3}) {  // several times, since threads take parts as they come
      const attention_results r = attention_on(g, heads, dim, threads);
      const auto where = std::to_string(heads) + " heads, " + std::to_string(threads) + " threads, " + stg::isa();
      EXPECT_TRUE(equal_bits(r.plain, alone.plain)) << "attention, " << where;
      EXPECT_TRUE(equal_bits(r.out, alone.out)) << "attention in training, " << where;
      EXPECT_TRUE(equal_bits(r.d_el, alone.d_el)) << "gradient of el, " << where;
      EXPECT_TRUE(equal_bits(r.d_er, alone.d_er)) << "gradient of er, " << where;
      EXPECT_TRUE(equal_bits(r.d_h, alone.d_h)) << "gradient of h, " << where;
    }
  }
}

/// Numbers that repeat, where drawing each would take longer than the test.
floats repeated(std::int64_t count, std::uint64_t seed) {
  const floats some = filled(4099, seed);
  floats values(count);
  for (std::int64_t i = 0; i < count; ++i) values[i] = some[i % some.size()];
  return values;
}

// 33 MiB of rows are written past the caches where they are aligned: one float further they are not, and must be equal.
TEST_P(yardsticks, rows_written_past_the_caches_are_the_same) {
  for (const auto& [heads, dim] : {std::pair{8, 8}, {1, 64}, {4, 64}}) {
    const std::int64_t width = heads * dim, n = (33 << 20) / (4 * width), size = n * width;
    std::vector<std::int32_t> src, dst;
    for (std::int64_t i = 0; i < 100'000; ++i) {
      src.push_back(static_cast<std::int32_t>(i * 13 % n));
      dst.push_back(static_cast<std::int32_t>(i * 29 % n));
    }
    const auto edges =
        stg::graph::from_edges(n, std::span<const std::int32_t>(src), std::span<const std::int32_t>(dst));
    const yardstick::graph g = yardstick::prepare(edges);
    const floats el = repeated(n * heads, 4), er = repeated(n * heads, 5), h = repeated(size, 6);
    floats out(size + 1), d_h(size + 1), d_el(n * heads), d_er(n * heads), kept[4];
    yardstick::attention a(g, heads, dim);
    for (const std::int64_t further : {0, 1}) {
      float *to = out.data() + further, *d_to = d_h.data() + further;
      a.forward_in_training(el.data(), er.data(), h.data(), to);
      a.backward(el.data(), h.data(), to, h.data(), d_el.data(), d_er.data(), d_to);
      const std::pair<const float*, std::int64_t> results[] = {
          {to, size}, {d_to, size}, {d_el.data(), d_el.size()}, {d_er.data(), d_er.size()}};
      for (int i = 0; i < 4; ++i) {
        const auto& [numbers, count] = results[i];
        const std::size_t bytes = sizeof(float) * at(count);
        if (further == 0) std::memcpy((kept[i] = floats(count)).data(), numbers, bytes);
        else EXPECT_EQ(std::memcmp(kept[i].data(), numbers, bytes), 0) << "result " << i << ", width " << width;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(all, yardsticks,
                         testing::Values(setting{"avx2", 1}, setting{"avx2", 3}, setting{"avx512", 1},
                                         setting{"avx512", 3}),
                         [](const auto& p) {
                           return p.param.isa + std::string("_") + std::to_string(p.param.threads);
                         });

}  // namespace
