// test: draft runtime, sanitized memory
// Graph sequences of events: which events each window has, however times are written, and which event is wrong.
#include "expect_error.hpp"                // expect_error
#include "support/snapshot_reference.hpp"  // expect_step

#include <stg/runtime/graph_sequence.hpp>  // graph_sequence

#include <gmock/gmock.h>  // ElementsAre
#include <gtest/gtest.h>  // TEST

#include <algorithm>  // sort
#include <limits>     // numeric_limits
#include <random>     // mt19937
#include <tuple>      // tuple
#include <vector>     // vector

namespace stg {
namespace {

using test::expect_error;
using test::expect_step;
using testing::ElementsAre;

constexpr snapshot_store stores[] = {snapshot_store::resident, snapshot_store::changes};

/// Edges of a step as "src dst weight" in order of ids.
std::vector<std::tuple<std::int32_t, std::int32_t, float>> listed(graph_sequence& sequence, std::int64_t step) {
  const edge_list list = sequence.at(step).edge_list();
  std::vector<std::tuple<std::int32_t, std::int32_t, float>> all;
  for (std::size_t e = 0; e < list.src.size(); ++e)
    all.emplace_back(list.src[e], list.dst[e],
                     sequence.has_weights() ? sequence.weights_at(step).values()(static_cast<std::int64_t>(e)) : 0.0f);
  return all;
}

TEST(graph_sequence, of_events_has_those_of_each_window) {
  // Windows of 10, every 5, from 0: [0, 10) [5, 15) [10, 20) [15, 25), and the last event, at 20, is in the last.
  const std::vector<std::int64_t> src{0, 1, 0, 0, 2}, dst{1, 0, 1, 1, 2};
  const std::vector<double> time{0, 4, 7, 12, 20};
  using edge = std::tuple<std::int32_t, std::int32_t, float>;
  for (const snapshot_store store : stores) {
    auto each = graph_sequence::from_events(3, src, dst, time, {.length = 10, .stride = 5}, {}, {.store = store});
    EXPECT_EQ(each.steps(), 4);
    EXPECT_FALSE(each.has_weights());
    EXPECT_THAT(listed(each, 0), ElementsAre(edge{1, 0, 0}, edge{0, 1, 0}, edge{0, 1, 0}));
    EXPECT_THAT(listed(each, 1), ElementsAre(edge{0, 1, 0}, edge{0, 1, 0}));
    EXPECT_THAT(listed(each, 2), ElementsAre(edge{0, 1, 0}));
    EXPECT_THAT(listed(each, 3), ElementsAre(edge{2, 2, 0}));
    auto merged = graph_sequence::from_events(3, src, dst, time, {.length = 10, .stride = 5, .merged = true}, {},
                                              {.store = store});
    EXPECT_THAT(listed(merged, 0), ElementsAre(edge{1, 0, 1}, edge{0, 1, 2}));
    EXPECT_THAT(listed(merged, 2), ElementsAre(edge{0, 1, 1}));
    const std::vector<double> values{1, 2, 4, 8, 16};
    auto summed = graph_sequence::from_events(3, src, dst, time, {.length = 10, .stride = 5, .merged = true}, values,
                                              {.store = store});
    EXPECT_THAT(listed(summed, 1), ElementsAre(edge{0, 1, 12}));
    auto valued = graph_sequence::from_events(3, src, dst, time, {.length = 3, .stride = 6, .begin = 6}, values,
                                              {.store = store});
    EXPECT_EQ(valued.steps(), 3);  // [6, 9) [12, 15) [18, 21)
    EXPECT_THAT(listed(valued, 0), ElementsAre(edge{0, 1, 4}));
    EXPECT_THAT(listed(valued, 1), ElementsAre(edge{0, 1, 8}));
    EXPECT_THAT(listed(valued, 2), ElementsAre(edge{2, 2, 16}));
  }
  EXPECT_EQ(graph_sequence::from_events(3, {}, {}, {}, {.length = 1, .stride = 1}).steps(), 0);
  EXPECT_EQ(graph_sequence::from_events(3, src, dst, time, {.length = 20, .stride = 1}).steps(), 2)
      << "[0, 20) lacks 20";
  EXPECT_EQ(graph_sequence::from_events(3, src, dst, time, {.length = 1, .stride = 1, .begin = 50}).steps(), 1);
}

/// In how many windows each event is. Event k goes from vertex k to vertex 0.
std::vector<int> windows_of_each(const std::vector<double>& time, const event_windows& windows) {
  const auto count = static_cast<std::int64_t>(time.size());
  std::vector<std::int64_t> src, dst(time.size(), 0);
  for (std::int64_t k = 0; k < count; ++k) src.push_back(k);
  auto sequence = graph_sequence::from_events(count, src, dst, time, windows);
  std::vector<int> seen(time.size(), 0);
  for (std::int64_t t = 0; t < sequence.steps(); ++t)
    for (const std::int32_t v : sequence.at(t).edge_list().src) ++seen[static_cast<std::size_t>(v)];
  return seen;
}

TEST(graph_sequence, windows_of_some_strides_have_each_event_as_often) {
  constexpr std::size_t count = 60;
  for (const double begin : {0.0, 0.1, 100.0, 1600000000.0, 1 / 3.0})
    for (const double stride : {1.0, 0.5, 0.1, 0.2, 0.3, 0.7, 0.01, 0.001, 7.0, 3600.0, 0.05, 1 / 24.0, 1e-7 / 3}) {
      std::vector<double> products, decimals;  // as programs compute times, and as files say them
      for (std::size_t k = 0; k < count; ++k) {
        products.push_back(begin + static_cast<double>(k) * stride);
        decimals.push_back(std::stod(std::to_string(products.back())));
      }
      std::sort(decimals.begin(), decimals.end());
      for (const int strides : {1, 2, 3, 4})
        for (const auto* time : {&products, &decimals}) {
          const double first = std::min(begin, time->front());
          const auto seen = windows_of_each(*time, {.length = strides * stride, .stride = stride, .begin = first});
          for (std::size_t k = 0; k < count; ++k) {
            const bool whole = (*time)[k] >= first + strides * stride && time->back() - (*time)[k] > strides * stride;
            ASSERT_TRUE(whole ? seen[k] == strides : seen[k] >= 1 && seen[k] <= strides)
                << "event " << k << " is in " << seen[k] << " windows of " << strides << " strides of " << stride
                << ", from " << first;
          }
        }
    }
}

TEST(graph_sequence, windows_of_decimals_are_those_of_the_same_integers) {
  std::mt19937 random(5);
  for (const int per_one : {10, 100, 1000})
    for (int round = 0; round < 100; ++round) {
      const int begin = static_cast<int>(random() % 3) * 100 * per_one, length = 1 + static_cast<int>(random() % 40);
      const int stride = 1 + static_cast<int>(random() % 40);
      std::vector<double> whole, parts;
      for (int t = begin; t <= begin + 60 + round % 60; t += 1 + static_cast<int>(random() % 3)) {
        whole.push_back(t);
        parts.push_back(static_cast<double>(t) / per_one);  // the double nearest to the decimal, as a file is read
      }
      const std::vector<std::int64_t> ends(whole.size(), 0);
      const auto sequence = [&](const std::vector<double>& time, int scale) {
        const auto of = [&](int units) { return static_cast<double>(units) / scale; };
        return graph_sequence::from_events(1, ends, ends, time,
                                           {.length = of(length), .stride = of(stride), .begin = of(begin)});
      };
      const auto a = sequence(whole, 1), b = sequence(parts, per_one);
      ASSERT_EQ(a.steps(), b.steps()) << length << " every " << stride << " in units of 1 / " << per_one;
      for (std::int64_t t = 0; t < a.steps(); ++t) ASSERT_EQ(a.edges_at(t), b.edges_at(t)) << "window " << t;
      if (length >= stride) {
        ASSERT_GT(b.edges_at(b.steps() - 1), 0) << "the last event is in the last window";
      }
    }
}

TEST(graph_sequence, windows_of_computed_lengths_are_those_of_decimals) {
  const std::vector<std::int64_t> ends(4, 0);
  const std::vector<double> time{0, 0.3, 0.6, 0.9};
  for (const double length : {0.3, 3 * 0.1, 0.1 + 0.2}) {
    const auto q = graph_sequence::from_events(1, ends, ends, time, {.length = length, .stride = 0.3});
    ASSERT_EQ(q.steps(), 4);
    for (std::int64_t t = 0; t < 4; ++t) EXPECT_EQ(q.edges_at(t), 1) << "window " << t;
  }
}

TEST(graph_sequence, of_random_events_has_the_same_bits_however_it_is_made) {
  const auto seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int round = 0; round < 30; ++round) {
    SCOPED_TRACE("round " + std::to_string(round));
    std::vector<std::int64_t> src, dst;
    std::vector<double> time, values;
    double now = 0;
    for (int e = 0; e < 200; ++e) {
      src.push_back(random() % 6), dst.push_back(random() % 6);
      time.push_back(now += random() % 3);
      values.push_back(random() % 3);
    }
    const event_windows windows{.length = 1.0 + random() % 40, .stride = 1.0 + random() % 30, .merged = round % 3 == 0};
    auto sequence = graph_sequence::from_events(6, src, dst, time, windows, values, {.store = snapshot_store::changes});
    for (std::int64_t t = 0; t < sequence.steps(); ++t) {
      snapshot_edges in_window;
      for (std::size_t e = 0; e < time.size(); ++e) {
        const double from = time[0] + static_cast<double>(t) * windows.stride;
        if (time[e] < from || time[e] >= from + windows.length) continue;
        std::size_t at = in_window.src.size();
        if (windows.merged)
          for (at = 0; at < in_window.src.size(); ++at)
            if (in_window.src[at] == src[e] && in_window.dst[at] == dst[e]) break;
        if (at < in_window.src.size()) {
          in_window.weights[at] += values[e];
          continue;
        }
        in_window.src.push_back(src[e]), in_window.dst.push_back(dst[e]), in_window.weights.push_back(values[e]);
      }
      expect_step(sequence, t, in_window);
    }
  }
}

TEST(graph_sequence, of_events_says_which_is_wrong) {
  const std::vector<std::int64_t> src{0, 1}, dst{1, 0};
  const auto refuse = [&](std::vector<double> time, event_windows windows,
                          std::initializer_list<std::string_view> parts, std::vector<double> values = {}) {
    expect_error([&] { graph_sequence::from_events(2, src, dst, time, windows, values); }, parts);
  };
  refuse({2, 1}, {1, 1}, {"event 1 has time 1", "after 2", "sort"});
  refuse({1289241911.75, 1289241911.5}, {1, 1}, {"event 1 has time 1289241911.5 after 1289241911.75;"});
  refuse({0, 3}, {1, 1e-9}, {"windows of stride 1e-09 do not reach the last event, at 3, with 16777216 of them"});
  refuse({1e300, 1e300}, {1, 1}, {"windows of stride 1 do not reach the last event, at 1e+300,"});
  refuse({2, std::numeric_limits<double>::infinity()}, {1, 1}, {"event 1 has time inf"});
  refuse({1}, {1, 1}, {"2 sources, 2 destinations, 1 times"});
  refuse({1, 2}, {0, 1}, {"length 0"});
  refuse({1, 2}, {1, -1}, {"stride -1"});
  refuse({0, 1e9}, {1, 1}, {"stride 1 do not reach", "give a longer stride"});
  refuse({1, 2}, {1, 1, std::numeric_limits<double>::quiet_NaN()}, {"begin at nan"});
  refuse({1, 2}, {1, 1}, {"events edge 1, 1 -> 0, weighs nan"}, {1, std::numeric_limits<double>::quiet_NaN()});
  expect_error(
      [&] {
        graph_sequence::from_events(1, src, dst, std::vector<double>{1, 2}, {.length = 1, .stride = 1});
      },
      {"events edge 0, 0 -> 1,", "1 vertices"});
  const std::vector<std::int64_t> again{0, 0}, both_to{1, 1};
  const auto refuse_sum = [&](std::vector<double> values, const char* said) {
    const std::vector<double> times{0, 1};
    expect_error(
        [&] {
          graph_sequence::from_events(2, again, both_to, times, {.length = 10, .stride = 10, .merged = true}, values);
        },
        {"graph sequence step 0 events 0 -> 1 weigh together ", said});
  };
  constexpr double infinite = std::numeric_limits<double>::infinity();
  refuse_sum({3e38, 3e38}, "6e+38; give a number that a float holds");
  refuse_sum({infinite, -infinite}, "nan; give a number");
  const auto expect_of_file = [&](const std::vector<double>& times, const char* said) {
    expect_error(
        [&] { graph_sequence::from_events(2, src, dst, times, {.length = 1, .stride = 1}, {}, {.file = "days.csv"}); },
        {said});
  };
  expect_of_file({2, 1}, "days.csv event 1 has time 1");
  expect_of_file({1, 2, 3}, "days.csv events have 2");
}

}  // namespace
}  // namespace stg
