// Failing every CUDA call of some work, one at a time and in each way, and looking at what is left.
#pragma once

#include "support/fake_cuda.hpp"  // fake_cuda

#include <stg/base/error.hpp>  // error

#include <gtest/gtest.h>  // EXPECT_EQ

namespace stg::test {

/// Runs work(fake) with its first call failing, then its second, and so on until there is no such call: with an error,
/// with a single lack of memory, and with no memory from that call on. Whatever happens, nothing may be left alive, and
/// the same work must succeed straight afterwards. Returns the number of calls.
template <class Work> int fail_each_call(const char* name, Work work) {
  int calls = 0;
  for (int way = 0; way < 3; ++way)
    for (int n = 1;; ++n) {
      fake_cuda fake({.devices = 2, .memory = 64 << 20});
      bool reached = false, threw = false;
      {
        const fake_in_place use(fake);
        if (way == 2) fake.exhaust(n);
        else fake.fail(n, way == 0 ? status::illegal_address : status::out_of_memory);
        try {
          work(fake);
        } catch (const error&) {
          threw = true;
        }
        reached = fake.reached();
        EXPECT_TRUE(reached || !threw) << name << " fails by itself";
        fake.recover();
        EXPECT_EQ(fake.current(), 0) << name << ": another device is left the current one, call " << n;
        try {
          work(fake);
        } catch (const error& e) {
          ADD_FAILURE() << name << ": call " << n << " failed once, and what came next does not work: " << e.what();
        }
      }
      EXPECT_EQ(fake.alive(), "") << name << ": left alive after call " << n << " failed in way " << way;
      EXPECT_TRUE(fake.misuses.empty()) << name << ", call " << n << ": " << fake.misuses.front();
      if (!reached || ::testing::Test::HasFailure()) break;
      calls = n > calls ? n : calls;
    }
  return calls;
}

}  // namespace stg::test
