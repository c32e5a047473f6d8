// Defines a group's kernels: library_kernel for each of its keys.
#pragma once

#include "group.hpp"  // form_in

#define STG_DEFINE_KERNELS(Group, keys)                                                                               \
  namespace stg::cpu {                                                                                                \
  template <std::uint64_t Key> sweep_function library_kernel<Key>::choose(const launch& l) {                          \
    using form = typename kernels::form_in<Key, kernels::Group>::type;                                                \
    if constexpr (form::plan.units[0].kind == pass::unit_kind::graph) return detail::graph_row_for<form, 0>(l);       \
    else return detail::sweep_for<form, 0>(l);                                                                        \
  }                                                                                                                   \
  template <std::uint64_t Key>                                                                                        \
  const plan_data library_kernel<Key>::form = codegen::data_of<typename kernels::form_in<Key, kernels::Group>::type>; \
  keys(STG_HOLD_KERNEL)                                                                                               \
  }
#define STG_HOLD_KERNEL(key) template struct library_kernel<key>;
