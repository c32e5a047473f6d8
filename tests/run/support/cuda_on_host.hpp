// What tests of devices stand on: a fake of CUDA in the place of the toolkit's.
#pragma once

#include "support/fake_cuda.hpp"  // fake_cuda, fake_in_place

#include <gtest/gtest.h>  // Test

#include <memory>  // unique_ptr

namespace stg::test {

/// A fake with two devices; in the end nothing may be left on them.
class cuda_on_host : public ::testing::Test {
 protected:
  ~cuda_on_host() override {
    use_.reset();
    EXPECT_EQ(fake.alive(), "");
    EXPECT_TRUE(fake.misuses.empty()) << fake.misuses.front();
  }
  fake_cuda fake{fake_machine{.devices = 2}};

 private:
  std::unique_ptr<fake_in_place> use_ = std::make_unique<fake_in_place>(fake);
};

}  // namespace stg::test
