// cusparseSpMM with everything that can be made beforehand made beforehand.
#include "cusparse.hpp"

#include <stg/base/error.hpp>          // error
#include <stg/runtime/cuda/block.hpp>  // block

#include <cusparse.h>  // cusparseSpMM

#include <limits>  // numeric_limits

namespace device_bench {

namespace {

const stg::gpu::purpose why{"cuSPARSE"};
constexpr int device_number = 0;

void require(cusparseStatus_t s, const char* call) {
  if (s != CUSPARSE_STATUS_SUCCESS)
    throw stg::error("bench_gpu: " + std::string(call) + " failed: " + cusparseGetErrorString(s));
}

/// The library's handle, on the stream of stg's device.
cusparseHandle_t library() {
  static const cusparseHandle_t handle = [] {
    const auto on = stg::gpu::device::open(device_number, why);
    cusparseHandle_t h = nullptr;
    require(cusparseCreate(&h), "cusparseCreate");
    require(cusparseSetStream(h, on->stream()), "cusparseSetStream");
    return h;
  }();
  return handle;
}

}  // namespace

csr_rows make_csr(const stg::graph& g, stg::location where) {
  const stg::adjacency in = g.in_edges();
  if (in.edges() > std::numeric_limits<std::int32_t>::max())
    throw stg::error("bench_gpu: cuSPARSE's 32-bit offsets do not hold " + std::to_string(in.edges()) + " edges");
  stg::tensor<std::int32_t> offsets({in.rows() + 1}), neighbours({in.edges()});
  for (std::int64_t v = 0; v < in.rows(); ++v) {
    offsets.data()[v + 1] = static_cast<std::int32_t>(in.end(v));
    for (auto k = in.begin(v); k != in.end(v); ++k) neighbours.data()[k] = in.neighbour(k);
  }
  return {offsets.to(where), neighbours.to(where), in.rows(), in.edges()};
}

/// One algorithm, ready to run. Descriptors are its own: preprocessing leaves its findings in the matrix's.
struct sparse_product::prepared {
  cusparseSpMatDescr_t a = nullptr;
  cusparseDnMatDescr_t x = nullptr, y = nullptr;
  cusparseSpMMAlg_t algorithm;
  stg::gpu::block buffer;

  prepared(const csr_rows& rows, float* w, float* x_data, float* y_data, std::int64_t width, cusparseSpMMAlg_t with)
      : algorithm(with), buffer(stg::gpu::device::open(device_number, why)) {
    auto* const offsets = const_cast<std::int32_t*>(rows.offsets.data());
    auto* const neighbours = const_cast<std::int32_t*>(rows.neighbours.data());
    require(cusparseCreateCsr(&a, rows.vertices, rows.vertices, rows.edges, offsets, neighbours, w, CUSPARSE_INDEX_32I,
                              CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F),
            "cusparseCreateCsr");
    require(cusparseCreateDnMat(&x, rows.vertices, width, width, x_data, CUDA_R_32F, CUSPARSE_ORDER_ROW),
            "cusparseCreateDnMat");
    require(cusparseCreateDnMat(&y, rows.vertices, width, width, y_data, CUDA_R_32F, CUSPARSE_ORDER_ROW),
            "cusparseCreateDnMat");
  }
  prepared(const prepared&) = delete;
  ~prepared() {
    if (a != nullptr) cusparseDestroySpMat(a);
    if (x != nullptr) cusparseDestroyDnMat(x);
    if (y != nullptr) cusparseDestroyDnMat(y);
  }

  /// Whether the library takes this algorithm for these matrices.
  bool prepare() {
    std::size_t bytes = 0;
    if (cusparseSpMM_bufferSize(library(), CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a,
                                x, &zero, y, CUDA_R_32F, algorithm, &bytes) != CUSPARSE_STATUS_SUCCESS)
      return false;
    buffer.reserve(static_cast<std::int64_t>(bytes), why);
    return cusparseSpMM_preprocess(library(), CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &one,
                                   a, x, &zero, y, CUDA_R_32F, algorithm, buffer.data()) == CUSPARSE_STATUS_SUCCESS;
  }
  cusparseStatus_t run() {
    return cusparseSpMM(library(), CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, x,
                        &zero, y, CUDA_R_32F, algorithm, buffer.data());
  }
  static constexpr float one = 1, zero = 0;
};

sparse_product::sparse_product(const csr_rows& rows, float* w, float* x, float* y, std::int64_t width) {
  constexpr std::pair<const char*, cusparseSpMMAlg_t> algorithms[] = {
      {"alg1", CUSPARSE_SPMM_CSR_ALG1}, {"alg2", CUSPARSE_SPMM_CSR_ALG2}, {"alg3", CUSPARSE_SPMM_CSR_ALG3}};
  stg::gpu::stream on(stg::gpu::device::open(device_number, why));
  stg::gpu::timer timer(on, why);
  double least = std::numeric_limits<double>::infinity();
  for (const auto& [name, algorithm] : algorithms) {
    auto candidate = std::make_unique<prepared>(rows, w, x, y, width, algorithm);
    if (!candidate->prepare() || candidate->run() != CUSPARSE_STATUS_SUCCESS) continue;
    timer.start();
    for (int k = 0; k < 3; ++k) require(candidate->run(), "cusparseSpMM");
    timer.stop();
    const double ms = timer.milliseconds() / 3;
    tried_.emplace_back(name, ms);
    if (ms >= least) continue;
    least = ms;
    best_ = std::move(candidate);
    algorithm_ = name;
  }
  if (!best_) throw stg::error("bench_gpu: cuSPARSE takes no CSR algorithm for these matrices");
}
sparse_product::~sparse_product() = default;

void sparse_product::run() { require(best_->run(), "cusparseSpMM"); }

}  // namespace device_bench
