// The calls themselves: the CUDA runtime, cuBLAS and NVTX. The one file that includes CUDA's headers.
#include "product_library.hpp"  // cublas

#include <stg/runtime/cuda/api.hpp>  // api

#include <cuda_runtime_api.h>  // cudaMallocFromPoolAsync
#include <nvtx3/nvToolsExt.h>  // nvtxRangePushA

#include <cstdint>  // uint64_t
#include <cstdio>   // snprintf
#include <cstring>  // memcpy
#include <limits>   // numeric_limits

namespace stg::gpu {

namespace {

status of(cudaError_t e) { return static_cast<status>(e); }
status of_cublas(cublasStatus_t e) {
  return e == CUBLAS_STATUS_SUCCESS ? status::success : static_cast<status>(static_cast<int>(status::cublas) + e);
}
std::size_t size(std::int64_t bytes) { return static_cast<std::size_t>(bytes); }

class toolkit_api final : public api {
 public:
  // driver and devices
  status driver_version(int* version) override { return of(cudaDriverGetVersion(version)); }
  status runtime_version(int* version) override { return of(cudaRuntimeGetVersion(version)); }
  status device_count(int* count) override { return of(cudaGetDeviceCount(count)); }
  status properties(int device, device_properties* p) override {
    cudaDeviceProp all;
    const cudaError_t e = cudaGetDeviceProperties(&all, device);
    if (e != cudaSuccess) return of(e);
    std::snprintf(p->name, sizeof p->name, "%s", all.name);
    p->major = all.major;
    p->minor = all.minor;
    p->multiprocessors = all.multiProcessorCount;
    p->memory = static_cast<std::int64_t>(all.totalGlobalMem);
    p->l2 = all.l2CacheSize;
    p->shared_per_block = static_cast<std::int64_t>(all.sharedMemPerBlockOptin);
    p->threads_per_multiprocessor = all.maxThreadsPerMultiProcessor;
    static_assert(sizeof p->uuid == sizeof all.uuid.bytes);
    std::memcpy(p->uuid, all.uuid.bytes, sizeof p->uuid);
    return status::success;
  }
  status get_device(int* device) override { return of(cudaGetDevice(device)); }
  status set_device(int device) override { return of(cudaSetDevice(device)); }
  status memory_info(std::int64_t* free, std::int64_t* total) override {
    std::size_t f = 0, t = 0;
    const cudaError_t e = cudaMemGetInfo(&f, &t);
    *free = static_cast<std::int64_t>(f);
    *total = static_cast<std::int64_t>(t);
    return of(e);
  }

  // memory
  status pool_create(pool_handle* pool, int device) override {
    cudaMemPoolProps wanted = {};
    wanted.allocType = cudaMemAllocationTypePinned;
    wanted.location.type = cudaMemLocationTypeDevice;
    wanted.location.id = device;
    cudaError_t e = cudaMemPoolCreate(pool, &wanted);
    if (e != cudaSuccess) return of(e);
    std::uint64_t keep = std::numeric_limits<std::uint64_t>::max();  // what is given back stays for the next call
    e = cudaMemPoolSetAttribute(*pool, cudaMemPoolAttrReleaseThreshold, &keep);
    if (e != cudaSuccess) {
      cudaMemPoolDestroy(*pool);
      *pool = nullptr;
    }
    return of(e);
  }
  status pool_destroy(pool_handle pool) override { return of(cudaMemPoolDestroy(pool)); }
  status pool_trim(pool_handle pool) override { return of(cudaMemPoolTrimTo(pool, 0)); }
  status malloc_async(void** data, std::int64_t bytes, pool_handle pool, stream_handle stream) override {
    return of(cudaMallocFromPoolAsync(data, size(bytes), pool, stream));
  }
  status free_async(void* data, stream_handle stream) override { return of(cudaFreeAsync(data, stream)); }
  status host_alloc(void** data, std::int64_t bytes) override {
    return of(cudaHostAlloc(data, size(bytes), cudaHostAllocPortable));
  }
  status host_free(void* data) override { return of(cudaFreeHost(data)); }
  status copy_async(void* to, const void* from, std::int64_t bytes, direction how, stream_handle stream) override {
    const cudaMemcpyKind kind = how == direction::to_device ? cudaMemcpyHostToDevice
                                : how == direction::to_host ? cudaMemcpyDeviceToHost
                                                            : cudaMemcpyDeviceToDevice;
    return of(cudaMemcpyAsync(to, from, size(bytes), kind, stream));
  }
  status copy_peer_async(void* to, int to_device, const void* from, int from_device, std::int64_t bytes,
                         stream_handle stream) override {
    return of(cudaMemcpyPeerAsync(to, to_device, from, from_device, size(bytes), stream));
  }
  status fill_async(void* data, int byte, std::int64_t bytes, stream_handle stream) override {
    return of(cudaMemsetAsync(data, byte, size(bytes), stream));
  }

