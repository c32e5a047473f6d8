// A program of fixed size: the form of a constexpr variable between two passes, and of the program that a kernel reads.
#pragma once

#include <stg/base/room.hpp>      // room_for
#include <stg/base/sequence.hpp>  // first_of
#include <stg/ir/program.hpp>     // program
#include <stg/ir/tables.hpp>      // STG_TABLES

namespace stg::ir {

/// How many of everything a program has: the sizes of its frozen form.
struct program_sizes {
#define STG_TABLE(type, member) int member = 0;
  STG_TABLES(STG_TABLE)
#undef STG_TABLE
  int callees = 0;  // of itself; in a sum over programs, all of them
  int kinds = 0;    // of a program, which shares them with its callees

  constexpr void add(const program_sizes& n) {
#define STG_TABLE(type, member) member += n.member;
    STG_TABLES(STG_TABLE)
#undef STG_TABLE
  }
  constexpr bool fits(const program_sizes& room) const {
#define STG_TABLE(type, member) member <= room.member&&
    return STG_TABLES(STG_TABLE) callees <= room.callees && kinds <= room.kinds;
#undef STG_TABLE
  }
};

constexpr program_sizes sizes_of(const program& p) {
  program_sizes n;
#define STG_TABLE(type, member) n.member = p.member.size();
  STG_TABLES(STG_TABLE)
#undef STG_TABLE
  n.callees = p.callees.size();
  n.kinds = p.kinds.size();
  return n;
}

/// The sizes of all programs that p calls, directly or through others, together.
constexpr program_sizes called_sizes(const program& p) {
  program_sizes n;
  for (const program& c : p.callees) {
    const program_sizes below = called_sizes(c);
    n.add(sizes_of(c));
    n.add(below);
    n.callees += below.callees + 1;
  }
  return n;
}

namespace detail {

constexpr void copy_elements(const auto& elements, auto* to, int how_many) {
  const auto* const from = first_of(elements);
  for (int nth = 0; nth < how_many; ++nth) to[nth] = from[nth];
}
/// Copies the arrays of one program, n elements each, into arrays that hold several, from `at` on.
template <class From, class Into>
constexpr void copy_arrays(const From& from, Into& into, const program_sizes& n, const program_sizes& at = {}) {
#define STG_TABLE(type, member) copy_elements(from.member, into.member + at.member, n.member);
  STG_TABLES(STG_TABLE)
#undef STG_TABLE
}
/// And back into a program.
template <class From>
constexpr void append_arrays(const From& from, const program_sizes& at, program& into, const program_sizes& n) {
#define STG_TABLE(type, member) into.member.append(from.member + at.member, n.member);
  STG_TABLES(STG_TABLE)
#undef STG_TABLE
}

}  // namespace detail

/// The callees of a program that calls none.
struct no_callees {
  static constexpr program_sizes room{};
  constexpr void write(const program&, program_sizes&) {}
  constexpr void read(program&, int, program_sizes&) const {}
  template <class From> constexpr void take(const From&, const program_sizes&) {}
};

/// Programs that a frozen one calls, one behind the other: each before its own callees.
template <program_sizes Room> struct frozen_callees {
  static constexpr program_sizes room = Room;

#define STG_TABLE(type, member) type member[room_for(room.member)]{};
  STG_TABLES(STG_TABLE)
#undef STG_TABLE
  program_sizes sizes[room_for(room.callees)]{};
  int forward_outputs[room_for(room.callees)]{};

  /// Writes p's callees, from `at` on.
  constexpr void write(const program& p, program_sizes& at) {
    for (const program& c : p.callees) {
      const program_sizes n = sizes_of(c);
      forward_outputs[at.callees] = c.forward_outputs;
      sizes[at.callees++] = n;
      detail::copy_arrays(c, *this, n, at);
      at.add(n);
      write(c, at);
    }
  }
  /// Gives p the `count` programs that begin at `at`.
  constexpr void read(program& p, int count, program_sizes& at) const {
    for (int nth = 0; nth < count; ++nth) {
      const program_sizes n = sizes[at.callees];
      program c;
      c.forward_outputs = forward_outputs[at.callees++];
      detail::append_arrays(*this, at, c, n);
      c.kinds = p.kinds;
      at.add(n);
      read(c, n.callees, at);
      p.callees.push_back(c);
    }
  }
  /// Takes n elements each of another one; nothing from one without room, which was left out.
  constexpr void take(const no_callees&, const program_sizes&) {}
  template <class From> constexpr void take(const From& from, const program_sizes& n) {
    detail::copy_arrays(from, *this, n);
    for (int nth = 0; nth < n.callees; ++nth) {
      sizes[nth] = from.sizes[nth];
      forward_outputs[nth] = from.forward_outputs[nth];
    }
  }
};

/// Plain arrays, each one longer than its count so that none is empty.
template <program_sizes Room, class Called = no_callees> struct frozen_program {
  static constexpr program_sizes room = Room;
  static constexpr int size = room.statements;
  /// The statements of all callees included.
  static constexpr int total_size = size + Called::room.statements;
  using called_type = Called;

#define STG_TABLE(type, member) type member[room_for(room.member)]{};
  STG_TABLES(STG_TABLE)
#undef STG_TABLE
  kind kinds[room_for(room.kinds)]{};
  int forward_outputs = 0;
  mistake wrong = mistake::none;  // of the lambda that it was traced from
  Called called{};

  constexpr const statement& operator[](value_id at) const { return statements[at]; }

  /// The same program in the form that passes read and write.
  constexpr program thaw() const { return thaw(room); }
  /// As much of it as n says.
  constexpr program thaw(const program_sizes& n) const {
    program p;
    p.forward_outputs = forward_outputs;
    program_sizes at;
    detail::append_arrays(*this, at, p, n);
    if (n.kinds > 0) p.kinds.append(kinds, n.kinds);
    called.read(p, n.callees, at);
    return p;
  }
};

namespace detail {
template <class Frozen, class From> constexpr void freeze_own(const From& p, const program_sizes& n, Frozen& into) {
  copy_arrays(p, into, n);
  for (int nth = 0; nth < n.kinds; ++nth) into.kinds[nth] = p.kinds[nth];
  into.forward_outputs = p.forward_outputs;
  into.wrong = p.wrong;
}
}  // namespace detail

/// Writes a program of these sizes if there is room: giving it back would copy all of the room.
template <class Frozen> constexpr void freeze_into(const program& p, const program_sizes& n, Frozen& into) {
  detail::freeze_own(p, n, into);
  program_sizes at;
  into.called.write(p, at);
}
/// A program of these sizes.
template <class Frozen> constexpr Frozen freeze(const program& p, const program_sizes& n) {
  Frozen f;
  freeze_into(p, n, f);
  return f;
}
/// Takes a part of a frozen program, of itself and of its callees, by the sizes.
template <class Frozen, class From>
constexpr Frozen freeze(const From& from, const program_sizes& n, const program_sizes& called) {
  Frozen f;
  detail::freeze_own(from, n, f);
  f.called.take(from.called, called);
  return f;
}

/// Room for a program of unknown size; one with tags is made again.
inline constexpr program_sizes ample_room = {.statements = 1024,
                                             .inputs = 128,
                                             .extents = 32,
                                             .outputs = 256,
                                             .scopes = 64,
                                             .scope_sets = 128,
                                             .names = 128,
                                             .checks = 16,
                                             .decisions = 16,
                                             .kinds = 8};
/// Ample room for its callees: little, since few programs call others.
inline constexpr program_sizes ample_called_room = {.statements = 96,
                                                    .inputs = 24,
                                                    .extents = 2,
                                                    .outputs = 16,
                                                    .scopes = 8,
                                                    .scope_sets = 16,
                                                    .names = 8,
                                                    .checks = 2,
                                                    .decisions = 8,
                                                    .callees = 4};

/// The room that Make says its program needs at most, or ample room.
template <class Make> constexpr program_sizes room_of() {
  if constexpr (requires { Make::room; }) return Make::room;
  else return ample_room;
}
/// The same for all of its callees.
template <class Make> constexpr program_sizes called_room_of() {
  if constexpr (requires { Make::called_room; }) return Make::called_room;
  else if constexpr (requires { Make::room; }) return program_sizes();
  else return ample_called_room;
}

/// The type that holds the called programs in a frozen program with this room.
template <program_sizes Room, int Programs> struct called_in_room { using type = frozen_callees<Room>; };
template <program_sizes Room> struct called_in_room<Room, 0> { using type = no_callees; };

/// A program and its sizes, before the sizes are constants; in a Frozen that has room. One without room is left out.
template <class Frozen> struct roomy_program {
  program_sizes sizes{}, called{};
  Frozen held{};

  constexpr explicit roomy_program(const program& p) : sizes(sizes_of(p)), called(called_sizes(p)) {
    held.wrong = p.wrong;
    if (fits()) freeze_into(p, sizes, held);
  }
  constexpr bool fits() const {
    program_sizes own = sizes;
    own.callees = 0;
    return own.fits(Frozen::room) && called.fits(Frozen::called_type::room);
  }
  constexpr program thaw() const { return held.thaw(fits() ? sizes : program_sizes()); }
};

namespace detail {
template <class Make> struct roomy_of {
  static constexpr program_sizes own = room_of<Make>(), called = called_room_of<Make>();
  using type = roomy_program<frozen_program<own, typename called_in_room<called, called.callees>::type>>;
};
}  // namespace detail

/// The frozen program that has the room of Make.
template <class Make> using roomy = typename detail::roomy_of<Make>::type;

/// Holds the program that Make::make() returns as a constant: `stored<Make>::value`. Makes it once, in ample room, and
/// cuts the room to size: making it twice, for the sizes and for the value, would double the time of the passes.
template <class Make> struct stored {
 private:
  static constexpr auto cut_to_size() {
    // clang shows the next line for a program beyond its budget; g++ names its flag.
    constexpr roomy<Make> made = roomy<Make>(Make::make());  // stg: raise -fconstexpr-steps=
    constexpr program_sizes n = made.sizes, c = made.called;
    using frozen = frozen_program<n, typename called_in_room<c, c.callees>::type>;
    if constexpr (made.fits()) return freeze<frozen>(made.held, n, c);
    else return freeze<frozen>(Make::make(), n);
  }

 public:
  static constexpr auto value = cut_to_size();
};

}  // namespace stg::ir
