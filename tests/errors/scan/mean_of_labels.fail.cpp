// A mean over steps of what is no real number.
// build error: stg: mean takes real values; write cast<f32>\(x\)
#include <stg/stg.hpp>

constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto model = [](auto v) {
  auto y = stg::scan<"T">(v, [](auto v) {
    return max(v(label), 1);
  });
  return stg::mean(y, stg::all_steps);  // <- here
};
auto compiled = stg::compile<model>();
