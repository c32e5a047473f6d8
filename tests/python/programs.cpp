// The programs of a module for tests: attention, edge values in and out, vertex sets, a scan over graphs that change, a
// loss.
#include <stg/python.hpp>  // STG_PYTHON
#include <stg/stg.hpp>     // the language

namespace {

constexpr auto h = stg::vertex_feature<"h", 8, 16>;
constexpr auto el = stg::vertex_feature<"el", 8, 1>;
constexpr auto er = stg::vertex_feature<"er", 8, 1>;
constexpr auto attention = [](auto v) {
  auto e = v.in_edges();
  return sum(softmax(leaky_relu(e.src(el) + v(er), 0.2)) * e.src(h));
};

constexpr auto h64 = stg::vertex_feature<"h", stg::f64, 2, 3>;
constexpr auto el64 = stg::vertex_feature<"el", stg::f64, 2, 1>;
constexpr auto er64 = stg::vertex_feature<"er", stg::f64, 2, 1>;
constexpr auto attention_f64 = [](auto v) {
  auto e = v.in_edges();
  return sum(softmax(leaky_relu(e.src(el64) + v(er64), 0.2)) * e.src(h64));
};

constexpr auto x = stg::vertex_feature<"x", stg::extent<"F">>;
constexpr auto w = stg::edge_feature<"w">;
constexpr auto eps = stg::scalar<"eps">;
constexpr auto y = stg::vertex_feature<"y", stg::extent<"F">>;
constexpr auto message = stg::edge_feature<"message", stg::extent<"F">>;
constexpr auto weighted = [](auto v) {
  auto e = v.in_edges();
  return stg::outputs(y = (1 + eps) * v(x) + sum(e(w) * e.src(x)), message = e(w) * e.src(x));
};

constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto W = stg::parameter<"W", stg::extent<"F">, 3>;
constexpr auto loss = [](auto v) {
  auto e = v.in_edges();
  return cross_entropy(matmul(dropout(mean(e.src(x)), 0.5), W), v(label));
};

constexpr auto words = stg::sparse_feature<"words", stg::extent<"V">>;
constexpr auto table = stg::parameter<"table", stg::extent<"V">, 2>;
constexpr auto looked_up = [](auto v) { return sum(v.in_edges().src(matmul(v(words), table))); };

constexpr auto author = stg::vertex_set<"author">;
constexpr auto paper = stg::vertex_set<"paper">;
constexpr auto writes = stg::relation<"writes", author, paper>;
constexpr auto known = author.feature<"known", 4>;
constexpr auto share = writes.feature<"share">;
constexpr auto of_papers = [](auto g) {
  auto by = g(paper).in_edges(writes);
  return sum(by(share) * by.src(known));
};

constexpr auto seen = stg::over<"T">(stg::vertex_feature<"seen", 4>);
constexpr auto summed = [](auto v) {
  return stg::scan<"T">(
      v, [](auto v, auto state) { return state + sum(v.in_edges().src(seen)); }, stg::zeros<4>(v));
};

}  // namespace

STG_PYTHON(stg_test_programs, m) {
  m.program<attention>("attention", "Attention of eight heads.");
  m.training<attention, h, el, er>("attention");
  m.program<attention_f64>("attention_f64");
  m.training<attention_f64, h64, el64, er64>("attention_f64");
  m.program<weighted>("weighted");
  m.training<weighted, x, w>("weighted");
  m.loss<loss>("loss");
  m.program<looked_up>("looked_up");
  m.training<looked_up, table>("looked_up");
  m.program<of_papers>("of_papers");
  m.program<summed>("summed");
}
