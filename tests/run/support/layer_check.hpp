// Layers as kernels against the interpreter, a share of the table at a time.
#pragma once

#include "backend_check.hpp"  // check_sample
#include "layers.hpp"         // for_each_layer

#include <iostream>  // cout
#include <string>    // string

namespace stg::test {

/// This file's share of the layers on every graph family.
template <int Share, int Shares> void check_layers() {
  int checked = 0;
  layers::for_each_layer([&]<const auto & Program, int Line>(layers::layer<Program, Line> l) {
    if constexpr (Line % Shares == Share) {
      for (const family& f : families()) check_sample<Program>(std::string(l.name), f.graph, f.name);
      ++checked;
    }
  });
  std::cout << checked << " layers on graphs of every family\n";  // counted by tests/proof/stages.py
  EXPECT_GT(checked, 0);
}

}  // namespace stg::test