  // streams and events
  status stream_create(stream_handle* stream) override {
    return of(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking));
  }
  status stream_destroy(stream_handle stream) override { return of(cudaStreamDestroy(stream)); }
  status stream_synchronize(stream_handle stream) override { return of(cudaStreamSynchronize(stream)); }
  status stream_device([[maybe_unused]] stream_handle stream, [[maybe_unused]] int* device) override {
#if CUDART_VERSION >= 12080
    const cudaError_t e = cudaStreamGetDevice(stream, device);
    if (e != cudaErrorCallRequiresNewerDriver) return of(e);
    cudaGetLastError();
    return status::not_supported;
#else
    return status::not_supported;
#endif
  }
  status stream_is_capturing(stream_handle stream, bool* capturing) override {
    cudaStreamCaptureStatus s = cudaStreamCaptureStatusNone;
    const cudaError_t e = cudaStreamIsCapturing(stream, &s);
    *capturing = s != cudaStreamCaptureStatusNone;
    return of(e);
  }
  status stream_wait(stream_handle stream, event_handle event) override {
    return of(cudaStreamWaitEvent(stream, event, 0));
  }
  status event_create(event_handle* event, bool timed) override {
    return of(cudaEventCreateWithFlags(event, timed ? cudaEventDefault : cudaEventDisableTiming));
  }
  status event_destroy(event_handle event) override { return of(cudaEventDestroy(event)); }
  status event_record(event_handle event, stream_handle stream) override { return of(cudaEventRecord(event, stream)); }
  status event_synchronize(event_handle event) override { return of(cudaEventSynchronize(event)); }
  status event_query(event_handle event, bool* reached) override {
    const cudaError_t e = cudaEventQuery(event);
    *reached = e == cudaSuccess;
    if (e != cudaErrorNotReady) return of(e);
    cudaGetLastError();  // or the next launch would be taken for a failed one
    return status::success;
  }
  status event_elapsed(float* milliseconds, event_handle from, event_handle to) override {
    return of(cudaEventElapsedTime(milliseconds, from, to));
  }

  // graphs of calls
  status capture_begin(stream_handle stream) override {
    return of(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  }
  status capture_end(stream_handle stream, graph_handle* graph) override {
    return of(cudaStreamEndCapture(stream, graph));
  }
  status graph_instantiate(executable_handle* executable, graph_handle graph) override {
    return of(cudaGraphInstantiate(executable, graph, 0));
  }
  status graph_launch(executable_handle executable, stream_handle stream) override {
    return of(cudaGraphLaunch(executable, stream));
  }
  status graph_destroy(graph_handle graph) override { return of(cudaGraphDestroy(graph)); }
  status executable_destroy(executable_handle executable) override { return of(cudaGraphExecDestroy(executable)); }

  // cuBLAS
  status product_create(product_handle* handle) override {
    const cublas* const library = cublas::loaded();
    return library == nullptr ? status::no_cublas : of_cublas(library->create(handle));
  }
  /// A program that outlives main ends after the toolkit, which took its handles along.
  status product_destroy(product_handle handle) override {
    int device = 0;
    if (cudaGetDevice(&device) == cudaErrorCudartUnloading) return status::success;
    return of_cublas(cublas::loaded()->destroy(handle));
  }
  status product_prepare(product_handle handle, stream_handle stream, bool tf32) override {
    const cublasStatus_t s = cublas::loaded()->set_stream(handle, stream);
    if (s != CUBLAS_STATUS_SUCCESS) return of_cublas(s);
    return of_cublas(cublas::loaded()->set_math(handle, tf32 ? CUBLAS_TF32_TENSOR_OP_MATH : CUBLAS_DEFAULT_MATH));
  }
  status product_workspace(product_handle handle, void* data, std::int64_t bytes) override {
    return of_cublas(cublas::loaded()->set_workspace(handle, data, size(bytes)));
  }
  status product(product_handle handle, bool transpose_a, bool transpose_b, std::int64_t m, std::int64_t n,
                 std::int64_t k, const float* a, std::int64_t lda, const float* b, std::int64_t ldb, float beta,
                 float* c, std::int64_t ldc) override {
    const float alpha = 1;
    return of_cublas(cublas::loaded()->multiply_float(handle, operation(transpose_a), operation(transpose_b), m, n, k,
                                                      &alpha, a, lda, b, ldb, &beta, c, ldc));
  }
  status product(product_handle handle, bool transpose_a, bool transpose_b, std::int64_t m, std::int64_t n,
                 std::int64_t k, const double* a, std::int64_t lda, const double* b, std::int64_t ldb, double beta,
                 double* c, std::int64_t ldc) override {
    const double alpha = 1;
    return of_cublas(cublas::loaded()->multiply_double(handle, operation(transpose_a), operation(transpose_b), m, n, k,
                                                       &alpha, a, lda, b, ldb, &beta, c, ldc));
  }

  // what cannot fail
  status last_error() override { return of(cudaGetLastError()); }
  std::string error_name(status s) override {
    if (s == status::no_cublas) return "no cuBLAS";
    if (s >= status::cublas)
      return "cublasStatus_t " + std::to_string(static_cast<int>(s) - static_cast<int>(status::cublas));
    return cudaGetErrorName(static_cast<cudaError_t>(s));
  }
  std::string error_text(status s) override {
    if (s == status::no_cublas)
      return "the library " + std::string(cublas::file) + " cannot be loaded; install cuBLAS or set LD_LIBRARY_PATH";
    if (s >= status::cublas)
      return cublas::loaded()->text(
          static_cast<cublasStatus_t>(static_cast<int>(s) - static_cast<int>(status::cublas)));
    return cudaGetErrorString(static_cast<cudaError_t>(s));
  }
  void range_push(const char* name) override { nvtxRangePushA(name); }
  void range_pop() override { nvtxRangePop(); }

 private:
  static cublasOperation_t operation(bool transpose) { return transpose ? CUBLAS_OP_T : CUBLAS_OP_N; }
};

// A program that is linked with this file has CUDA. The linker takes it for the symbol below, which the target names.
// Never destroyed: programs of static storage call it when they end.
[[maybe_unused]] const auto before = install(new toolkit_api);

}  // namespace
}  // namespace stg::gpu

extern "C" {
extern const char stg_cuda_toolkit;
const char stg_cuda_toolkit = 0;
}
