// What is said of every door of several programs: a program, its training and a loss, each by a name.
#pragma once

#include <string_view>  // string_view

#include <stg/door/program.hpp>  // make_loss, make_program, make_training

namespace stg::door {

/// Door: a class that derives from this, with add(name, text, shared_ptr to a program, a training or a loss).
template <class Door> class functions {
 public:
  /// A compiled program. `text` describes it, above its inputs and results.
  template <const auto& F> void program(std::string_view name, std::string_view text = {}) {
    self().add(name, text, make_program<F>());
  }
  /// The same with gradients, for all trainable inputs or for those that are given.
  template <const auto& F, const auto&... Wanted> void training(std::string_view name, std::string_view text = {}) {
    self().add(name, text, make_training<F, Wanted...>());
  }
  /// A loss with its gradients.
  template <const auto& F, const auto&... Wanted> void loss(std::string_view name, std::string_view text = {}) {
    self().add(name, text, make_loss<F, Wanted...>());
  }

 private:
  Door& self() { return static_cast<Door&>(*this); }
};

}  // namespace stg::door
