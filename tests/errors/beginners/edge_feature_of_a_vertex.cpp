// An edge feature read as one of the vertex.
// names: w
#include <stg/stg.hpp>
inline constexpr auto w = stg::edge_feature<"w">;
inline constexpr auto model = [](auto v) {
  return v(w);  // <- here
};
int main() { auto layer = stg::compile<model>(); }
