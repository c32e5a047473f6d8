// The twin of rule_before_the_program.fail.cpp.
#include <stg/stg.hpp>

#include <stg/rewrite.hpp>

constexpr auto distribute = stg::rewrite_rule(
    [](auto, auto a, auto b, auto c) {
      return a * (b + c);
    },
    [](auto, auto a, auto b, auto c) {
      return a * b + a * c;
    });

auto distributed(const stg::ir::program& p) { return stg::examine::rewrite(p, distribute); }
