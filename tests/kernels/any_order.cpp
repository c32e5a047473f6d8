// Compiled with a list of operations in another order: forms, and so the library's kernels, are those of the words.
#include <stg/codegen/cpu/form.hpp>  // key_of_unit
#include <stg/compile.hpp>           // inferred, executable
#include <stg/op/list.hpp>           // the language

using namespace stg;

static_assert(ir::opcode::gather_dst < ir::opcode::input && ir::opcode::sum_edges > ir::opcode::own_gradient,
              "the list is in another order");

constexpr auto row = vertex_feature<"row", extent<"F">>;
constexpr auto weight = edge_feature<"weight">;
constexpr auto largest = [](auto v) { return max(v.in_edges().src(row)); };
constexpr auto weighted = [](auto v) { return sum(v.in_edges().src(row) * v.in_edges()(weight)); };
template <const auto& F>
constexpr bool library_has = cpu::is_in_library(cpu::key_of_unit<executable<inferred<ref<F>>>, 0>);
static_assert(library_has<largest>);
static_assert(library_has<weighted>);
