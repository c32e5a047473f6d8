// Named values of drafts, looked at while they run.
#include <stg/stg.hpp>  // the language

#include <gtest/gtest.h>  // TEST

#include <limits>  // numeric_limits
#include <string>  // string
#include <vector>  // vector

namespace stg {
namespace {

constexpr auto x = trainable(vertex_feature<"x", 2>);
constexpr auto layer = [](auto v) {
  auto e = v.in_edges();
  auto score = named<"score">(leaky_relu(e.src(x) - e.dst(x)));
  auto near = named<"near">(sum(score * e.src(x)));
  auto rows = named<"rows">(sum(named<"messages">(e.src(x))));
  return named<"total">(sum(sum(near + rows, axis<0>), all_vertices));
};

struct seen_value {
  watched_value last{};
  std::string name{};
  int times = 0;
};
/// Watches a name for as long as it lives.
class watched_name {
 public:
  watched_name(const std::string& name, seen_value& to) : name_(name) {
    watch(name, [&to](const watched_value& v) {
      to.last = v;
      to.name = v.name;
      ++to.times;
    });
  }
  ~watched_name() { watch(name_, {}); }

 private:
  std::string name_;
};

graph ring_of_three() {
  const std::vector<std::int64_t> source{0, 1, 2}, target{1, 2, 0};
  return graph::from_edges(3, source, target);
}

TEST(watch, sees_edges_vertices_and_the_whole_graph) {
  const graph g = ring_of_three();
  tensor<float> X({3, 2});
  for (int i = 0; i < 6; ++i) X.data()[i] = static_cast<float>(i);  // 0 1 · 2 3 · 4 5
  seen_value score, near, messages, total;
  const watched_name a("score", score), b("near", near), c("messages", messages), d("total", total);
  const tensor<float> out = compile<layer>(draft())(g, x = X);
  EXPECT_EQ(score.times, 1);
  EXPECT_EQ(score.name, "score");
  EXPECT_EQ(score.last.rows, 3);
  EXPECT_EQ(score.last.numbers, 6);
  EXPECT_EQ(score.last.max, 4);  // from vertex 2 to vertex 0
  EXPECT_FLOAT_EQ(static_cast<float>(score.last.min), -0.02F);
  EXPECT_EQ(near.last.rows, 3);
  EXPECT_EQ(messages.last.rows, 3);
  EXPECT_EQ(messages.last.max, 5);
  EXPECT_EQ(messages.last.min, 0);
  EXPECT_EQ(total.last.rows, 1);
  EXPECT_EQ(static_cast<float>(total.last.max), *out.data());
}

TEST(watch, names_the_first_row_that_is_no_number) {
  const graph g = ring_of_three();
  tensor<float> X({3, 2});
  X.fill(1);
  X(2, 1) = std::numeric_limits<float>::quiet_NaN();
  seen_value score;
  const watched_name a("score", score);
  auto step = value_and_grad<layer>(draft());
  step(g, x = X);
  EXPECT_GE(score.times, 1);
  EXPECT_EQ(score.last.nans, 2);
  EXPECT_EQ(score.last.infinities, 0);
  EXPECT_GE(score.last.first_bad_row, 0);
}

TEST(watch, ends_with_an_empty_function_and_sees_nothing_of_other_names) {
  const graph g = ring_of_three();
  const tensor<float> X({3, 2});
  seen_value score;
  watch("scores", [&](const watched_value&) { ++score.times; });
  { const watched_name a("score", score); }
  compile<layer>(draft())(g, x = X);
  watch("scores", {});
  EXPECT_EQ(score.times, 0);
}

TEST(watch, may_run_programs_and_end_itself) {
  const graph g = ring_of_three();
  const tensor<float> X({3, 2});
  int times = 0;
  watch("score", [&](const watched_value&) {
    ++times;
    watch("score", {});
    compile<layer>(draft())(g, x = X);
  });
  compile<layer>(draft())(g, x = X);
  compile<layer>(draft())(g, x = X);
  EXPECT_EQ(times, 1);
}

constexpr auto u = over<"T">(vertex_feature<"u", 2>);
constexpr auto steps = [](auto v) {
  auto last = scan<"T">(
      v, [](auto v, auto h) { return named<"state">(tanh(h + v(u))); }, v(x));
  return sum(sum(square(last), axis<0>), all_vertices);
};

TEST(watch, sees_each_step_of_a_scan_once_though_it_is_run_again) {
  const graph g = ring_of_three();
  tensor<float> X({3, 2}), Us({6, 3, 2});
  for (const std::int64_t every : {0, 2}) {
    seen_value state;
    const watched_name a("state", state);
    auto step = value_and_grad<steps>(draft());
    step.checkpoint({.every = every});
    step(g, x = X, u = Us);
    EXPECT_EQ(state.times, 6) << every;
  }
}

}  // namespace
}  // namespace stg
