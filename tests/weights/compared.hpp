// What PyG gave, beside what a program of nn/ gives with the same weights.
#pragma once

#include <stg/base/error.hpp>        // error
#include <stg/data/safetensors.hpp>  // safetensors_file
#include <stg/door/pyg_weights.hpp>  // from_pyg, to_pyg
#include <stg/stg.hpp>               // compile

#include <algorithm>  // max
#include <cmath>      // abs, isfinite
#include <string>     // string
#include <utility>    // pair
#include <vector>     // vector

namespace stg::test {

namespace pyg = nn::from_pyg;

/// The file of pyg_weights.py: inputs, and results of each case.
class peer {
 public:
  explicit peer(const std::string& path)
      : file(path),
        x(in("x")),
        h(in("h")),
        c(in("c")),
        graph(graph::from_edge_index(x.extent(0), file.read_as<std::int64_t>("in/edge_index"))),
        looped(graph.add_self_loops()),
        both_ways(graph::from_edge_index(x.extent(0), file.read_as<std::int64_t>("in/both"))),
        w(graph.edge_values(in("w"))),
        u(graph.edge_values(in("u"))),
        relation(graph.edge_values(file.read<std::int32_t>("in/relation"))) {}

  tensor<float> in(const std::string& name) const { return file.read<float>("in/" + name); }
  /// The largest difference of a case's results, beside their largest number.
  template <class... T> double difference(const std::string& name, const T&... results) {
    double worst = 0;
    int k = 0;
    const auto compare = [&](const tensor<float>& result) {
      const auto expected = file.read<float>(name + "/out" + std::to_string(k++));
      double apart = 0, largest = 0;
      if (result.size() != expected.size()) throw error(name + " gives " + to_string(result.shape()));
      for (std::int64_t i = 0; i < expected.size(); ++i) {
        const double by = std::abs(double{result.data()[i]} - double{expected.data()[i]});
        apart = std::isfinite(by) ? std::max(apart, by) : 1e30;
        largest = std::max(largest, std::abs(double{expected.data()[i]}));
      }
      worst = std::max(worst, apart / largest);
    };
    (compare(results), ...);
    differences.emplace_back(name, worst);
    return worst;
  }

  safetensors_file file;
  tensor<float> x, h, c;
  stg::graph graph, looped, both_ways;
  decltype(std::declval<const stg::graph&>().edge_values(tensor<float>())) w, u;
  decltype(std::declval<const stg::graph&>().edge_values(tensor<std::int32_t>())) relation;
  std::vector<std::pair<std::string, double>> differences{};
};

inline constexpr auto x = vertex_feature<"x", 4>;
inline constexpr auto h = vertex_feature<"h", 6>;
inline constexpr auto c = vertex_feature<"c", 6>;
inline constexpr auto w = edge_feature<"w">;
inline constexpr auto u = edge_feature<"u", 3>;
inline constexpr auto relation = edge_feature<"relation", i32>;

}  // namespace stg::test
