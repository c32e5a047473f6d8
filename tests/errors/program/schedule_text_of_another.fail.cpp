// The text of a schedule for another program.
// build error: stg: the text of a schedule was written for another program; leave out its line `of`, and see what fits
// names: 0123456789abcdef
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
constexpr auto fast = stg::scheduled_as("of 0123456789abcdef\nkeep conv1 inputs");
auto compiled = stg::compile<stg::with<model, fast>>();  // <- here
