// test: draft sampling
// Inference layer by layer in blocks of rows, in a process that may not have the memory of the whole program.
#include "../support/count_allocations.hpp"  // counts_allocations

#include <stg/base/error.hpp>           // error
#include <stg/sampling/gather.hpp>      // gather
#include <stg/sampling/row_blocks.hpp>  // row_blocks
#include <stg/stg.hpp>                  // the language

#include <gtest/gtest.h>  // TEST

#include <sys/resource.h>  // getrlimit, setrlimit

#include <cstdint>  // int64_t
#include <fstream>  // ifstream
#include <random>   // mt19937
#include <string>   // string
#include <vector>   // vector

namespace stg {
namespace {

constexpr std::int64_t vertices = 40'000, edges = 400'000;
constexpr int width = 64;

inline constexpr auto x = vertex_feature<"x", f64, width>;
inline constexpr auto U1 = parameter<"U1", f64, width, width>;
inline constexpr auto V1 = parameter<"V1", f64, width, width>;
inline constexpr auto U2 = parameter<"U2", f64, width, width>;
inline constexpr auto V2 = parameter<"V2", f64, width, width>;
inline constexpr auto layer1 = [](auto v) { return tanh(nn::sage_conv(v, v(x), U1, V1)); };
inline constexpr auto layer2 = [](auto v) { return nn::sage_conv(v, v(x), U2, V2); };
inline constexpr auto both = [](auto v) { return nn::sage_conv(v, tanh(nn::sage_conv(v, v(x), U1, V1)), U2, V2); };

graph drawn() {
  std::mt19937 random(8);
  std::vector<std::int64_t> src, dst;
  for (std::int64_t e = 0; e < edges; ++e) src.push_back(random() % vertices), dst.push_back(random() % vertices);
  return graph::from_edges(vertices, src, dst);
}

/// What the process has of memory of its own, as the limit counts it.
std::int64_t data_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind("VmData:", 0) == 0) return std::stoll(line.substr(7)) * 1024;
  return 0;
}
/// Allows so many bytes more than there are, while it lives.
class allowed_more {
 public:
  explicit allowed_more(std::int64_t bytes) {
    getrlimit(RLIMIT_DATA, &before_);
    rlimit now = before_;
    now.rlim_cur = static_cast<rlim_t>(data_bytes() + bytes);
    setrlimit(RLIMIT_DATA, &now);
  }
  ~allowed_more() { setrlimit(RLIMIT_DATA, &before_); }
  allowed_more(const allowed_more&) = delete;

 private:
  rlimit before_{};
};

/// A layer of all rows, in blocks of 4 MiB: of a vertex the row that is read, what is made, and what a draft has
/// between. The rest of what is allowed are the arenas of two layers and what malloc keeps.
template <class Layer>
void compute(const graph& g, const tensor<double>& from, tensor<double>& to, const Layer& layer) {
  constexpr std::int64_t row = width * static_cast<std::int64_t>(sizeof(double));
  const row_blocks blocks(g, {.bytes = std::int64_t{4} << 20, .vertex_bytes = 6 * row});
  ASSERT_GT(blocks.count(), 10);
  batch b;
  for (std::int64_t i = 0; i < blocks.count(); ++i) {
    blocks.block(i, b);
    to.rows(blocks.first_row(i), blocks.first_row(i + 1))
        .assign(layer(b.graph, gather(from, b.vertices)).rows(0, b.seeds));
  }
}

TEST(row_blocks, compute_in_little_memory_what_the_whole_program_cannot) {
  if (!test::counts_allocations) GTEST_SKIP() << "a sanitizer's memory is beyond any limit";
  const graph g = drawn();
  tensor<double> X({vertices, width}), H({vertices, width}), Y({vertices, width});
  uniform(X, -1, 1, 1);
  auto params = parameters<both>();
  initialize(params, 3);
  const auto first = compile<layer1>();
  const auto second = compile<layer2>();
  const auto whole = compile<both>();
  const graph few = graph::from_edges(2, {0}, {1});  // threads have their stacks before the limit is set
  whole(few, x = X.rows(0, 2), params);
  {
    const allowed_more limit(std::int64_t{32} << 20);
    EXPECT_THROW(whole(g, x = X, params), error);
    compute(g, X, H,
            [&](const graph& on, const auto& rows) { return first(on, x = rows, U1 = params[U1], V1 = params[V1]); });
    compute(g, H, Y,
            [&](const graph& on, const auto& rows) { return second(on, x = rows, U2 = params[U2], V2 = params[V2]); });
  }
  const auto expected = whole(g, x = X, params);
  for (std::int64_t i = 0; i < Y.size(); ++i) ASSERT_NEAR(Y.data()[i], expected.data()[i], 1e-12) << i;
}

}  // namespace
}  // namespace stg
