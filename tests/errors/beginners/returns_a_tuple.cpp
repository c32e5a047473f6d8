// Several results in a tuple.
// names: model
#include <stg/stg.hpp>
#include <tuple>
inline constexpr auto x = stg::vertex_feature<"x">;
inline constexpr auto model = [](auto v) {
  return std::make_tuple(v(x), relu(v(x)));
};
int main() {
  auto layer = stg::compile<model>();  // <- here
}
