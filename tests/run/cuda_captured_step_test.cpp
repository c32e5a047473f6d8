// test: draft cuda
// Captured steps, from a device's own stream and from one of the user's, on a CUDA of the host's.
#include "expect_error.hpp"       // expect_error
#include "support/each_call.hpp"  // fake_cuda, fake_in_place

#include <stg/runtime/cuda/block.hpp>   // block
#include <stg/runtime/cuda/stream.hpp>  // captured_step

#include <gtest/gtest.h>  // TEST

#include <stdexcept>  // logic_error
#include <string>     // string

namespace stg {
namespace {

using test::expect_error;
using test::fake_cuda;

const gpu::purpose why{"gat", "in_edges 2", 2708, 13264};

/// Calls body(fake, stream) with either kind of stream; nothing may be left afterwards, and no call be a misuse.
template <class Body> void on_each_stream(const Body& body) {
  for (const bool of_user : {false, true}) {
    SCOPED_TRACE(of_user ? "a user's stream" : "the device's own stream");
    fake_cuda fake;
    {
      const test::fake_in_place use(fake);
      const auto on = gpu::device::open(0);
      gpu::stream_handle users = nullptr;
      if (of_user) fake.stream_create(&users);
      {
        gpu::stream from(on, users, why);
        body(fake, from);
      }
      if (of_user) fake.stream_destroy(users);
    }
    EXPECT_EQ(fake.alive(), "");
    EXPECT_TRUE(fake.misuses.empty()) << fake.misuses.front();
  }
}

TEST(cuda_captured_step, runs_again_as_a_whole) {
  on_each_stream([](fake_cuda& fake, gpu::stream& s) {
    int sum = 0;
    gpu::captured_step step(s, why, [&] {
      fake.launch(s.handle(), [&] { sum += 2; });
      fake.launch(s.handle(), [&] { sum *= 10; });
    });
    s.synchronize(why);
    EXPECT_EQ(sum, 0) << "a capture runs nothing";
    step.launch();
    step.launch();
    s.synchronize(why);
    EXPECT_EQ(sum, 220);

    EXPECT_THROW(gpu::captured_step(s, why, [] { throw std::logic_error("of the user"); }), std::logic_error);
    EXPECT_FALSE(s.is_capturing(why));
    EXPECT_FALSE(s.on()->is_captured());
  });
}

// A graph that is launched again finds its memory where it was.
TEST(cuda_captured_step, neither_moves_nor_makes_memory) {
  on_each_stream([](fake_cuda&, gpu::stream& s) {
    gpu::block b(s.on());
    b.reserve(100);
    const std::byte* const before = b.data();
    expect_error([&] { gpu::captured_step(s, why, [&] { b.reserve(10000, why); }); },
                 {"a captured step needs more memory than there is; run it once before the capture"});
    EXPECT_EQ(b.data(), before);
    expect_error([&] { gpu::captured_step(s, why, [&] { s.on()->allocate(100, s.handle(), why); }); },
                 {"a captured step needs more memory than there is", "call programs with into()"});
  });
}

TEST(cuda_captured_step, frees_when_it_has_ended) {
  on_each_stream([](fake_cuda& fake, gpu::stream& s) {
    gpu::device& on = *s.on();
    const auto captures_a_free = [&](const auto& then) {
      void* const known = on.allocate(100, on.stream(), why);
      const auto step = [&] {
        const std::string with_it = fake.alive();
        on.free(known, on.stream());
        EXPECT_EQ(fake.alive(), with_it);
        then();
      };
      return gpu::captured_step(s, why, step);
    };
    captures_a_free([] {});
    EXPECT_THROW(captures_a_free([] { throw std::logic_error("of the user"); }), std::logic_error);
  });
}

}  // namespace
}  // namespace stg
