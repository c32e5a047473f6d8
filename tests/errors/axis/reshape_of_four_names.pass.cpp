// The twin of reshape_of_four_names.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", stg::extent<"A">, stg::extent<"B">, stg::extent<"C">>;
constexpr auto model = [](auto v) {
  return stg::reshape<stg::extent<"A">, stg::extent<"B"> * stg::extent<"C">>(v(x));
};
auto compiled = stg::compile<model>();
