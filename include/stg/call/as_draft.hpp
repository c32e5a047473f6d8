// Programs as drafts: `stg::compile<gat>(stg::draft())` and its kin.
#pragma once

#include <stg/call/model.hpp>             // checked_model
#include <stg/call/training.hpp>          // checked_trainer, checked_step
#include <stg/codegen/draft/backend.hpp>  // draft
#include <stg/codegen/draft/watch.hpp>    // watch

namespace stg {

/// The same program as a draft: called as any other, with the same bindings and results, and compiled in a fraction of
/// the time. In files that are compiled without optimisation compile, compile_for_training and value_and_grad make
/// drafts anyway (codegen/default_backend.hpp).
///
///   auto layer = stg::compile<gat>(stg::draft());
template <const auto& F> auto compile(const draft& where) {
#include <stg/call/look_into.inc>
  return detail::checked_model<ref<F>>(where);
}

/// As compile_for_training, as a draft.
template <const auto& F, const auto&... Wrt> auto compile_for_training(const draft& where) {
#include <stg/call/look_into.inc>
  return detail::checked_trainer<ref<F>, draft, std::remove_cvref_t<decltype(Wrt)>...>(where);
}

/// As value_and_grad, as a draft.
template <const auto& F, const auto&... Wrt> auto value_and_grad(const draft& where) {
#include <stg/call/look_into.inc>
  return detail::checked_step<ref<F>, draft, std::remove_cvref_t<decltype(Wrt)>...>(where);
}

}  // namespace stg
