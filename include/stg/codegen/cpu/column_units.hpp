// The kernels of a program for groups of columns: of each sweep that ranks can share by columns (column_sweeps.hpp),
// its loops with values that have no more than one group of them. As numbers of a form they are units as any others, so
// equal ones share a kernel, and the library's are taken from there.
#pragma once

#include <cstdint>  // int64_t, uint64_t
#include <utility>  // integer_sequence

#include <stg/base/sequence.hpp>              // sequence
#include <stg/codegen/column_finder.hpp>      // column_sweep_of, statements_of_share
#include <stg/codegen/column_kernels.hpp>     // column_kernels
#include <stg/codegen/cpu/column_kernel.hpp>  // column_kernel
#include <stg/codegen/cpu/unit.hpp>           // frozen_cut, sweep_for

namespace stg::cpu {

namespace detail {

/// The columns of a unit's sweep if a kernel can compute a group of them, else 0: their number is known and comes out
/// even, and every result has its own. Random masks are drawn for whole rows, which a group's kernel has not.
constexpr std::int64_t columns_in_groups_of(const plan_data& plan, int unit, int groups) {
  const codegen::column_sweep sweep = codegen::column_sweep_of(plan, unit);
  if (sweep.columns <= 0 || sweep.columns % groups != 0) return 0;
  for (const int made : sweep.made)
    if (!sweep.has_columns(made)) return 0;
  for (int i = 0; i < plan.size; ++i)
    if (sweep.has_columns(i) && plan.statements[i].code == ir::opcode::keep_mask) return 0;
  return sweep.columns;
}

/// Its loops as a unit, with one group of columns.
constexpr lone_unit cut_out_group(const plan_data& plan, const codegen::column_sweep& sweep, int groups,
                                  bool counts_in_f64) {
  const sequence<ir::statement> statements =
      codegen::statements_of_share(plan, sweep, {0, sweep.columns / groups}, nullptr);
  sequence<unsigned char> stored, joined;
  for (int i = 0; i < plan.size; ++i) {
    stored.push_back(plan.stored[i]);
    joined.push_back(plan.joined[i]);
  }
  for (const int kept : sweep.kept) stored[kept] = 1, joined[kept] = 0;  // read from one step to others
  pass::planned_unit unit = plan.units[sweep.unit];
  unit.first_step = sweep.first_step;
  unit.last_step = sweep.last_step;
  plan_data narrow = plan;
  narrow.statements = statements.data();
  narrow.stored = stored.data();
  narrow.joined = joined.data();
  narrow.units = &unit;
  narrow.unit_count = 1;
  return cut_out(narrow, 0, counts_in_f64);
}

/// Columns of a sweep whose groups have a kernel, else 0.
template <class P, int Unit, int Groups>
inline constexpr std::int64_t columns_in_groups = columns_in_groups_of(codegen::data_of<P>, Unit, Groups);

template <class P, int Unit, int Groups> struct group_cut {
  static constexpr auto cut_of() {
    const plan_data& plan = codegen::data_of<P>;
    return cut_out_group(plan, codegen::column_sweep_of(plan, Unit), Groups, counts_in_f64_of<P>);
  }
  static constexpr auto made = typename cut<P, Unit>::roomy(cut_of());  // stg: raise -fconstexpr-steps=
  static constexpr auto value = [] {
    if constexpr (made.fits) return made;
    else return frozen_cut<made.sizes.words, made.sizes.values, made.sizes.extents, made.sizes.sites>(cut_of());
  }();

  template <int... K> static form<kernel_flags, value.words[K]...> form_of(std::integer_sequence<int, K...>);
  using type = decltype(form_of(std::make_integer_sequence<int, value.sizes.words>()));
  static constexpr std::uint64_t key = [] {
#if STG_LIBRARY_KERNELS
    const std::uint64_t mine = key_of(value.words, value.sizes.words);
    if (is_in_library(mine)) return mine;
#endif
    return std::uint64_t{0};
  }();
};

template <class P, int Unit, int Groups> constexpr column_kernel kernel_of_group() {
  if constexpr (columns_in_groups<P, Unit, Groups> == 0) {
    return {};
  } else {
    using mine = group_cut<P, Unit, Groups>;
    constexpr const auto& c = mine::value;
    column_kernel kernel;
    kernel.columns = columns_in_groups<P, Unit, Groups>;
    const plan_data* form = nullptr;
    if constexpr (mine::key != 0) {
      form = &library_kernel<mine::key>::form;
      kernel.choose = &library_kernel<mine::key>::choose;
    } else {
      form = &codegen::data_of<typename mine::type>;
      kernel.choose = &sweep_for<typename mine::type, 0>;
    }
    kernel.names = {form, c.values, c.sizes.values, c.extents, c.sizes.extents, c.sites};
    return kernel;
  }
}

template <class P, int Groups> struct group_kernels {
  column_kernel of_unit[P::plan.unit_count + 1];

  template <int... Unit>
  explicit constexpr group_kernels(std::integer_sequence<int, Unit...>)
      : of_unit{kernel_of_group<P, Unit, Groups>()..., column_kernel()} {}
};
template <class P, int Groups>
inline constexpr group_kernels<P, Groups> group_kernels_of{std::make_integer_sequence<int, P::plan.unit_count>()};
template <class P, int Groups>
inline constexpr codegen::column_kernels column_kernels_in{Groups, group_kernels_of<P, Groups>.of_unit};

}  // namespace detail

}  // namespace stg::cpu
