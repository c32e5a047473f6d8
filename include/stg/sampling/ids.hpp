// Lists of ids that samplers do not take, and what to write instead.
#pragma once

#include <stg/base/config.hpp>           // STG_SAYS_AT_CALLS
#include <stg/runtime/const_tensor.hpp>  // const_tensor

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
/// A mask in their place.
template <class Ids> inline constexpr bool is_a_mask = std::is_convertible_v<const Ids&, const const_tensor<bool>&>;
/// Fan-outs where the options belong.
template <class FanOuts, class Options>
concept BareFanOuts = !std::is_convertible_v<const FanOuts&, Options>;

/// What is no value of edges: a tensor in the order of an edge list, for one.
template <class Values, class Wanted>
concept NoEdgeValues = !std::is_convertible_v<const Values&, const Wanted&>;

}  // namespace stg::detail

/// What to write, of functions whose argument is wrong. clang asks nothing of constructors at their calls.
#define STG_SEEDS_ARE_OTHERS "stg: seeds are vertices, of 32 bits: const std::vector<std::int32_t> seeds = {0, 7}"
#define STG_FAN_OUTS_ARE_BARE "stg: fan-outs are one of a sampler's options; name them: {.fan_outs = {5, 3}}"
#define STG_TIMES_ARE_OF_EDGES "stg: times are values of edges; write graph.edge_values(times), of a tensor<double>"
#define STG_WEIGHTS_ARE_OF_EDGES \
  "stg: weights are values of edges; write graph.edge_values(weights), of a tensor<float>"
#define STG_SEEDS_ARE_A_MASK "stg: seeds are ids of vertices, and this is a mask; list those where it is true"
#define STG_SAMPLES_WITHOUT_A_NUMBER \
  "stg: sample takes a number behind the seeds, and gives another batch for another: sampler.sample(seeds, 7)"
#if STG_SAYS_AT_CALLS
#define STG_SAYS_SEEDS(Ids)                                                               \
  __attribute__((diagnose_if(stg::detail::is_a_mask<Ids>, STG_SEEDS_ARE_A_MASK, "error"), \
                 diagnose_if(!stg::detail::is_a_mask<Ids>, STG_SEEDS_ARE_OTHERS, "error")))
#define STG_CHECK_SEEDS(Ids)
#define STG_SAYS_NUMBER(Ids) __attribute__((diagnose_if(sizeof(Ids) != 0, STG_SAMPLES_WITHOUT_A_NUMBER, "error")))
#else
#define STG_SAYS_SEEDS(Ids)
#define STG_CHECK_SEEDS(Ids)                                         \
  static_assert(!stg::detail::is_a_mask<Ids>, STG_SEEDS_ARE_A_MASK); \
  static_assert(stg::detail::is_a_mask<Ids>, STG_SEEDS_ARE_OTHERS)
#define STG_SAYS_NUMBER(Ids)
#endif
