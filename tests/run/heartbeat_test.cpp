// test: draft runtime
// Signs of life between processes: a rank that dies, stops or takes its leave is told apart by the others.
#include "../../src/distributed/heartbeat.hpp"

#include <gmock/gmock.h>  // HasSubstr
#include <gtest/gtest.h>  // TEST

#include <array>       // array
#include <csignal>     // kill
#include <functional>  // function
#include <future>      // async

#include <sys/wait.h>  // waitpid
#include <unistd.h>    // fork, pipe

namespace stg::detail {
namespace {

#if defined(__SANITIZE_THREAD__)
constexpr bool threads_after_fork = false;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
constexpr bool threads_after_fork = false;
#else
constexpr bool threads_after_fork = true;
#endif
#else
constexpr bool threads_after_fork = true;
#endif

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using testing::HasSubstr;

constexpr int ranks = 3;
constexpr std::size_t room = 1024;

heartbeat_options soon() {
  return {.every = milliseconds(50), .silence = milliseconds(2000), .grace = milliseconds(300), .end = [](auto&) {}};
}

/// Rank 0 in this process, the others in processes of their own.
class three_ranks {
 public:
  explicit three_ranks(const std::function<void(heartbeat&, int rank)>& work) {
    for (auto& ends : told_) EXPECT_EQ(pipe(ends.data()), 0);
    for (int rank = 1; rank < ranks; ++rank) {
      children_[static_cast<std::size_t>(rank)] = fork();
      if (children_[static_cast<std::size_t>(rank)] != 0) continue;
      {
        heartbeat heart(rank, ranks, soon());
        connect(heart, rank);
        work(heart, rank);
      }
      _exit(0);
    }
    heart_ = std::make_unique<heartbeat>(0, ranks, soon());
    connect(*heart_, 0);
  }
  ~three_ranks() {
    heart_.reset();
    for (int rank = 1; rank < ranks; ++rank) {
      kill(children_[static_cast<std::size_t>(rank)], SIGKILL);
      waitpid(children_[static_cast<std::size_t>(rank)], nullptr, 0);
    }
    for (auto& ends : told_) close(ends[0]), close(ends[1]);
  }

