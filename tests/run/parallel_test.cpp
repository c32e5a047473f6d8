// test: draft runtime
// Parts run once each, on any number of threads, and the lowest part's exception comes back.
#include "expect_error.hpp"  // expect_error

#include <stg/runtime/parallel.hpp>  // parallel

#include <gtest/gtest.h>  // TEST

#if defined(__unix__)
#include <sys/wait.h>  // waitpid
#include <unistd.h>    // fork
#endif
#if defined(__SANITIZE_THREAD__)
#define STG_TSAN
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define STG_TSAN
#endif
#endif

#include <atomic>     // atomic
#include <chrono>     // steady_clock
#include <stdexcept>  // runtime_error
#include <thread>     // this_thread
#include <vector>     // vector

namespace stg {
namespace {

class parallel_test : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    before_ = threads();
    set_threads(GetParam());
  }
  void TearDown() override { set_threads(before_); }

 private:
  int before_ = 1;
};

TEST_P(parallel_test, every_part_runs_once) {
  std::vector<int> runs(1000);
  parallel(1000, [&](std::int64_t part) { ++runs[static_cast<std::size_t>(part)]; });
  EXPECT_EQ(runs, std::vector<int>(1000, 1));
}

TEST_P(parallel_test, no_parts_run_nothing) {
  parallel(0, [](std::int64_t) { ADD_FAILURE() << "ran"; });
}

TEST_P(parallel_test, one_part_runs_on_the_caller) {
  std::thread::id where;
  parallel(1, [&](std::int64_t) { where = std::this_thread::get_id(); });
  EXPECT_EQ(where, std::this_thread::get_id());
}

TEST_P(parallel_test, the_lowest_failing_part_is_reported) {
  for (int round = 0; round < 20; ++round) {
    std::string what;
    try {
      parallel(200, [](std::int64_t part) {
        if (part >= 57) throw std::runtime_error("part " + std::to_string(part));
      });
    } catch (const std::runtime_error& e) {
      what = e.what();
    }
    EXPECT_EQ(what, "part 57");
  }
}

TEST_P(parallel_test, parts_below_a_failing_one_have_run) {
  std::vector<int> runs(100);
  EXPECT_THROW(parallel(100,
                        [&](std::int64_t part) {
                          if (part == 60) throw std::runtime_error("stop");
                          runs[static_cast<std::size_t>(part)] = 1;
                        }),
               std::runtime_error);
  for (std::size_t part = 0; part < 60; ++part) EXPECT_EQ(runs[part], 1) << part;
}

TEST_P(parallel_test, nested_calls_run_every_part) {
  std::atomic<int> runs{0};
  parallel(4, [&](std::int64_t) { parallel(5, [&](std::int64_t) { ++runs; }); });
  EXPECT_EQ(runs.load(), 20);
}

TEST_P(parallel_test, several_threads_may_call_at_once) {
  std::vector<std::thread> callers;
  std::atomic<int> runs{0};
  for (int caller = 0; caller < 4; ++caller)
    callers.emplace_back([&] {
      for (int round = 0; round < 300; ++round) {
        std::vector<int> mine(17, -1);  // written by any thread, read here afterwards
        parallel(17, [&](std::int64_t part) { mine[static_cast<std::size_t>(part)] = round; });
        for (const int of_part : mine) runs += of_part == round;
      }
    });
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(runs.load(), 4 * 300 * 17);
}

TEST_P(parallel_test, other_threads_help) {
  const bool alone = GetParam() == 1;
  const auto end = std::chrono::steady_clock::now() + (alone ? std::chrono::seconds(0) : std::chrono::seconds(20));
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<bool> helped{false};
  do
    parallel(100, [&](std::int64_t) {
      if (std::this_thread::get_id() != caller) helped = true;
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    });
  while (!helped && std::chrono::steady_clock::now() < end);
  EXPECT_NE(helped, alone);
}

TEST_P(parallel_test, sleeping_threads_are_called) {
  if (GetParam() == 1) return;  // nobody to call
  for (int round = 0; round < 5; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));  // helpers sleep long before
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    std::atomic<int> begun{0};
    parallel(GetParam(), [&](std::int64_t) {  // all are there at the same time
      ++begun;
      while (begun < GetParam() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    });
    EXPECT_LT(std::chrono::steady_clock::now(), end);
  }
}

TEST_P(parallel_test, threads_may_become_fewer_and_more) {
  std::atomic<int> runs{0};
  for (int round = 0; round < 60; ++round) {
    set_threads(1 + round % 7);
    parallel(20, [&](std::int64_t) { ++runs; });
  }
  EXPECT_EQ(runs.load(), 60 * 20);
}

#if defined(__unix__) && !defined(STG_TSAN)  // which takes no threads after a fork
TEST_P(parallel_test, a_child_process_has_threads_of_its_own) {
  parallel(8, [](std::int64_t) {});
  const pid_t child = fork();
  if (child == 0) {
    std::atomic<int> begun{0};
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    parallel(GetParam(), [&](std::int64_t) {
      ++begun;
      while (begun < GetParam() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    });
    _exit(std::chrono::steady_clock::now() < end ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
#endif

INSTANTIATE_TEST_SUITE_P(threads, parallel_test, testing::Values(1, 2, 3, 4));

TEST(parallel, plain_form_passes_the_context) {
  int sum = 0;
  parallel(
      1, [](std::int64_t part, void* context) { *static_cast<int*>(context) += 5 + static_cast<int>(part); }, &sum);
  EXPECT_EQ(sum, 5);
}

TEST(parallel, threads_must_be_positive) {
  test::expect_error([] { set_threads(0); }, {"set_threads", "0 threads", "at least 1"});
  test::expect_error([] { set_threads(-3); }, {"-3"});
  EXPECT_GE(threads(), 1);
}

}  // namespace
}  // namespace stg

#undef STG_TSAN
