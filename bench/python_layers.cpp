// The module that python_door.py measures.
#include <stg/python.hpp>  // STG_PYTHON
#include <stg/stg.hpp>     // the language

namespace {

constexpr auto h = stg::vertex_feature<"h", 8, 16>;
constexpr auto el = stg::vertex_feature<"el", 8, 1>;
constexpr auto er = stg::vertex_feature<"er", 8, 1>;
constexpr auto gat = [](auto v) {
  auto e = v.in_edges();
  return sum(softmax(leaky_relu(e.src(el) + v(er), 0.2)) * e.src(h));
};

}  // namespace

STG_PYTHON(bench_layers, m) {
  m.program<gat>("gat");
  m.training<gat, h, el, er>("gat");
}
