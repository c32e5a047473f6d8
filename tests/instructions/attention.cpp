// Attention from given scores: eight heads of eight, and one of 64.
#include "layer.hpp"  // add_forward, add_backward

#include <bench/layers.hpp>  // attention_of

namespace instructions {
namespace {

template <int Heads, int Dim> struct inputs {
  explicit inputs(const stg::graph& on)
      : on(on),
        h(numbers({on.vertices(), Heads, Dim}, 1)),
        el(numbers({on.vertices(), Heads, 1}, 2)),
        er(numbers({on.vertices(), Heads, 1}, 3)) {}
  stg::graph on;
  stg::tensor<float> h, el, er;
};

template <int Heads, int Dim> void add_both(std::vector<kernel>& all, const stg::graph& on) {
  using layer = layers::attention_of<Heads, Dim>;
  const auto bind = [in = std::make_shared<inputs<Heads, Dim>>(on)](auto call) {
    return call(in->on, layer::h = in->h, layer::el = in->el, layer::er = in->er);
  };
  const std::string name = "attention_" + std::to_string(Heads) + "x" + std::to_string(Dim);
  add_forward<layer::attention>(all, name + "_forward", on.edges(), bind);
  add_backward<layer::attention>(all, name + "_backward", on.edges(), bind);
}

}  // namespace

void add_attention(std::vector<kernel>& all, const stg::graph& on) {
  add_both<8, 8>(all, on);
  add_both<1, 64>(all, on);
}

}  // namespace instructions
