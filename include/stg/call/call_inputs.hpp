// The memory of a call's inputs, and the call's references after its end.
#pragma once

#include <memory>       // shared_ptr
#include <type_traits>  // is_reference_v, is_const_v, remove_cvref_t
#include <utility>      // as_const, move

#include <stg/call/bindings.hpp>         // entry_of, statement_of_input
#include <stg/compile.hpp>               // canonical
#include <stg/dsl/symbol.hpp>            // binding
#include <stg/runtime/binding.hpp>       // bound_input
#include <stg/runtime/const_tensor.hpp>  // memory, allocate_at, copy_memory
#include <stg/runtime/named_values.hpp>  // named_values, tensor_of

namespace stg::detail {

/// A set without another owner: a holder that needs it after the call takes it over.
template <class Set> struct temporary_set { Set& value; };
/// An argument of a call, in the form for its holder after the call. Arg: as deduced for Arg&&.
template <class Arg> decltype(auto) to_be_held(std::remove_reference_t<Arg>& arg) {
  if constexpr (!std::is_reference_v<Arg> && is_named_set<std::remove_const_t<Arg>>) return temporary_set<Arg>{arg};
  else return std::as_const(arg);
}

/// Inputs by names known at run time (inputs_by_name.hpp).
template <class All>
concept InputsByName = requires(const All& all, const program_view& p, bound_input* bound) {
  all.bind_to(p, bound);
};

/// Numbers bound directly to scalar inputs, converted to the input's type.
template <class Ref> struct call_inputs {
  static constexpr int count = canonical<Ref>::value.room.inputs;
  bound_input bound[canonical<Ref>::value.room.inputs + 1];
  double numbers[canonical<Ref>::value.room.inputs + 1];

  template <class Name, class V> void bind(const V& value) {
    constexpr int entry = entry_of<Ref>(Name::view());
    if constexpr (std::is_arithmetic_v<V>) {
      constexpr int at = statement_of_input<Ref>(entry);
      if constexpr (at >= 0) {
        const element_t<canonical<Ref>::value[at].type> x =
            static_cast<element_t<canonical<Ref>::value[at].type>>(value);
        __builtin_memcpy(&numbers[entry], &x, sizeof x);
      }
      bound[entry] = {&numbers[entry], dimensions(), host, true};
    } else if constexpr (requires { value.view().by_row; }) {
      bound[entry] = {&value.view(), value.shape(), value.place()};
    } else if constexpr (is_of_sequence<V>) {
      bound[entry] = {value.of(), {value.of()->all_edges}, value.of()->place};
      bound[entry].weights_of = value.of();
    } else if constexpr (requires { value.values(); }) {
      bound[entry] = {value.values().data(), value.values().shape(), value.place(), false, value.edge_identity()};
    } else {
      bind_dense(bound[entry], value);
    }
  }
  /// One function for all dense inputs of a type.
  template <class V> [[gnu::noinline]] static void bind_dense(bound_input& to, const V& value) {
    to = {value.data(), value.shape(), value.place()};
  }
  template <class Symbol, class V, bool Fixed> void take(const binding<Symbol, V, Fixed>& b) {
    bind<typename Symbol::name>(b.value);
  }
  template <class Set> void take(const fixed_reference<Set>& set) { take(set.value); }
  template <class Set> void take(const temporary_set<Set>& set) { take(std::as_const(set.value)); }
  template <InputsByName All> void take(const All& all) { all.bind_to(view_of(canonical<Ref>::value), bound); }
  template <class... Named> void take(const named_values<Named...>& set) {
    boost::hana::for_each(set.items(), [this](const auto& item) {
      this->template bind<typename std::remove_cvref_t<decltype(item)>::name>(item.value);
    });
  }
};

/// A call's references after its end, as a tape has them: views of a tape's memory share in it, temporaries are taken
/// over, copied if they are const, and everything else is its user's to keep.
template <class Ref> class held_inputs {
 public:
  /// `inputs` gets the new places of copies.
  template <class Symbol, class V, bool Fixed> void take(const binding<Symbol, V, Fixed>& b, call_inputs<Ref>& inputs) {
    hold<typename Symbol::name>(b.value, b.is_temporary, inputs);
  }
  template <class Set> void take(const fixed_reference<Set>& set, call_inputs<Ref>& inputs) { take(set.value, inputs); }
  template <class... Named> void take(const named_values<Named...>& set, call_inputs<Ref>& inputs) {
    hold_all(set, false, inputs);
  }
  template <InputsByName All> void take(const All&, call_inputs<Ref>&) {}  // their user keeps them
  template <class Set> void take(const temporary_set<Set>& set, call_inputs<Ref>& inputs) {
    hold_all(set.value, true, inputs);
  }
  /// One more share in the memory of a dense input: for a taken-over input that is the call's alone, a share in the
  /// call. Nothing if its user keeps it.
  memory share(std::int64_t entry, memory_keeper* call) const {
    if (dense_[entry] == nullptr) return {};
    memory shared = share_of(dense_[entry].get_deleter().keeper);
    return shared != nullptr ? std::move(shared) : share_of(call);
  }
  /// All but inputs that are the call's alone and `stays(entry)`.
  template <class Stays> void let_go(const Stays& stays) noexcept {
    for (int i = 0; i < count; ++i)
      if (!stays(i) || share_of(dense_[i].get_deleter().keeper) != nullptr) dense_[i].reset();
    for (std::shared_ptr<const void>& s : sparse_) s.reset();
  }

 private:
  template <class Set> void hold_all(Set& set, bool is_temporary, call_inputs<Ref>& inputs) {
    boost::hana::for_each(set.items(), [&](auto& item) {
      this->template hold<typename std::remove_cvref_t<decltype(item)>::name>(item.value, is_temporary, inputs);
    });
  }
  template <class Name, class V> void hold(V& value, bool is_temporary, call_inputs<Ref>& inputs) {
    constexpr int entry = entry_of<Ref>(Name::view());
    if constexpr (requires { value.view().by_row; }) {
      sparse_[entry] = value.share();
    } else if constexpr (!std::is_arithmetic_v<V> && !is_of_sequence<V>) {  // the call holds the sequence
      if constexpr (std::is_const_v<V>) {
        dense_[entry] = value.share();
        if (is_temporary && dense_[entry] == nullptr && tensor_of(value).owns_memory())
          inputs.bound[entry].data = copied(entry, tensor_of(value).data(), tensor_of(value).bytes(), value.place());
      } else {
        dense_[entry] = is_temporary ? std::move(value).share() : value.share();
      }
    }
  }
  const void* copied(int entry, const void* data, std::int64_t bytes, location lies) {
    dense_[entry] = allocate_at(lies, bytes, false, "tensor");
    copy_memory(lies, dense_[entry].get(), lies, data, bytes);
    return dense_[entry].get();
  }

  static constexpr int count = canonical<Ref>::value.room.inputs;
  memory dense_[room_for(count)];
  std::shared_ptr<const void> sparse_[room_for(count)];
};

}  // namespace stg::detail
