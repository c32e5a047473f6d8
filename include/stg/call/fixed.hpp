// Calls with fixed inputs: the form of the program that they run, and the results of its prologue.
#pragma once

#include <cstddef>      // byte
#include <cstdint>      // int64_t, uint64_t
#include <memory>       // shared_ptr
#include <optional>     // optional
#include <type_traits>  // is_same_v
#include <utility>      // integer_sequence

#include <stg/base/room.hpp>       // room_for
#include <stg/call/bindings.hpp>   // items_of, times_bound, input_name
#include <stg/call/inference.hpp>  // run_plainly
#include <stg/compile.hpp>         // with_fixed, prologue_of
#include <stg/runtime/kept.hpp>    // kept_store

namespace stg::detail {

// ---- which form ----

template <class Arg> struct fixed_items_of { using type = bound_items<>; };
template <class Symbol, class V>
struct fixed_items_of<binding<Symbol, V, true>> : items_of<binding<Symbol, V, true>> {};
template <class Set> struct fixed_items_of<fixed_reference<Set>> : items_of<fixed_reference<Set>> {};
template <class... Symbol> struct fixed_items_of<fixed_symbols<Symbol...>> {
  using type = bound_items<bound_item<typename Symbol::name, void, Symbol>...>;
};
template <class Arg>
inline constexpr bool fixes_something = !std::is_same_v<typename fixed_items_of<Arg>::type, bound_items<>>;

template <class... Arg>
using all_fixed_items = typename join_items<typename fixed_items_of<std::remove_cvref_t<Arg>>::type...>::type;

template <class Ref, class Items> struct fixed_entries_of;
template <class Ref, class... Item> struct fixed_entries_of<Ref, bound_items<Item...>> {
  static constexpr int inputs = canonical<Ref>::value.room.inputs;
  struct list {
    int at[room_for(inputs)]{};
    int count = 0;
  };
  static constexpr bool has(int entry) { return (... || (entry_of<Ref>(Item::name::view()) == entry)); }
  static constexpr list entries = [] {
    list l;
    for (int i = 0; i < inputs; ++i)
      if (has(i)) l.at[l.count++] = i;
    return l;
  }();
  template <int... K> static constexpr auto sequence(std::integer_sequence<int, K...>) {
    return std::integer_sequence<int, entries.at[K]...>();
  }
  using type = decltype(sequence(std::make_integer_sequence<int, entries.count>()));
};
/// The entries of a program's inputs that these bindings fix, ascending.
template <class Ref, class... Arg> using fixed_entries = typename fixed_entries_of<Ref, all_fixed_items<Arg...>>::type;

/// The form of a program for some fixed entries: the program itself if nothing would be kept.
template <class Ref, bool Training, class Entries> struct form_with;
template <class Ref, bool Training, int... Entry>
struct form_with<Ref, Training, std::integer_sequence<int, Entry...>> {
  using type =
      std::conditional_t<stage::hoisted<Ref, Training, Entry...>::kept == 0, Ref, with_fixed<Ref, Training, Entry...>>;
};
template <bool Any, class Ref, bool Training, class... Arg> struct form_of_call { using type = Ref; };
template <class Ref, bool Training, class... Arg>
struct form_of_call<true, Ref, Training, Arg...> : form_with<Ref, Training, fixed_entries<Ref, Arg...>> {};
/// The program that a call with these bindings runs.
template <class Ref, bool Training, class... Arg>
using form_of = typename form_of_call<(... || fixes_something<std::remove_cvref_t<Arg>>), Ref, Training, Arg...>::type;

/// Whether bindings fix an input that a gradient is made for.
template <class Ref, class Items, int... Entry> constexpr bool fixes_any_of(std::integer_sequence<int, Entry...>) {
  return (... || fixed_entries_of<Ref, Items>::has(Entry));
}
template <bool Any, class Ref, class Entries, class... Arg> inline constexpr bool fixes_required_in = false;
template <class Ref, class Entries, class... Arg>
inline constexpr bool fixes_required_in<true, Ref, Entries, Arg...> =
    fixes_any_of<Ref, all_fixed_items<Arg...>>(Entries());
template <class Ref, class Entries, class... Arg>
inline constexpr bool fixes_required =
    fixes_required_in<(... || fixes_something<std::remove_cvref_t<Arg>>), Ref, Entries, Arg...>;

// ---- kept values ----

/// The program whose inputs a call of Ref binds.
template <class Ref> struct bound_program { using type = Ref; };
template <class Ref, bool Training, int... Entry> struct bound_program<with_fixed<Ref, Training, Entry...>> {
  using type = Ref;
};
template <class Ref> using bound_program_t = typename bound_program<Ref>::type;

/// Nothing runs before a call.
struct no_prologue {
  template <class Backend> void measure(const Backend&, const call_sizes&) {}
  /// Bytes of the kept values, and of the prologue's work.
  std::int64_t kept_bytes() const { return 0; }
  std::int64_t working_bytes() const { return 0; }
  template <class Backend, class Inputs>
  void run(const Backend&, const kept_store&, const call_graph&, const call_sizes&, const Inputs&, std::byte*) {}
  /// The place of a program's input.
  template <class Inputs> std::byte* input(const Inputs& inputs, int entry) const {
    return static_cast<std::byte*>(const_cast<void*>(inputs.bound[entry].data));
  }
};

/// The prologue of one call. A program without fixed inputs has none.
template <class Ref, class Backend = default_backend> class prologue : public no_prologue {};

template <class Ref, bool Training, int... Entry, class Backend>
class prologue<with_fixed<Ref, Training, Entry...>, Backend> {
  using form = with_fixed<Ref, Training, Entry...>;
  using program = prologue_of<form>;
  using memory = inference_memory<program, Backend>;
  static constexpr int count = memory::outputs;
  static_assert(canonical<form>::value.room.extents == canonical<Ref>::value.room.extents &&
                    canonical<program>::value.room.extents == canonical<Ref>::value.room.extents,
                "stg internal: extents are those of the program that was cut");

