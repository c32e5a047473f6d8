// cuSPARSE as a user at home with it calls it: descriptors and buffers made once, and every algorithm tried.
#pragma once

#include <stg/runtime/cuda/stream.hpp>  // device
#include <stg/runtime/graph.hpp>        // graph, tensor

#include <memory>  // unique_ptr
#include <string>  // string
#include <vector>  // vector

namespace device_bench {

/// The in-edges of a graph on a device as cuSPARSE reads fastest: 32-bit offsets and ids. Row = destination.
struct csr_rows {
  stg::tensor<std::int32_t> offsets, neighbours;  // (vertices + 1), (edges)
  std::int64_t vertices = 0, edges = 0;
};
/// Of a graph on the host. Error for more than 2^31 - 1 edges.
csr_rows make_csr(const stg::graph& g, stg::location where);

/// y = A x by cusparseSpMM on the device's own stream: A has `rows` and the values w by edge id, x and y are (vertices,
/// width), row-major. All CSR algorithms are tried when it is made, with cusparseSpMM_preprocess, three calls each;
/// `run` is the fastest of those that the library takes. Arrays must live as long.
///
///   sparse_product multiply(rows, w.data(), x.data(), y.data(), 64);
///   multiply.run();
class sparse_product {
 public:
  sparse_product(const csr_rows& rows, float* w, float* x, float* y, std::int64_t width);
  sparse_product(const sparse_product&) = delete;
  ~sparse_product();

  void run();
  /// "alg2", and the milliseconds of each that was tried.
  const std::string& algorithm() const { return algorithm_; }
  const std::vector<std::pair<std::string, double>>& tried() const { return tried_; }

 private:
  struct prepared;
  std::unique_ptr<prepared> best_;
  std::string algorithm_;
  std::vector<std::pair<std::string, double>> tried_;
};

}  // namespace device_bench
