// A tag without a word.
// build error: stg: a tag has 1 to 62 letters, the first of them not %; give it another word
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 4>;
constexpr auto model = [](auto v) {
  return stg::tag<"">(exp(v(x)));  // <- here
};
auto compiled = stg::compile<model>();
