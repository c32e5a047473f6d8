// A value of a scan's step beside one outside of it.
// build error: stg: one_sweep and apart pair values of one program; one of these is in a scan's step or a called layer
// names: state
#include <stg/schedule.hpp>
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto cell = [](auto v, auto h) {
  return stg::named<"state">(tanh(h + v(x)));
};
constexpr auto model = [](auto v) {
  auto h = stg::named<"last">(exp(stg::scan<3>(v, cell, v(x))));
  return stg::named<"out">(h * 2.0);
};
constexpr auto fast = stg::scheduled([](auto s) {
  s["state"].apart(s["out"]);
});
auto compiled = stg::compile<stg::with<model, fast>>();  // <- here
