// The twin of schedule_text_rule.fail.cpp.
#include <stg/schedule.hpp>
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 16>;
constexpr auto layer = [](auto v, auto h) {
  return tanh(stg::named<"summed">(matmul(mean(v.in_edges().src(h)), W)));
};
constexpr auto model = [](auto v) {
  return stg::scope<"conv1">(v, layer, v(x));
};
constexpr auto fast = stg::scheduled_as("keep conv1 results");
auto compiled = stg::compile<stg::with<model, fast>>();
