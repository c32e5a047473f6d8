// The twin of saved_without_a_parameter.fail.cpp.
#include <stg/saved_model.hpp>
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 4>;
constexpr auto W = stg::parameter<"W", 4, 2>;
constexpr auto b = stg::parameter<"b", 2>;
constexpr auto model = [](auto v) {
  return matmul(v(x), W) + b;
};
void save() {
  auto params = stg::parameters<model>();
  stg::save_model<model>("saved", params);
}
