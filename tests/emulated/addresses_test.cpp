// test: calls
// Where kernels find rows beyond 2³¹ and 2³² elements and bytes. Nothing there is read.
#include <stg/codegen/cuda/executable.hpp>  // executable
#include <stg/codegen/cuda/host.hpp>        // host_lane
#include <stg/codegen/cuda/sweep.hpp>       // unit_view, row_of
#include <stg/stg.hpp>                      // the language

#include <gtest/gtest.h>  // TEST

#include <cstdint>  // int64_t, uintptr_t

namespace stg {
namespace {

constexpr auto h = vertex_feature<"h", 3>;
constexpr auto w = edge_feature<"w", 5>;
constexpr auto program = [](auto v) {
  auto e = v.in_edges();
  return sum(sum(e.src(v(h)) * e.dst(v(h)), axis<0>) * e(w));
};

using P = gpu::executable<inferred<ref<program>>>;
using V = gpu::unit_view<P, 0>;
constexpr int loop = 0;

/// The statement of an input, or the gather of it from an end.
constexpr int statement(ir::opcode code, int operand_entry) {
  for (int i = 0; i < P::program.size; ++i) {
    const ir::statement& s = P::program.statements[i];
    const ir::statement& from =
        code == ir::opcode::input ? s : P::program.statements[s.operands[0] < 0 ? 0 : s.operands[0]];
    if (s.code == code && from.code == ir::opcode::input && from.entry() == operand_entry) return i;
  }
  return -1;
}
constexpr int entry_of_h = stg::detail::entry_of<ref<program>>("h"),
              entry_of_w = stg::detail::entry_of<ref<program>>("w");

constexpr std::int64_t around[] = {(std::int64_t{1} << 31) - 1, std::int64_t{1} << 31, (std::int64_t{1} << 31) + 1,
                                   (std::int64_t{1} << 32) - 1, std::int64_t{1} << 32, (std::int64_t{1} << 32) + 1};
std::byte* const base = reinterpret_cast<std::byte*>(std::uintptr_t{1} << 40);

struct addresses : ::testing::Test {
  gpu::arguments<V> call{codegen::launch()};
  gpu::host_lane lane;
  gpu::row_context<V, gpu::host_lane> c{lane, call, nullptr, nullptr};

  addresses() {
    for (std::byte*& at : call.memory) at = base;
  }
  template <class T> static std::int64_t bytes_from_base(T* at) { return reinterpret_cast<std::byte*>(at) - base; }
};

TEST_F(addresses, of_own_rows) {
  constexpr int x = statement(ir::opcode::input, entry_of_h);
  for (const std::int64_t row : around) {
    c.row = row;
    EXPECT_EQ(bytes_from_base(gpu::detail::row_of<V, gpu::no_loop, x>(c, 0)), row * 3 * 4);
  }
}

TEST_F(addresses, of_neighbours) {
  constexpr int x = statement(ir::opcode::gather_src, entry_of_h);
  for (const std::int32_t neighbour : {0x7fffffff, 0x7ffffffe, 0x2aaaaaab, 0x15555556}) {
    c.edges = adjacency(1, nullptr, &neighbour, nullptr);
    EXPECT_EQ(bytes_from_base(gpu::detail::row_of<V, loop, x>(c, 0)), std::int64_t{neighbour} * 3 * 4);
  }
}

TEST_F(addresses, of_edges) {
  constexpr int x = statement(ir::opcode::input, entry_of_w);
  for (const std::int64_t edge : around) {
    c.first = edge - 2;
    EXPECT_EQ(bytes_from_base(gpu::detail::row_of<V, loop, x>(c, 2)), edge * 5 * 4);
  }
}

TEST(rows, of_launches_are_counted_in_64_bits) {
  codegen::launch l;
  for (const std::int64_t vertices : around) {
    l.graph.vertices = vertices;
    const gpu::arguments<V> call(l);
    EXPECT_GE(call.blocks(vertices) * call.groups_per_block(), vertices);
    EXPECT_LT((call.blocks(vertices) - 1) * call.groups_per_block(), vertices);
  }
}

}  // namespace
}  // namespace stg
