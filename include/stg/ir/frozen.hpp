// A program of fixed size: what a constexpr variable holds between two passes, and what a kernel reads.
#pragma once

#include <stg/base/room.hpp>   // room_for
#include <stg/ir/program.hpp>  // program

namespace stg::ir {

/// How many of everything a program has: the sizes of its frozen form.
struct program_sizes {
  int statements = 0, inputs = 0, extents = 0, outputs = 0, scopes = 0, names = 0, checks = 0;
};

constexpr program_sizes sizes_of(const program& p) {
  program_sizes n;
  n.statements = p.size();
  n.inputs = p.inputs.size();
  n.extents = p.extents.size();
  n.outputs = p.outputs.size();
  n.scopes = p.scopes.size();
  n.names = p.names.size();
  n.checks = p.checks.size();
  return n;
}

/// Plain arrays, each one longer than its count so that none is empty.
template <int Statements, int Inputs, int Extents, int Outputs, int Scopes, int Names, int Checks>
struct frozen_program {
  static constexpr int size = Statements;
  static constexpr int input_count = Inputs;
  static constexpr int extent_count = Extents;
  static constexpr int output_count = Outputs;
  static constexpr int scope_count = Scopes;
  static constexpr int name_count = Names;
  static constexpr int check_count = Checks;

  statement statements[room_for(Statements)]{};
  input inputs[room_for(Inputs)]{};
  polynomial extents[room_for(Extents)]{};
  output outputs[room_for(Outputs)]{};
  text scopes[room_for(Scopes)]{};
  label names[room_for(Names)]{};
  label_range checks[room_for(Checks)]{};

  constexpr const statement& operator[](value_id at) const { return statements[at]; }

  /// The same program in the form that passes read and write.
  constexpr program thaw() const {
    program_sizes n;
    n.statements = Statements;
    n.inputs = Inputs;
    n.extents = Extents;
    n.outputs = Outputs;
    n.scopes = Scopes;
    n.names = Names;
    n.checks = Checks;
    return thaw(n);
  }
  /// As much of it as n says.
  constexpr program thaw(const program_sizes& n) const {
    program p;
    p.statements.append(statements, n.statements);
    p.inputs.append(inputs, n.inputs);
    p.extents.append(extents, n.extents);
    p.outputs.append(outputs, n.outputs);
    p.scopes.append(scopes, n.scopes);
    p.names.append(names, n.names);
    p.checks.append(checks, n.checks);
    return p;
  }
};

/// As much of a program, or of a frozen one, as n says.
template <class Frozen, class From> constexpr Frozen freeze(const From& p, const program_sizes& n) {
  Frozen f;
  auto copy = [](const auto& elements, auto* room, int how_many) {
    for (int nth = 0; nth < how_many; ++nth) room[nth] = elements[nth];
  };
  copy(p.statements, f.statements, n.statements);
  copy(p.inputs, f.inputs, n.inputs);
  copy(p.extents, f.extents, n.extents);
  copy(p.outputs, f.outputs, n.outputs);
  copy(p.scopes, f.scopes, n.scopes);
  copy(p.names, f.names, n.names);
  copy(p.checks, f.checks, n.checks);
  return f;
}

/// Room for a program that nobody has counted.
inline constexpr program_sizes ample_room = {1024, 128, 32, 256, 64, 128, 16};

/// The room that Make says its program needs at most, or ample room.
template <class Make> constexpr program_sizes room_of() {
  if constexpr (requires { Make::room; }) return Make::room;
  else return ample_room;
}

/// A program and its sizes, before the sizes are constants; in a Frozen that has room. One without room is left out.
template <class Frozen> struct roomy_program {
  program_sizes sizes{};
  mistake wrong;
  Frozen held{};

  constexpr explicit roomy_program(const program& p) : sizes(sizes_of(p)), wrong(p.wrong) {
    if (fits()) held = freeze<Frozen>(p, sizes);
  }
  constexpr bool fits() const {
    return sizes.statements <= Frozen::size && sizes.inputs <= Frozen::input_count &&
           sizes.extents <= Frozen::extent_count && sizes.outputs <= Frozen::output_count &&
           sizes.scopes <= Frozen::scope_count && sizes.names <= Frozen::name_count &&
           sizes.checks <= Frozen::check_count;
  }
  constexpr program thaw() const { return held.thaw(fits() ? sizes : program_sizes()); }
};

/// The frozen program that has the room of Make.
template <class Make>
using roomy = roomy_program<
    frozen_program<room_of<Make>().statements, room_of<Make>().inputs, room_of<Make>().extents, room_of<Make>().outputs,
                   room_of<Make>().scopes, room_of<Make>().names, room_of<Make>().checks>>;

/// Holds the program that Make::make() returns as a constant: `stored<Make>::value`. Makes it once, in room enough, and
/// cuts that to size: making it twice, for the sizes and for the value, would double the time that passes take.
template <class Make> struct stored {
  // clang shows the next line where a program is beyond its budget; g++ names its flag.
  static constexpr roomy<Make> made = roomy<Make>(Make::make());  // stg: raise -fconstexpr-steps=
  static constexpr program_sizes sizes = made.sizes;
  using frozen = frozen_program<sizes.statements, sizes.inputs, sizes.extents, sizes.outputs, sizes.scopes, sizes.names,
                                sizes.checks>;
  static constexpr frozen value = made.fits() ? freeze<frozen>(made.held, sizes) : freeze<frozen>(Make::make(), sizes);
};

}  // namespace stg::ir
