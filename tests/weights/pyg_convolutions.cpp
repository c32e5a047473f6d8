// The part of pyg_layers that has convolutions: a file of its own, as it takes a minute to compile.
#include "more_convolutions.hpp"  // compare_polynomials

namespace stg::test {

void compare_all_convolutions(peer& p) {
  using namespace convolutions;
  compare_gcn(p);
  compare_gat_of_edges(p);
  compare_gin(p);
  compare_polynomials(p);
  compare_arma(p);
  compare_attention(p);
  compare_transformers(p);
  compare_aggregates(p);
  compare_pna(p);
  compare_gated(p);
  compare_rgcn(p);
}

}  // namespace stg::test
