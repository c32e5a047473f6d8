// A lambda without a return.
// names: model
#include <stg/stg.hpp>
inline constexpr auto x = stg::vertex_feature<"x">;
inline constexpr auto model = [](auto v) {
  relu(v(x));
};
int main() {
  auto layer = stg::compile<model>();  // <- here
}
