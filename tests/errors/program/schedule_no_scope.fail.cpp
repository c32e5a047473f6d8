// A word about scopes, said of what was found.
// build error: stg: replace, merge_exchanges, must_overlap, find and \[\] of a schedule are about a scope, not values
// names: conv1/tanh
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
  s["conv1"].find("tanh")["summed"].stored();
});
auto compiled = stg::compile<stg::with<model, fast>>();  // <- here
