// A replacement with an extent that nothing tells.
// build error: stg: a replacement names an extent that its pattern does not; name it in a wildcard's shape
#include <stg/rewrite.hpp>
#include <stg/stg.hpp>

constexpr auto pattern = [](auto, auto a) {
  return sum(a, stg::axis<0>, stg::keepdim);
};
constexpr auto replacement = [](auto, auto a) {
  return sum(a * stg::ones<stg::extent<"M">, 1>(), stg::axis<1>, stg::keepdim);
};
[[maybe_unused]] constexpr auto rule =
    stg::rewrite_rule(pattern, replacement, stg::any_value.shaped<stg::extent<"N">>());  // <- here
