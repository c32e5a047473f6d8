// Defines the library's kernel of a form. Files that include it are compiled with STG_LIBRARY_KERNELS=0, since they
// have these kernels themselves.
#pragma once

#include "forms.hpp"  // STG_KERNELS_OF_…, STG_FORMS_…

#include <stg/codegen/agreement.hpp>           // hash_of_form_words
#include <stg/codegen/cpu/form.hpp>            // form
#include <stg/codegen/cpu/library_kernel.hpp>  // library_kernel, key_of
#include <stg/codegen/cpu/sweep.hpp>           // sweep_for, graph_row_for
#include <stg/codegen/plan_data.hpp>           // data_of

namespace stg::kernels {

static_assert(codegen::hash_of_form_words == STG_FORMS_WORDS,
              "stg: words of statements and plans moved under src/kernels/forms.hpp; run make golden");

template <std::uint64_t... Word> struct kernel {
  using form = cpu::form<cpu::kernel_flags, Word...>;
  static constexpr std::uint64_t words[] = {Word...};
  static constexpr std::uint64_t key = cpu::key_of(words, sizeof...(Word));
  static cpu::sweep_function choose(const codegen::launch& l) {
    if constexpr (form::plan.units[0].kind == pass::unit_kind::graph) return cpu::detail::graph_row_for<form, 0>(l);
    else return cpu::detail::sweep_for<form, 0>(l);
  }
};

}  // namespace stg::kernels

#define STG_DEFINE_KERNEL(...)                                                                           \
  template <>                                                                                            \
  stg::cpu::sweep_function stg::cpu::library_kernel<stg::kernels::kernel<__VA_ARGS__>::key>::choose(     \
      const stg::codegen::launch& l) {                                                                   \
    return stg::kernels::kernel<__VA_ARGS__>::choose(l);                                                 \
  }                                                                                                      \
  template <>                                                                                            \
  const stg::codegen::plan_data stg::cpu::library_kernel<stg::kernels::kernel<__VA_ARGS__>::key>::form = \
      stg::codegen::data_of<stg::kernels::kernel<__VA_ARGS__>::form>;
