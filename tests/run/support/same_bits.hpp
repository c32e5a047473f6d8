// Outputs and gradients that are to be bitwise equal for any number of threads.
#pragma once

#include "hubs.hpp"      // keep_threads, thread_counts
#include "networks.hpp"  // differences

#include <gtest/gtest.h>  // EXPECT_EQ

namespace stg::test {

/// run(use): makes a recorded call and calls use(copies of its outputs, gradients).
template <class Run> void expect_same_bits(const Run& run) {
  const keep_threads keep;
  set_threads(1);
  run([&](const auto& outputs, const auto& gradients) {
    for (const int n : thread_counts) {
      set_threads(n);
      run([&](const auto& again, const auto& gradients_again) {
        EXPECT_EQ(differences(again, outputs), "") << n << " threads";
        EXPECT_EQ(differences(gradients_again, gradients), "") << n << " threads";
      });
    }
  });
}

}  // namespace stg::test
