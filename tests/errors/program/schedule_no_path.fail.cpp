// A path that is not in the program.
// build error: stg: a schedule names a scope or a value that is not there; there_are<\.\.\.> lists those that are
// names: conv2
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
constexpr auto fast = stg::scheduled([](auto s) {
  s["conv2"].keep(stg::keeping::inputs);
});
auto compiled = stg::compile<stg::with<model, fast>>();  // <- here
