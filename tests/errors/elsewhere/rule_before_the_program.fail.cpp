// A rule before the program.
// build error: stg: rewrite takes the program, then rules: examine::rewrite\(p, distribute\)
#include <stg/stg.hpp>

#include <stg/rewrite.hpp>

constexpr auto distribute = stg::rewrite_rule(
    [](auto, auto a, auto b, auto c) {
      return a * (b + c);
    },
    [](auto, auto a, auto b, auto c) {
      return a * b + a * c;
    });

auto distributed(const stg::ir::program& p) {
  return stg::examine::rewrite(distribute, p);  // <- here
}
