// A number of steps that is known at run time.
// names: T
#include <stg/stg.hpp>
inline constexpr auto x = stg::vertex_feature<"x", 8>;
int T = 12;
inline constexpr auto model = [](auto v) {
  return stg::scan<T>(  // <- here
      v,
      [](auto v, auto h) {
        return tanh(h + v(x));
      },
      v(x));
};
int main() { auto layer = stg::compile<model>(); }
