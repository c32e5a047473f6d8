// test: draft texts
// The summary that explain gives first has twenty lines at most, of layers, networks and cells over time, with sizes
// and without, with fixed inputs and without. `make test` asks a third of the layers.
#include "../golden/models.hpp"
#include "support/layers.hpp"  // for_each_layer

#include <stg/call/explain.hpp>  // explain

#include <gtest/gtest.h>  // TEST

#include <algorithm>  // count
#include <sstream>    // istringstream
#include <string>     // string

namespace stg {
namespace {

void expect_twenty_lines(const std::string& summary) {
  EXPECT_LE(std::count(summary.begin(), summary.end(), '\n'), 20) << summary;
  std::istringstream lines(summary);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 120U) << line;
  for (const char* part : {"inference", " unit", "  bytes moved  ", "  operations   ", "  memory       "})
    EXPECT_NE(summary.find(part), std::string::npos) << part << " is missing:\n" << summary;
}

#if defined(STG_PROOF)
constexpr int each = 1;
#else
constexpr int each = 3;
#endif

TEST(summaries, of_layers_and_losses) {
  int asked = 0;
  layers::for_each_layer([&]<const auto & Program, int Line>(layers::layer<Program, Line> layer) {
    if constexpr (Line % each == 0) {
      SCOPED_TRACE(layer.name);
      expect_twenty_lines(explain<Program>());
      ++asked;
    }
  });
  EXPECT_GE(asked, 16);
}

/// Attention with its loss, a graph network whose formulas are long, and what both keep of inputs that are fixed.
TEST(summaries, of_networks_with_sizes_and_fixed_inputs) {
  const sizes cora{2708, 13264, {sized<"F">(1433), sized<"C">(7)}};
  for (const sizes& n : {cora, sizes{1'000'000'000, 40'000'000'000, cora.extents}}) {
    expect_twenty_lines(explain<golden::gat>(n));
    expect_twenty_lines(explain<golden::gat>(n, fixed<golden::x>()));
    expect_twenty_lines(explain<golden::gcn>(n, fixed<golden::x>()));
  }
  expect_twenty_lines(explain<golden::gat>());
  expect_twenty_lines(explain<golden::gat>(fixed<golden::x>()));
  expect_twenty_lines(explain<golden::gcn>(fixed<golden::x>()));
}

}  // namespace
}  // namespace stg
