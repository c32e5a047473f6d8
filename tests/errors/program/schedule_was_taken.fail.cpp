// A word about a value that a rule has replaced.
// build error: stg: a schedule names what an earlier word of it took out of the program; taken_by<\.\.\.> is that word
// names: replace conv1
#include <stg/rewrite.hpp>
#include <stg/schedule.hpp>
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 16>;
constexpr auto layer = [](auto v, auto h) {
  return tanh(matmul(mean(v.in_edges().src(h)), W) * 2.0);
};
constexpr auto model = [](auto v) {
  return stg::scope<"conv1">(v, layer, v(x));
};
constexpr auto halved = stg::rewrite_rule(
    [](auto, auto a) {
      return a * 2.0;
    },
    [](auto, auto a) {
      return a + a;
    });
constexpr auto fast = stg::scheduled([](auto s) {
  s["conv1"].replace(halved);
  s["conv1"].find("mul").stored();
});
auto compiled = stg::compile<stg::with<model, fast>>();  // <- here
