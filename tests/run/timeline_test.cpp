// test: draft runtime
// timeline: which unit took the time, with the bytes that it moves, as a table and as a file.
#include <stg/stg.hpp>       // the language
#include <stg/timeline.hpp>  // timeline

#include <gmock/gmock.h>      // HasSubstr
#include <gtest/gtest.h>      // TEST
#include <nlohmann/json.hpp>  // json

#include <filesystem>  // temp_directory_path
#include <fstream>     // ifstream
#include <sstream>     // istringstream
#include <string>      // getline, stod, string
#include <thread>      // thread
#include <vector>      // vector

namespace stg {
namespace {

using testing::HasSubstr;

constexpr auto x = vertex_feature<"x", 16>;
constexpr auto W = parameter<"W", 16, 4>;
constexpr auto mean_of_neighbours = [](auto v) {
  return outputs(named<"mean">(mean(v.in_edges().src(v(x)))), named<"twice">(2 * v(x)));
};
constexpr auto narrow_x = vertex_feature<"x", 8>;
constexpr auto mean_of_narrow = [](auto v) {
  return outputs(named<"mean">(mean(v.in_edges().src(v(narrow_x)))), named<"twice">(2 * v(narrow_x)));
};
/// Of each edge 16 floats and a neighbour's id; of each vertex three times 16 floats, and where its edges begin.
constexpr std::int64_t bytes_of(std::int64_t vertices) {
  return 2 * vertices * (16 * 4 + 4) + vertices * (3 * 16 * 4 + 8);
}
constexpr auto loss = [](auto v) { return sum(matmul(mean(v.in_edges().src(v(x))), W), all_vertices)[0]; };

constexpr auto series = over<"T">(vertex_feature<"series", 16>);
constexpr auto S = parameter<"S", 16, 16>;
constexpr auto over_time = [](auto v) {
  return scan<"T">(
      v, [](auto v, auto h) { return tanh(mean(v.in_edges().src(matmul(h, S))) + v(series)); }, zeros<16>(v));
};

graph ring(std::int64_t n) {
  std::vector<std::int64_t> src, dst;
  for (std::int64_t v = 0; v < n; ++v) {
    src.insert(src.end(), {v, (v + 1) % n});
    dst.insert(dst.end(), {(v + 1) % n, v});
  }
  return graph::from_edges(n, src, dst);
}

TEST(timeline, has_the_runs_and_the_bytes_of_each_unit) {
  const graph g = ring(100);
  const auto h = tensor<float>::full({100, 16}, 1);
  const auto layer = compile<mean_of_neighbours>();
  layer(g, x = h);  // none of it is noted
  const timeline run;
  for (int k = 0; k < 3; ++k) layer(g, x = h);
  const std::vector<unit_time> all = run.units();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].program, 1);
  EXPECT_EQ(all[0].runs, 3);
  EXPECT_GT(all[0].seconds, 0);
  EXPECT_GE(all[0].threads, 1);
  EXPECT_EQ(all[0].what, "in-edges: div, mul");
  EXPECT_EQ(all[0].bytes, 3 * bytes_of(100));
  EXPECT_THAT(run.table(), HasSubstr("in-edges: div, mul"));
  EXPECT_THAT(run.table(), HasSubstr("100.0%"));
}

TEST(timeline, is_a_file_that_browsers_show) {
  const std::string path = (std::filesystem::temp_directory_path() / "timeline_test.json").string();
  {
    const timeline run(path);
    std::thread([] { compile<mean_of_neighbours>()(ring(10), x = tensor<float>::full({10, 16}, 1)); }).join();
    compile<mean_of_neighbours>()(ring(10), x = tensor<float>::full({10, 16}, 1));
  }
  std::ifstream file(path);
  const auto read = nlohmann::json::parse(file);
  std::vector<int> threads;
  for (const auto& event : read["traceEvents"]) {
    if (event["ph"] != "X") continue;
    EXPECT_EQ(event["name"], "unit 0, in-edges: div, mul");
    EXPECT_GT(event["dur"].get<double>(), 0);
    EXPECT_EQ(event["args"]["bytes"], bytes_of(10));
    threads.push_back(event["tid"]);
  }
  ASSERT_EQ(threads.size(), 2u);
  EXPECT_NE(threads[0], threads[1]);
  EXPECT_EQ(read["otherData"]["runs left out"], 0);
  std::filesystem::remove(path);
}

TEST(timeline, tells_forward_programs_from_gradients) {
  const graph g = ring(50);
  auto step = value_and_grad<loss>();
  const timeline run;
  step(g, x = tensor<float>::full({50, 16}, 1), W = tensor<float>::full({16, 4}, 1));
  int programs = 0;
  for (const unit_time& u : run.units()) programs = std::max(programs, u.program);
  EXPECT_EQ(programs, 2) << run.table();
}

TEST(timeline, tells_programs_of_other_widths_apart) {
  const auto layer = compile<mean_of_neighbours>();
  const auto narrow = compile<mean_of_narrow>();
  const timeline run;
  layer(ring(10), x = tensor<float>::full({10, 16}, 1));
  narrow(ring(10), narrow_x = tensor<float>::full({10, 8}, 1));
  ASSERT_EQ(run.units().size(), 2u) << run.table();
  EXPECT_NE(run.units()[0].program, run.units()[1].program);
}

TEST(timeline, has_a_scan_and_the_units_of_its_steps) {
  const auto forecast = compile<over_time>();
  const timeline run;
  forecast(ring(50), series = tensor<float>::full({5, 50, 16}, 1), S = tensor<float>::full({16, 16}, 1));
  double of_steps = 0, of_scan = 0;
  int units_of_steps = 0;
  for (const unit_time& u : run.units()) {
    const bool is_scan = u.what.starts_with("scan: ");
    if (is_scan) of_scan = u.seconds;
    EXPECT_EQ(u.bytes == 0, is_scan) << u.what;  // which its steps have
    EXPECT_EQ(u.runs, u.program == 1 ? 1 : 5) << u.what;
    if (u.program != 1) of_steps += u.seconds, ++units_of_steps;
  }
  EXPECT_EQ(units_of_steps, 3) << run.table();  // the product, the sum, the rest of the rows
  EXPECT_GE(of_scan, of_steps);
  std::istringstream lines(run.table());
  double shares = 0;
  for (std::string line; std::getline(lines, line);)
    if (line.find('%') != std::string::npos && line.find("scan: ") == std::string::npos)
      shares += std::stod(line.substr(33, 6));
  EXPECT_NEAR(shares, 100, 0.5) << run.table();
}

TEST(timeline, is_one_at_a_time) {
  const timeline run;
  EXPECT_THROW(timeline(), error);
  EXPECT_TRUE(run.units().empty());
}

TEST(timeline, that_cannot_be_written_is_none) {
  EXPECT_THROW(timeline("/no/folder/run.json"), error);
  const timeline another;
}

}  // namespace
}  // namespace stg
