// Calls on blocks: the form of a program that computes each hop's rows alone, and the bindings and checks of such a
// call.
#pragma once

#include <cstddef>  // byte, size_t
#include <span>     // span
#include <utility>  // integer_sequence

#include <stg/base/room.hpp>           // room_for
#include <stg/call/fixed.hpp>          // bound_program, no_prologue, prologue
#include <stg/compile.hpp>             // canonical, room_like
#include <stg/pass/by_hops.hpp>        // by_hops, block_mistake_in
#include <stg/runtime/call_graph.hpp>  // call_graph
#include <stg/runtime/kinds.hpp>       // kinds_of_call

namespace stg {

/// Program Ref over the hops of blocks; the inputs of these entries get gradients.
template <class Ref, int... Entry> struct over_hops { using results = typename Ref::results; };

namespace stage {
/// The program of Ref as hops are found in it.
template <class Ref, bool HasGradient> constexpr ir::program written() {
  return pass::written_for_hops(stg::canonical<Ref>::value.thaw(), HasGradient);
}

template <class Ref, int... Entry> struct by_hops {
  static constexpr ir::program_sizes room = [] {
    ir::program_sizes n = ir::sizes_of(written<Ref, (sizeof...(Entry) > 0)>());
    n.inputs += n.statements;
    n.statements = 3 * n.statements + 32;
    n.kinds = 256;
    return n;
  }();
  static constexpr ir::program_sizes called_room = [] {  // gradients of layers' own, at each of their hops
    ir::program_sizes n = ir::called_sizes(written<Ref, (sizeof...(Entry) > 0)>());
    n.inputs += n.statements;
    n.statements *= 3;
    n.callees *= 2;
    return n;
  }();
  static constexpr pass::program_by_hops made() {
    return pass::by_hops(written<Ref, (sizeof...(Entry) > 0)>(), sequence<int>{Entry...});
  }
  static constexpr ir::program make() { return made().program; }
};

/// The facts for a call beside the program.
template <class Ref, int... Entry> struct hop_lists {
  struct numbers {
    int kinds, again, hops;
  };
  static constexpr numbers count = [] {
    const pass::program_by_hops p = by_hops<Ref, Entry...>::made();
    return numbers{p.kinds.size(), p.again.size(), p.hops};
  }();
  struct lists {
    ir::block_kind kinds[room_for(count.kinds)]{};
    int again[room_for(count.again)]{};
  };
  static constexpr lists value = [] {
    const pass::program_by_hops p = by_hops<Ref, Entry...>::made();
    lists l;
    for (int k = 0; k < count.kinds; ++k) l.kinds[k] = p.kinds[k];
    for (int k = 0; k < count.again; ++k) l.again[k] = p.again[k];
    return l;
  }();
};
}  // namespace stage

template <class Ref, int... Entry>
struct canonical<over_hops<Ref, Entry...>> : ir::stored<stage::by_hops<Ref, Entry...>> {};

namespace detail {

template <class Ref, int... Entry> struct bound_program<over_hops<Ref, Entry...>> { using type = Ref; };

/// Nothing runs before a call on blocks; inputs that several hops read are bound once.
template <class Ref, int... Entry, class Backend>
class prologue<over_hops<Ref, Entry...>, Backend> : public no_prologue {
  static_assert(canonical<over_hops<Ref, Entry...>>::value.room.extents == canonical<Ref>::value.room.extents,
                "stg internal: extents are those of the program that was written over hops");

 public:
  template <class Inputs> std::byte* input(const Inputs& inputs, int entry) const {
    constexpr int bound = canonical<Ref>::value.room.inputs;
    if (entry >= bound) entry = stage::hop_lists<Ref, Entry...>::value.again[entry - bound];
    return no_prologue::input(inputs, entry);
  }
};

/// Finds a call's kinds for the program that it runs.
template <class Ref> struct kinds_for {
  template <int Count> static void find(kinds_of_call<Count>& kinds, const call_graph& on) {
    kinds.find(view_of(canonical<bound_program_t<Ref>>::value).kinds, on.outside());
  }
};
template <class Ref, int... Entry> struct kinds_for<over_hops<Ref, Entry...>> {
  template <int Count> static void find(kinds_of_call<Count>& kinds, const call_graph& on) {
    using lists = stage::hop_lists<Ref, Entry...>;
    if constexpr (Count > 0) {
      const std::span<const ir::block_kind> wanted(lists::value.kinds, static_cast<std::size_t>(Count));
      on.hops().find(view_of(canonical<Ref>::value).kinds, wanted, lists::count.hops, kinds.room());
    }
  }
};

/// The program of a call on blocks. Entries: of inputs that get gradients.
template <class Ref, class Entries> struct form_over_hops;
template <class Ref, int... Entry> struct form_over_hops<Ref, std::integer_sequence<int, Entry...>> {
  using type = over_hops<Ref, Entry...>;
  static constexpr pass::block_mistake wrong =
      pass::block_mistake_in(stage::written<Ref, (sizeof...(Entry) > 0)>(), sequence<int>{Entry...});
};
template <class Ref, class Entries> using over_hops_of = typename form_over_hops<Ref, Entries>::type;

}  // namespace detail

}  // namespace stg
