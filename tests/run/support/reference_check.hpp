// Programs, interpreted on a small graph, against dense references and central differences.
#pragma once

#include "differences.hpp"       // check_gradients, real_outputs
#include "families.hpp"          // from_pairs
#include "inputs.hpp"            // random_inputs
#include "references/given.hpp"  // given, numbers, pairs

#include <stg/analysis/verify.hpp>  // verify
#include <stg/pass/cse.hpp>         // cse

#include <gtest/gtest.h>  // EXPECT_NEAR

#include <algorithm>   // stable_sort
#include <cmath>       // abs
#include <functional>  // function
#include <map>         // map
#include <set>         // set
#include <string>      // string
#include <utility>     // pair
#include <vector>      // vector

namespace stg::test {

/// Programs by their names; as a list, so that no test is compiled once for each.
using named_programs = std::vector<std::pair<std::string, ir::program>>;
using named_references =
    std::map<std::string, std::function<std::vector<references::numbers>(const references::given&)>>;

inline void expect_equal(const std::vector<oracle::array>& actual, const std::vector<references::numbers>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t k = 0; k < actual.size(); ++k) {
    ASSERT_EQ(actual[k].size(), expected[k].size()) << "output " << k;
    for (std::size_t i = 0; i < actual[k].size(); ++i)
      EXPECT_NEAR(actual[k][i], expected[k][i], 1e-10 * (1 + std::abs(expected[k][i])))
          << "output " << k << "[" << i << "]";
  }
}

/// A graph as the interpreter takes it and as a list of edges by their destinations, which references take.
class small_graph {
 public:
  small_graph(int vertices, references::pairs edges)
      : vertices_(vertices), edges_(std::move(edges)), graph_(from_pairs(vertices, edges_)) {
    std::stable_sort(edges_.begin(), edges_.end(), [](auto a, auto b) { return a.second < b.second; });
  }
  operator const graph&() const { return graph_; }
  references::given given_to(const oracle::environment& env) const { return {vertices_, edges_, env.inputs}; }

 private:
  int vertices_;
  references::pairs edges_;
  graph graph_;
};

/// Every program has a reference, and the values of it.
inline void expect_values_of_references(const named_programs& programs, const named_references& references,
                                        const small_graph& on) {
  for (const auto& [name, p] : programs) {
    SCOPED_TRACE(name);
    ASSERT_EQ(pass::verify(p), pass::finding()) << to_text(p);
    ASSERT_TRUE(references.contains(name)) << "no reference";
    for (unsigned seed = 1; seed < 4; ++seed) {
      const oracle::environment env = random_inputs(p, on, seed);
      expect_equal(oracle::interpret(p, on, env), references.at(name)(on.given_to(env)));
    }
  }
  EXPECT_EQ(programs.size(), references.size()) << "a reference without a program";
}

/// Every program has the gradients of its values. Returns the operations that these are of.
inline std::set<ir::opcode> expect_gradients_of_values(const named_programs& programs, const graph& on) {
  std::set<ir::opcode> covered;
  for (const auto& [name, traced] : programs) {
    SCOPED_TRACE(name);
    const ir::program p = pass::cse(traced);
    check_gradients(p, on, random_inputs(p, on, 7), real_outputs(p), covered);
  }
  return covered;
}

}  // namespace stg::test