  heartbeat& heart() { return *heart_; }
  pid_t process(int rank) const { return children_[static_cast<std::size_t>(rank)]; }
  /// How long rank 0 takes to know of it; at most 10 s.
  milliseconds until(const std::function<bool()>& holds) {
    const auto begun = steady_clock::now();
    while (!holds() && steady_clock::now() - begun < milliseconds(10'000)) std::this_thread::sleep_for(milliseconds(5));
    return std::chrono::duration_cast<milliseconds>(steady_clock::now() - begun);
  }
  milliseconds until_over() {
    return until([&] { return heart_->is_over(); });
  }

 private:
  /// Each tells its address to all, by their pipes.
  void connect(heartbeat& heart, int rank) {
    std::string mine = std::to_string(rank) + heart.address();
    mine.resize(room);
    for (auto& ends : told_) EXPECT_EQ(write(ends[1], mine.data(), room), static_cast<ssize_t>(room));
    std::vector<std::string> all(ranks);
    for (int k = 0; k < ranks; ++k) {
      std::array<char, room> text{};
      EXPECT_EQ(read(told_[static_cast<std::size_t>(rank)][0], text.data(), room), static_cast<ssize_t>(room));
      all[static_cast<std::size_t>(text[0] - '0')] = text.data() + 1;
    }
    heart.connect(all, 42);
  }

  std::array<std::array<int, 2>, ranks> told_{};
  std::array<pid_t, ranks> children_{};
  std::unique_ptr<heartbeat> heart_{};
};

class heartbeats : public testing::Test {
 protected:
  void SetUp() override {
    if (!threads_after_fork) GTEST_SKIP() << "ThreadSanitizer has no threads in a process that was forked";
  }
};

void stay(heartbeat&, int) { std::this_thread::sleep_for(std::chrono::hours(1)); }

TEST_F(heartbeats, a_death_is_known_at_once) {
  three_ranks all(stay);
  kill(all.process(2), SIGKILL);
  EXPECT_LT(all.until_over(), milliseconds(1500));
  EXPECT_THAT(all.heart().verdict(), HasSubstr("rank 2 has ended without returning from its work"));
  EXPECT_FALSE(all.heart().was_told());
}

TEST_F(heartbeats, a_process_that_is_stopped_falls_silent) {
  three_ranks all(stay);
  kill(all.process(1), SIGSTOP);
  const milliseconds took = all.until_over();
  EXPECT_GT(took, milliseconds(1500));
  EXPECT_LT(took, milliseconds(5000));
  EXPECT_THAT(all.heart().verdict(), HasSubstr("rank 1 has been silent for 2 s"));
}

TEST_F(heartbeats, a_short_stop_is_forgiven) {
  three_ranks all(stay);
  kill(all.process(1), SIGSTOP);
  std::this_thread::sleep_for(milliseconds(1000));
  kill(all.process(1), SIGCONT);
  std::this_thread::sleep_for(milliseconds(2500));
  EXPECT_FALSE(all.heart().is_over()) << all.heart().verdict();
}

TEST_F(heartbeats, a_failing_rank_says_why) {
  three_ranks all([](heartbeat& heart, int rank) {
    if (rank == 2) heart.fail("the disk is full");
    stay(heart, rank);
  });
  EXPECT_LT(all.until_over(), milliseconds(1500));
  EXPECT_THAT(all.heart().verdict(), HasSubstr("rank 2 failed: the disk is full"));
  EXPECT_TRUE(all.heart().was_told());
}

TEST_F(heartbeats, what_ranks_do_is_known) {
  three_ranks all([](heartbeat& heart, int rank) {
    if (rank == 1) heart.waits(true);
    while (rank == 2) continue;
    stay(heart, rank);
  });
  all.until([&] { return all.heart().activity(1).waits; });
  EXPECT_TRUE(all.heart().activity(1).waits);
  EXPECT_FALSE(all.heart().activity(2).waits);
  const std::uint64_t idle = all.heart().activity(1).pulse, busy = all.heart().activity(2).pulse;
  all.until([&] { return all.heart().activity(2).pulse != busy; });
  EXPECT_NE(all.heart().activity(2).pulse, busy);
  EXPECT_EQ(all.heart().activity(1).pulse, idle);
}

TEST_F(heartbeats, ranks_that_return_take_their_leave) {
  three_ranks all([](heartbeat& heart, int) {
    heart.returned();
    while (!heart.all_returned()) std::this_thread::sleep_for(milliseconds(5));
  });
  EXPECT_FALSE(all.heart().all_returned() && all.heart().is_over());
  all.heart().returned();
  all.until([&] { return all.heart().all_returned(); });
  std::this_thread::sleep_for(milliseconds(300));  // they have gone
  EXPECT_TRUE(all.heart().all_returned());
  EXPECT_FALSE(all.heart().is_over()) << all.heart().verdict();
}

TEST(heartbeat, a_rank_that_goes_on_is_ended) {
  std::promise<std::string> ended;
  heartbeat_options options = soon();
  options.end = [&](const std::string& why) { ended.set_value(why); };
  heartbeat one(0, 2, options);
  auto other = std::make_unique<heartbeat>(1, 2, soon());
  auto connected = std::async([&] { one.connect({one.address(), other->address()}, 7); });
  other->connect({one.address(), other->address()}, 7);
  connected.get();
  other->fail("no room");
  std::future<std::string> why = ended.get_future();
  ASSERT_EQ(why.wait_for(milliseconds(5000)), std::future_status::ready);
  EXPECT_EQ(why.get(), "rank 1 failed: no room");
}

TEST(heartbeat, a_rank_of_another_program_is_no_rank) {
  heartbeat_options options = soon();
  options.to_connect = milliseconds(500);
  heartbeat zero(0, 2, options), one(1, 2, options);
  const std::vector<std::string> addresses{zero.address(), one.address()};
  auto alone = std::async([&] { EXPECT_THROW(zero.connect(addresses, 7), std::exception); });
  EXPECT_THROW(one.connect(addresses, 8), std::exception);
  alone.get();
}

TEST(heartbeat, a_rank_that_cannot_be_reached_is_named) {
  heartbeat_options options = soon();
  options.to_connect = milliseconds(300);
  heartbeat one(1, 2, options);
  try {
    one.connect({"elsewhere 1 127.0.0.1", one.address()}, 7);
    FAIL();
  } catch (const std::exception& e) {
    EXPECT_THAT(e.what(), HasSubstr("rank 1 has no connection to rank 0, at elsewhere 1 127.0.0.1"));
  }
}

}  // namespace
}  // namespace stg::detail
