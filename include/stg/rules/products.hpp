// Products over sums, both ways. The cheaper one depends on the widths and on the values that are computed anyway, so
// each place is chosen by rule.where(condition).
#pragma once

#include <stg/op/list.hpp>  // operator+, operator*
#include <stg/rewrite.hpp>  // rewrite_rule

namespace stg::rules {

/// a · (b + c) → a · b + a · c. One product more; sums of products can then leave sums over edges. Rounds once more.
///
///   examine::rewrite(p, rules::distribute.where([](const examine::match& m) {
///     return m[0].statement().where == ir::space::graph;    // a scalar or a parameter
///   }));
inline constexpr auto distribute = rewrite_rule([](auto, auto a, auto b, auto c) { return a * (b + c); },
                                                [](auto, auto a, auto b, auto c) { return a * b + a * c; });
/// a · (b - c) → a · b - a · c.
inline constexpr auto distribute_difference = rewrite_rule([](auto, auto a, auto b, auto c) { return a * (b - c); },
                                                           [](auto, auto a, auto b, auto c) { return a * b - a * c; });

/// a · b + a · c → a · (b + c). One product less, unless somebody else reads one of the two. Rounds once less.
inline constexpr auto factor_out = rewrite_rule([](auto, auto a, auto b, auto c) { return a * b + a * c; },
                                                [](auto, auto a, auto b, auto c) { return a * (b + c); });
/// a · b - a · c → a · (b - c).
inline constexpr auto factor_out_difference = rewrite_rule([](auto, auto a, auto b, auto c) { return a * b - a * c; },
                                                           [](auto, auto a, auto b, auto c) { return a * (b - c); });

}  // namespace stg::rules