 public:
  /// Measures a call of these sizes.
  void measure(const Backend& backend, const call_sizes& n) {
    kept_bytes_ = 0;
    for (int k = 0; k < count; ++k) {
      at_[k] = kept_bytes_;
      kept_bytes_ +=
          (bytes_of_value(canonical<program>::value[canonical<program>::value.outputs[k].at], n) + 63) / 64 * 64;
    }
    memory_.emplace(n, backend);
  }
  std::int64_t kept_bytes() const { return kept_bytes_; }
  std::int64_t working_bytes() const { return memory_->bytes(); }

  /// Finds the kept values, or computes them in a block of working_bytes(), by the count of measure(): scratch for as
  /// many threads, whatever set_threads says by now.
  template <class Inputs>
  void run(const Backend& backend, const kept_store& store, const call_graph& on, const call_sizes& n,
           const Inputs& inputs, std::byte* block) {
    static constexpr char tag = 0;
    const fixed_input fixed[] = {key_of(inputs, Entry)...};
    constexpr int extents = canonical<Ref>::value.room.extents;
    kept_.reset();  // so that its memory can be used again
    kept_ = store.get({&tag, &on.outside(), fixed, sizeof...(Entry), n.extents, extents}, kept_bytes_,
                      computation<Inputs>(*this, backend, on, n, inputs, block));
  }
  template <class Inputs> std::byte* input(const Inputs& inputs, int entry) const {
    constexpr int bound = canonical<Ref>::value.room.inputs;
    if (entry >= bound) return static_cast<std::byte*>(kept_.get()) + at_[entry - bound];
    return static_cast<std::byte*>(const_cast<void*>(inputs.bound[entry].data));
  }

 private:
  template <class Inputs> struct computation final : kept_computation {
    prologue& once;
    const Backend& backend;
    const call_graph& on;
    const call_sizes& n;
    const Inputs& inputs;
    std::byte* block;

    computation(prologue& first, const Backend& runs, const call_graph& over, const call_sizes& sizes,
                const Inputs& given, std::byte* room)
        : once(first), backend(runs), on(over), n(sizes), inputs(given), block(room) {}
    void operator()(std::byte* kept) const override {
      std::byte* to[room_for(count)];
      for (int k = 0; k < count; ++k) to[k] = kept + once.at_[k];
      run_plainly<program>(
          backend, *once.memory_, on, n, [this](int entry) { return once.input(inputs, entry); }, to, block);
    }
  };

  template <class Inputs> static fixed_input key_of(const Inputs& inputs, int entry) {
    const bound_input& bound = inputs.bound[entry];
    if (bound.is_number)  // wherever it was brought
      return {nullptr, bound.shape, __builtin_bit_cast(std::uint64_t, inputs.numbers[entry])};
    return {bound.data, bound.shape, 0};
  }

  std::int64_t kept_bytes_ = 0;
  std::int64_t at_[room_for(count)]{};  // the place of each value among the kept ones
  std::optional<memory> memory_;        // of the computation, once measured
  std::shared_ptr<void> kept_;
};

}  // namespace stg::detail
