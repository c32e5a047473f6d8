// A mask of numbers for nll.
// build error: stg: nll takes a mask of type boolean: vertex_feature<"mask", boolean>
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto weight = stg::vertex_feature<"weight">;
constexpr auto model = [](auto v) {
  return nll(log_softmax(v(x)), v(label), v(weight));  // <- here
};
auto compiled = stg::compile<model>();
