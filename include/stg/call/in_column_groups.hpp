// Programs with kernels for shares of columns: `stg::compile<gat>(stg::column_groups<4>())` and its kin.
#pragma once

#include <stg/call/model.hpp>                // checked_model
#include <stg/call/training.hpp>             // checked_trainer, checked_step
#include <stg/codegen/cpu/backend.hpp>       // backend
#include <stg/codegen/cpu/column_units.hpp>  // column_kernels_in

namespace stg {

/// The CPU for programs on parts of a cut graph whose ranks share sweeps by columns of features, or heads
/// (cut_by::features, cut_by::cheapest): beside the kernels of all columns, a sweep has one for a share of them, one of
/// so many equal groups. A rank has as many groups as come to it, and goes over the edges once for each; so take as
/// many groups as ranks, or a multiple. More groups make no difference to a graph that is whole, or cut by rows.
///
/// A sweep has such a kernel if its columns come out even, every value that it makes has columns, and it draws no
/// random numbers for them; else the kernels of drafts compute its shares, where it is cut by features. So do all
/// sweeps in the steps of scans. Every further kernel takes as long to compile as the sweep's own.
///
///   auto step = stg::value_and_grad<loss>(stg::column_groups<4>());
///   const stg::distributed_graph part(cut, ranks, stg::cut_by::features);
template <int Groups> struct column_groups : cpu::backend {
  static_assert(Groups > 0, "stg: column_groups<n>: there is one group at least");
  template <class P> static const codegen::column_kernels* columns() {
    return &cpu::detail::column_kernels_in<P, Groups>;
  }
};

/// As compile, with such kernels.
template <const auto& F, int Groups> auto compile(const column_groups<Groups>& where) {
#include <stg/call/look_into.inc>
  return detail::checked_model<ref<F>>(where);
}

/// As compile_for_training, with such kernels.
template <const auto& F, const auto&... Wrt, int Groups> auto compile_for_training(const column_groups<Groups>& where) {
#include <stg/call/look_into.inc>
  return detail::checked_trainer<ref<F>, column_groups<Groups>, std::remove_cvref_t<decltype(Wrt)>...>(where);
}

/// As value_and_grad, with such kernels.
template <const auto& F, const auto&... Wrt, int Groups> auto value_and_grad(const column_groups<Groups>& where) {
#include <stg/call/look_into.inc>
  return detail::checked_step<ref<F>, column_groups<Groups>, std::remove_cvref_t<decltype(Wrt)>...>(where);
}

}  // namespace stg
