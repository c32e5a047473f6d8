// A model is saved with the parameters of another.
// build error: stg: save_model takes a set with all parameters of the program, such as parameters<f>\(\)
#include <stg/saved_model.hpp>
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 4>;
constexpr auto W = stg::parameter<"W", 4, 2>;
constexpr auto b = stg::parameter<"b", 2>;
constexpr auto model = [](auto v) {
  return matmul(v(x), W) + b;
};
constexpr auto plain = [](auto v) {
  return matmul(v(x), W);
};
void save() {
  auto params = stg::parameters<plain>();
  stg::save_model<model>("saved", params);  // <- here
}
