// test: draft cuda
// Devices, memory, streams and products, on a CUDA of the host's.
#include "expect_error.hpp"       // expect_error
#include "support/each_call.hpp"  // fail_each_call, fake_cuda

#include <stg/runtime/cuda.hpp>          // cuda
#include <stg/runtime/cuda/block.hpp>    // block
#include <stg/runtime/cuda/product.hpp>  // products

#include <gtest/gtest.h>  // TEST

#include <numeric>  // iota
#include <vector>   // vector

namespace stg {
namespace {

using gpu::status;
using test::expect_error;
using test::fake_cuda;
using test::fake_in_place;

const gpu::purpose why{"gat", "in_edges 2", 2708, 13264};
const std::string cpu_works = "programs still run on the CPU: stg::compile<model>()";

std::vector<float> numbers(std::size_t n) {
  std::vector<float> v(n);
  std::iota(v.begin(), v.end(), 1.0f);
  return v;
}

std::string problem_of(test::fake_machine machine, int device = 0) {
  fake_cuda fake(machine);
  const fake_in_place use(fake);
  EXPECT_EQ(cuda::available(device), cuda::problem(device).empty());
  if (!cuda::available(device)) {
    EXPECT_THROW(gpu::device::open(device), error);
    EXPECT_EQ(fake.alive(), "");
  }
  return cuda::problem(device);
}

TEST(cuda_device, says_in_one_sentence_why_there_is_none) {
  EXPECT_EQ(problem_of({}), "");
  EXPECT_EQ(problem_of({.driver = 0}), "stg: no CUDA driver is installed; " + cpu_works);
  EXPECT_EQ(
      problem_of({.driver = 12040}),
      "stg: the CUDA driver is for CUDA 12.4, this program is of CUDA 13.0; install a newer driver; " + cpu_works);
  EXPECT_EQ(problem_of({.devices = 0}), "stg: there is no CUDA device; " + cpu_works);
  EXPECT_EQ(problem_of({}, 1), "stg: there is no CUDA device 1; this machine has device 0 alone");
  EXPECT_EQ(problem_of({.devices = 4}, -1), "stg: there is no CUDA device -1; this machine has 0 to 3");
  fake_cuda fake;
  const fake_in_place use(fake);
  fake.fail(1, status::unknown);
  EXPECT_EQ(cuda::problem(), "stg: cudaGetDeviceCount failed: status 999 (cudaError999); " + cpu_works);
}

TEST(cuda_device, a_program_without_cuda_says_how_to_build_it) {
  gpu::api* const before = gpu::install(nullptr);
  EXPECT_FALSE(cuda::available());
  EXPECT_EQ(cuda::problem(),
            "stg: this program holds no CUDA; build it with stg_add_program and STG_CUDA=ON; " + cpu_works);
  expect_error([] { gpu::device::open(0); }, {"this program holds no CUDA"});
  gpu::install(before);
}

TEST(cuda_device, is_opened_once_and_closed_with_its_last_user) {
  fake_cuda fake({.devices = 2});
  std::shared_ptr<gpu::device> kept;
  {
    const fake_in_place use(fake);
    kept = gpu::device::open(1);
    EXPECT_EQ(kept, gpu::device::open(1));
    EXPECT_EQ(fake.current(), 0) << "opening leaves the current device as it was";
  }
  EXPECT_EQ(fake.alive(), "1 pool, 1 stream");
  kept.reset();
  EXPECT_EQ(fake.alive(), "");
}

bool runs(int major, int minor, const char* built) {
  fake_cuda fake({.major = major, .minor = minor});
  const fake_in_place use(fake);
  const auto d = gpu::device::open(0);
  try {
    d->check_architectures(built, why);
    return true;
  } catch (const error&) {
    return false;
  }
}

TEST(cuda_device, runs_code_of_its_major_version_and_intermediate_code_of_older_ones) {
  EXPECT_TRUE(runs(8, 0, "75,80,90"));
  EXPECT_TRUE(runs(12, 0, "75,80,90"));
  EXPECT_FALSE(runs(7, 0, "75,80,90"));
  EXPECT_TRUE(runs(8, 6, "80-real"));
  EXPECT_FALSE(runs(8, 0, "86-real"));
  EXPECT_FALSE(runs(9, 0, "80-real"));
  EXPECT_TRUE(runs(9, 0, "80-virtual"));
  EXPECT_TRUE(runs(9, 0, "90a"));
  EXPECT_FALSE(runs(10, 0, "90a"));
  EXPECT_TRUE(runs(8, 0, "native"));
  fake_cuda fake({.major = 7, .minor = 0});
  const fake_in_place use(fake);
  expect_error([] { gpu::device::open(0)->check_architectures("75,80", why); },
               {"gat, unit 'in_edges 2' on 2708 vertices and 13264 edges", "built for the architectures 75,80; ",
                "CUDA device 0, Fake, needs STG_CUDA_ARCHITECTURES=70"});
}

TEST(cuda_device, a_launch_that_fails_is_named) {
  fake_cuda fake;
  const fake_in_place use(fake);
  const auto d = gpu::device::open(0);
  fake.launch_error = status::no_kernel_image;
  fake.launch(d->stream(), [] {});
  expect_error([&] { gpu::check_launch(fake, why); },
               {"gat, unit 'in_edges 2' on 2708 vertices and 13264 edges: kernel launch failed: status 209",
                "add the device's architecture to STG_CUDA_ARCHITECTURES"});
  gpu::check_launch(fake, why);
  expect_error([&] { gpu::check(fake, why, "kernel launch", status::unsupported_ptx); },
               {"status 222", "STG_CUDA_ARCHITECTURES, or install a newer driver"});
  expect_error([&] { gpu::check(fake, {}, "cudaGraphLaunch", status::illegal_address); },
               {"stg: CUDA: cudaGraphLaunch failed: status 700 (cudaError700)"});
}

TEST(cuda_block, grows_and_keeps_what_is_large_enough) {
  fake_cuda fake;
  const fake_in_place use(fake);
  gpu::block b(gpu::device::open(0));
  b.reserve(0);
  EXPECT_EQ(b.data(), nullptr);
  b.reserve(1000, why);
  EXPECT_EQ(b.capacity(), 1024);
  std::byte* const first = b.data();
  const std::uint64_t before = gpu::block::total_allocated();
  b.reserve(1024);
  EXPECT_EQ(b.data(), first);
  EXPECT_EQ(gpu::block::total_allocated(), before);
  b.reserve(1025);
  EXPECT_EQ(b.capacity(), 1536);
  expect_error([&] { b.reserve(-1, why); }, {"gat", "block of -1 bytes"});
  gpu::block c(std::move(b));
  EXPECT_EQ(b.capacity(), 0);
  EXPECT_EQ(c.capacity(), 1536);
}

TEST(cuda_block, memory_that_is_not_there_is_counted_and_a_smaller_call_works) {
  fake_cuda fake({.memory = 1 << 30});
  const fake_in_place use(fake);
  gpu::block b(gpu::device::open(0)), other(gpu::device::open(0));
  b.reserve(700 << 20);
  other.reserve(200 << 20);
  b.reserve(720 << 20);  // there, once what is idle has been given back
  EXPECT_EQ(b.capacity(), 720 << 20);
  try {
    b.reserve(std::int64_t{3} << 30, why);
    FAIL() << "there is no such memory";
  } catch (const gpu::out_of_memory& e) {
    EXPECT_EQ(
        std::string(e.what()),
        "stg: gat, unit 'in_edges 2' on 2708 vertices and 13264 edges needs 3.00 GiB on CUDA device 0; 824.00 MiB of "
        "1.00 GiB are free: use fewer vertices or features");
    EXPECT_EQ(e.needed, std::int64_t{3} << 30);
    EXPECT_EQ(e.free, (1 << 30) - (200 << 20));
  }
  EXPECT_EQ(b.capacity(), 0);
  b.reserve(800 << 20);  // all that was given back can be had, in one piece
  EXPECT_EQ(b.capacity(), 800 << 20);
}

TEST(cuda_device, copies_of_every_size_there_and_back) {
  fake_cuda fake;
  const fake_in_place use(fake);
  const auto d = gpu::device::open(0);
  gpu::staging by_64_numbers(fake, 256);
  for (const std::int64_t n : {0, 1, 63, 64, 65, 128, 323}) {
    const auto sent = numbers(static_cast<std::size_t>(n));
    std::vector<float> back(sent.size());
    gpu::block from(d), to(d);
    from.reserve(n * 4);
    to.reserve(n * 4);
    d->upload(from.data(), sent.data(), n * 4, why);
    d->copy(to.data(), from.data(), n * 4, why);
    d->download(back.data(), to.data(), n * 4, why);
    EXPECT_EQ(back, sent) << n;
    d->fill(to.data(), 0, n * 4, why);
    d->download(back.data(), to.data(), n * 4, why);
    EXPECT_EQ(back, std::vector<float>(sent.size())) << n;
    by_64_numbers.upload(from.data(), sent.data(), n * 4, d->stream(), why);
    by_64_numbers.download(back.data(), from.data(), n * 4, d->stream(), why);
    EXPECT_EQ(back, sent) << n << " in chunks";
  }
  EXPECT_TRUE(fake.misuses.empty()) << fake.misuses.front();
}

TEST(cuda_stream, of_a_user_is_ordered_with_the_devices_own) {
  fake_cuda fake({.devices = 2});
  const fake_in_place use(fake);
  const auto d = gpu::device::open(0);
  gpu::stream_handle mine = nullptr;
  ASSERT_EQ(fake.stream_create(&mine), status::success);
  {
    gpu::stream s(d, mine, why);
    EXPECT_EQ(s.handle(), mine);
    gpu::block b(d);
    b.reserve(4);
    s.enter(why);
    fake.launch(s.handle(), [&] { std::memset(b.data(), 1, 4); });
    s.leave(why);
    std::int32_t seen = 0;
    d->download(&seen, b.data(), 4, why);  // on the device's own stream
    EXPECT_EQ(seen, 0x01010101);

    gpu::block c(d);
    c.reserve(4);  // poisoned, but not before somebody waits for the device's own stream
    gpu::captured_step step(s, why, [&] { fake.launch(s.handle(), [&] { std::memset(c.data(), 2, 4); }); });
    step.launch();
    s.synchronize(why);
    d->download(&seen, c.data(), 4, why);
    EXPECT_EQ(seen, 0x02020202);

    gpu::block zeros(d);
    zeros.reserve(12);
    gpu::products multiply(s);
    s.enter(why);
    auto* x = reinterpret_cast<float*>(zeros.data());
    multiply.run(x, x + 1, x + 2, 1, 1, 1, {}, why);
    s.synchronize(why);
    s.leave(why);
  }
  gpu::stream own(d, nullptr, why);
  const int calls = fake.calls();
  own.enter(why);
  own.leave(why);
  EXPECT_EQ(fake.calls(), calls) << "a device's own stream costs no calls";
  expect_error([&] { gpu::stream(gpu::device::open(1), mine, why); },
               {"gat", "the stream is of CUDA device 0, the program runs on CUDA device 1",
                "create it there, after cudaSetDevice(1)"});
  fake.stream_destroy(mine);
  EXPECT_TRUE(fake.misuses.empty()) << fake.misuses.front();
}

TEST(cuda_timer, and_ranges) {
  fake_cuda fake;
  const fake_in_place use(fake);
  gpu::stream s(gpu::device::open(0));
  gpu::timer t(s, why);
  t.start();
  t.stop();
  EXPECT_EQ(t.milliseconds(), 1);  // the fake's clock counts events
  {
    const gpu::range outer("gat");
    const gpu::range inner("in_edges 2");
    EXPECT_EQ(fake.open_ranges, 2);
  }
  EXPECT_EQ(fake.open_ranges, 0);
  EXPECT_EQ(fake.ranges, (std::vector<std::string>{"gat", "in_edges 2"}));
}

TEST(cuda_products, round_only_when_asked_to) {
  for (const bool tf32 : {false, true}) {
    fake_cuda fake;
    const fake_in_place use(fake);
    gpu::stream s(gpu::device::open(0));
    gpu::products multiply(s, tf32);
    multiply.prepare(why);
    EXPECT_EQ(fake.tf32(), tf32);
  }
}

TEST(cuda_faults, no_call_that_fails_leaks_or_breaks_what_follows) {
  using test::fail_each_call;
  const auto open = [](fake_cuda&) { gpu::device::open(0); };
  EXPECT_GE(fail_each_call("open", open), 5);
  const auto second = [](fake_cuda&) { gpu::device::open(1); };
  EXPECT_GE(fail_each_call("open the second", second), 7);
  const auto grow = [](fake_cuda&) {
    gpu::block b(gpu::device::open(0));
    b.reserve(1000, why);
    try {
      b.reserve(5000, why);
    } catch (const error&) {
      EXPECT_TRUE((b.capacity() == 0 && b.data() == nullptr) || (b.capacity() == 1024 && b.data() != nullptr));
      b.reserve(100, why);  // a smaller call
      throw;
    }
  };
  EXPECT_GE(fail_each_call("grow", grow), 11);
  const auto copy = [](fake_cuda& fake) {
    const auto d = gpu::device::open(0);
    const auto sent = numbers(300);
    std::vector<float> back(sent.size());
    gpu::block b(d);
    b.reserve(1200, why);
    d->upload(b.data(), sent.data(), 1200, why);
    d->download(back.data(), b.data(), 1200, why);
    EXPECT_EQ(back, sent);
    gpu::staging chunks(fake, 256);
    const auto there_and_back = [&] {
      chunks.upload(b.data(), sent.data(), 1200, d->stream(), why);
      chunks.download(back.data(), b.data(), 1200, d->stream(), why);
    };
    try {
      there_and_back();
    } catch (const error&) {
      fake.recover();
      there_and_back();  // through the same buffers, whatever was on its way
      EXPECT_EQ(back, sent);
      throw;
    }
    EXPECT_EQ(back, sent);
  };
  EXPECT_GE(fail_each_call("copy", copy), 40);
  const auto capture = [](fake_cuda& fake) {
    gpu::stream s(gpu::device::open(0));
    int runs = 0;
    try {
      gpu::captured_step step(s, why, [&] { fake.launch(s.handle(), [&] { ++runs; }); });
      step.launch();
      s.synchronize(why);
    } catch (const error&) {
      fake.recover();
      EXPECT_FALSE(s.is_capturing(why));
      s.synchronize(why);  // before what the kernel writes to goes
      throw;
    }
    EXPECT_EQ(runs, 1);
  };
  EXPECT_GE(fail_each_call("capture", capture), 10);
  const auto users_stream = [](fake_cuda& fake) {
    const auto d = gpu::device::open(0);
    gpu::owned<gpu::stream_handle, &gpu::api::stream_destroy> mine(fake);
    gpu::check(fake, why, "cudaStreamCreate", fake.stream_create(mine.out()));
    gpu::stream s(d, mine.get(), why);
    s.enter(why);
    s.leave(why);
    gpu::timer(s, why).start();
  };
  EXPECT_GE(fail_each_call("user's stream", users_stream), 15);
  const auto product = [](fake_cuda&) {
    const auto d = gpu::device::open(0);
    gpu::stream s(d);
    gpu::products multiply(s);
    gpu::block b(d);
    b.reserve(3 * 16, why);
    auto* x = reinterpret_cast<float*>(b.data());
    const auto ones = std::vector<float>(8, 1);
    d->upload(x, ones.data(), 32, why);
    multiply.run(x, x + 4, x + 8, 2, 2, 2, {}, why);
    multiply.run(x, x + 4, x + 8, 2, 2, 2, {.add = true}, why);
    std::vector<float> y(4);
    d->download(y.data(), x + 8, 16, why);
    EXPECT_EQ(y, std::vector<float>(4, 4));
  };
  EXPECT_GE(fail_each_call("product", product), 20);
}

}  // namespace
}  // namespace stg
