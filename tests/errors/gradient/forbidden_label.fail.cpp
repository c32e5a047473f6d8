// Labels that forbid a gradient.
// build error: stg: not_differentiable takes a real value; others have no gradient anyway
#include <stg/stg.hpp>

constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto model = [](auto v) {
  return stg::not_differentiable<"label">(v(label));  // <- here
};
auto compiled = stg::compile<model>();
