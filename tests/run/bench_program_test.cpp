// test: draft runtime
// One line registers forward, backward and step of a lambda, and their counters are what the plan says.
#include <stg/bench.hpp>
#include <stg/stg.hpp>

#include <map>     // map
#include <string>  // string

#include <gtest/gtest.h>

namespace {

inline constexpr auto x = stg::trainable(stg::vertex_feature<"x", stg::extent<"F">>);
inline constexpr auto c = stg::vertex_feature<"c">;

inline constexpr auto scaled_sum = [](auto v) {
  auto e = v.in_edges();
  return sum(e.src(c) * e.src(x));
};
inline constexpr auto untrained = [](auto v) { return sum(v.in_edges().src(c)); };
inline constexpr auto words = stg::sparse_feature<"words", 24>;
inline constexpr auto W = stg::parameter<"W", 24, 16>;
inline constexpr auto sparse_layer = [](auto v) { return matmul(v(words), W); };
inline constexpr auto loss = [](auto v) { return sum(scaled_sum(v), stg::all_vertices); };

/// What was run: counters by name.
class collector : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& r : runs) {
      EXPECT_FALSE(r.error_occurred) << r.error_message;
      std::map<std::string, double>& mine = counters[r.benchmark_name()];
      for (const auto& [name, counter] : r.counters) mine[name] = counter;
      mine["seconds"] = r.GetAdjustedRealTime() / 1e3;
    }
  }
  std::map<std::string, std::map<std::string, double>> counters;
};

TEST(bench_program, registers_what_can_be_run_with_the_plans_counters) {
  const std::int64_t vertices = 300, edges = 3000, width = 24;
  std::vector<std::int64_t> src, dst;
  for (std::int64_t e = 0; e < edges; ++e) {
    src.push_back(e * 7 % vertices);
    dst.push_back(e * 11 % vertices);
  }
  const auto few = stg::sparse(stg::tensor<float>::full({vertices, width}, 1));
  const stg::tensor<float> weights({width, 16});
  auto X = stg::tensor<float>::full({vertices, width}, 1), C = stg::tensor<float>::full({vertices}, 2);
  {
    const auto g =
        stg::graph::from_edges(vertices, std::span<const std::int64_t>(src), std::span<const std::int64_t>(dst));
    stg::bench::program<scaled_sum>(g, x = X, c = C);
    stg::bench::program<untrained>("degrees", g, c = C);
    stg::bench::program<loss>(g, x = X, c = C);
    stg::bench::program<sparse_layer>(g, words = few, W = weights);
  }  // the graph is kept
  int argc = 2;
  char program[] = "test", time[] = "--benchmark_min_time=0.001";
  char* argv[] = {program, time, nullptr};
  benchmark::Initialize(&argc, argv);
  collector seen;
  benchmark::RunSpecifiedBenchmarks(&seen);

  std::vector<std::string> names;
  for (const auto& [name, counters] : seen.counters) names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"degrees/forward/manual_time", "loss/backward/manual_time",
                                             "loss/forward/manual_time", "loss/step/manual_time",
                                             "scaled_sum/backward/manual_time", "scaled_sum/forward/manual_time",
                                             "scaled_sum/step/manual_time", "sparse_layer/backward/manual_time",
                                             "sparse_layer/forward/manual_time", "sparse_layer/step/manual_time"}));
  // of a sparse feature 8 bytes an entry and 8 a row
  const double sparse_bytes = vertices * (width * 8 + 8 + 4 * 16) + 4 * width * 16;
  EXPECT_DOUBLE_EQ(seen.counters["sparse_layer/forward/manual_time"]["MB"], sparse_bytes / 1e6);

  auto& forward = seen.counters["scaled_sum/forward/manual_time"];
  // per edge an id, a row of x and a number of c; per vertex the output's row and an offset
  const double bytes = edges * (4 + 4 * width + 4) + vertices * (4 * width + 8);
  EXPECT_DOUBLE_EQ(forward["MB"], bytes / 1e6);
  EXPECT_NEAR(forward["GB/s"] * forward["seconds"], bytes / 1e9, 1e-3 * bytes / 1e9);
  EXPECT_NEAR(forward["edges/s"] * forward["seconds"], edges, 1e-3 * edges);
  EXPECT_GT(forward["of_floor"], 0);
  EXPECT_GT(forward["of_peak"], 0);
  auto& step = seen.counters["scaled_sum/step/manual_time"];  // the same peak for both: operations, up to a factor
  EXPECT_GT(step["of_peak"] * step["seconds"], forward["of_peak"] * forward["seconds"]);
  EXPECT_GT(step["MB"], seen.counters["scaled_sum/backward/manual_time"]["MB"]);
}

}  // namespace
