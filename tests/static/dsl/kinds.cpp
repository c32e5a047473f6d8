// Vertex sets and relations: what their values are, and where programs have them.
#include <stg/analysis/verify.hpp>  // verify
#include <stg/stg.hpp>              // vertex_set, relation, trace

namespace stg {
namespace {

constexpr auto author = vertex_set<"author">;
constexpr auto paper = vertex_set<"paper">;
constexpr auto writes = relation<"writes", author, paper>;
constexpr auto x = author.feature<"x", 4>;
constexpr auto y = paper.feature<"y", f64>;
constexpr auto w = writes.feature<"w", i32>;

static_assert(x.type == f32 && y.type == f64 && w.type == i32);
static_assert(std::is_same_v<decltype(x)::dims, shape<4>>);
static_assert(!x.trainable && trainable(x).trainable);

/// The space of what a lambda returns.
template <class F>
using space_of = typename detail::signature<decltype(std::declval<F>()(std::declval<vertex_view>()))>::where;
constexpr auto per_edge = [](auto g) { return g(paper).in_edges(writes).src(x); };
constexpr auto per_paper = [](auto g) { return sum(g(paper).in_edges(writes).src(x)); };
constexpr auto per_author = [](auto g) { return max(g(author).out_edges(writes).dst(y)); };
static_assert(detail::is_edge<space_of<decltype(per_edge)>>);
static_assert(std::is_same_v<detail::owner_of<space_of<decltype(per_edge)>>,
                             space::vertices_of<std::remove_const_t<decltype(paper)>>>);
static_assert(std::is_same_v<space_of<decltype(per_paper)>, space::vertices_of<std::remove_const_t<decltype(paper)>>>);
static_assert(
    std::is_same_v<space_of<decltype(per_author)>, space::vertices_of<std::remove_const_t<decltype(author)>>>);

/// A set is told by its name: one that is declared again is the same.
constexpr auto again = vertex_set<"author">;
static_assert(std::is_same_v<decltype(again), decltype(author)>);

static_assert(pass::verify(trace(per_paper)) == pass::finding());
static_assert(trace(per_paper).kinds.size() == 3);
static_assert([] {
  const ir::program p = trace(per_paper);
  const ir::statement& s = p[p.outputs[0].at];
  return s.where == ir::domain(ir::space::vertex, p.destination_set(p.operand(s, 0).where.set)) &&
         p.kinds[s.where.set - 1].name.view() == "paper";
}());
/// A plain program has no kinds, and all of it is of number 0.
static_assert([] {
  const ir::program p = trace([](auto v) { return mean(v.in_edges().src(v(vertex_feature<"z", 3>))); });
  for (const ir::statement& s : p.statements)
    if (s.where.set != 0) return false;
  return p.kinds.empty();
}());

}  // namespace
}  // namespace stg
