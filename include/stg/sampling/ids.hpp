// Lists of ids that samplers do not take, and what to write instead.
#pragma once

#include <stg/base/standard.hpp>  // C++20

#include <cstdint>      // int32_t
#include <span>         // span
#include <type_traits>  // is_convertible_v
#include <vector>       // vector

namespace stg::detail {

/// No list of vertices: ids of 64 bits, for one.
template <class Ids>
concept OtherIds = !std::is_convertible_v<const Ids&, std::span<const std::int32_t>>;
/// The same of lists that are kept.
template <class Ids>
concept OtherOwnedIds = !std::is_convertible_v<const Ids&, std::vector<std::int32_t>>;
/// Fan-outs where the options belong.
template <class FanOuts, class Options>
concept BareFanOuts = !std::is_convertible_v<const FanOuts&, Options>;

}  // namespace stg::detail

/// The sentences, in the body of what the user calls; the function is one of a template whose argument is wrong.
#define STG_TAKES_SEEDS(Ids) \
  static_assert(sizeof(Ids) == 0, "stg: seeds are vertices, of 32 bits: const std::vector<std::int32_t> seeds = {0, 7}")
#define STG_NAMES_FAN_OUTS(FanOuts) \
  static_assert(sizeof(FanOuts) == 0, "stg: fan-outs are one of a sampler's options; name them: {.fan_outs = {5, 3}}")
