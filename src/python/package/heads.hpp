// What the attention's programs share: heads and their width, both known when a program is called.
#pragma once

#include <stg/stg.hpp>  // the language

namespace stg::package {

inline constexpr auto heads = stg::extent<"H">;
inline constexpr auto width = stg::extent<"C">;
inline constexpr auto slope = stg::scalar<"slope">;
/// Masks of dropout, drawn and scaled by PyTorch, so that they are those of its own layers.
inline constexpr auto mask = stg::edge_feature<"mask", heads, 1>;

/// Any slope, where leaky_relu takes one that is known.
template <class Score> constexpr auto leaky(Score s) { return select(s > 0.0, s, slope * s); }

}  // namespace stg::package
