// pna_towers of one tower is a pna_conv.
#include <stg/dsl/trace.hpp>  // trace
#include <stg/nn/conv.hpp>    // pna_conv, pna_towers

namespace stg {
namespace {

constexpr auto x = vertex_feature<"x", 4>;
constexpr auto A = parameter<"A", 4, 2>;
constexpr auto B = parameter<"B", 4, 2>;
constexpr auto U = parameter<"U", 28, 3>;

constexpr auto one_tower = [](auto v) { return nn::pna_towers(v, v(x), 1.5, nn::tower{A, B, U}); };
constexpr auto written_out = [](auto v) { return nn::pna_conv(v, v(x), A, B, U, 1.5); };
static_assert(trace(one_tower) == trace(written_out));

}  // namespace
}  // namespace stg
