// The twin of mean_of_labels.fail.cpp.
#include <stg/stg.hpp>

constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto model = [](auto v) {
  auto y = stg::scan<"T">(v, [](auto v) {
    return stg::cast<stg::f32>(max(v(label), 1));
  });
  return stg::mean(y, stg::all_steps);
};
auto compiled = stg::compile<model>();
