// A cast to a type of C++.
// build error: stg: a scalar type is f32, f64, i32 or boolean, not one of C\+\+: cast<f32>\(x\)
// each NAME: float double long
#include <stg/stg.hpp>

constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto model = [](auto v) {
  return stg::cast<NAME>(v(label));  // <- here
};
auto compiled = stg::compile<model>();
