// The seam to CUDA: every call of the CUDA runtime and cuBLAS, with handles that need no CUDA header.
#pragma once

#include <stg/base/standard.hpp>  // C++20

#include <cstdint>  // int64_t
#include <string>   // string

// Targets of CUDA's own handles: the names are from its headers.
struct CUstream_st;
struct CUevent_st;
struct CUgraph_st;
struct CUgraphExec_st;
struct CUmemPoolHandle_st;
struct cublasContext;

namespace stg::gpu {

using stream_handle = CUstream_st*;
using event_handle = CUevent_st*;
using graph_handle = CUgraph_st*;
using executable_handle = CUgraphExec_st*;
using pool_handle = CUmemPoolHandle_st*;
using product_handle = cublasContext*;

/// The result of a call: a cudaError_t, or `cublas` + a cublasStatus_t. Any number may come; these are told apart.
enum class status : int {
  success = 0,
  invalid_value = 1,
  out_of_memory = 2,
  insufficient_driver = 35,
  no_device = 100,
  invalid_device = 101,
  no_kernel_image = 209,
  unsupported_ptx = 222,  // intermediate code of a toolkit newer than the driver
  invalid_handle = 400,
  illegal_address = 700,
  not_supported = 801,
  capture_unsupported = 900,
  unknown = 999,
  cublas = 100000,         // a status of cuBLAS counts from here
  no_cublas = cublas - 1,  // the library itself could not be loaded
};

struct device_properties {
  char name[256] = "";
  int major = 0, minor = 0;           // compute capability
  int multiprocessors = 0;            // SMs
  std::int64_t memory = 0;            // bytes
  std::int64_t l2 = 0;                // bytes of cache
  std::int64_t shared_per_block = 0;  // bytes that a block can opt in to
  std::int64_t threads_per_multiprocessor = 0;
  char uuid[16] = {};  // of this device among all of all machines
};

enum class direction { to_device, to_host, on_device };

/// A table of calls, one function for one call, in CUDA's own order of arguments if it has one. `toolkit_api` makes
/// them; tests put a fake in their place. Nothing here is checked: callers do, by `check` of check.hpp.
class api {
 public:
  virtual ~api() = default;

  // driver and devices
  virtual status driver_version(int* version) = 0;   // 0 when there is no driver
  virtual status runtime_version(int* version) = 0;  // of the toolkit at compile time
  virtual status device_count(int* count) = 0;
  virtual status properties(int device, device_properties* p) = 0;
  virtual status get_device(int* device) = 0;
  virtual status set_device(int device) = 0;
  virtual status memory_info(std::int64_t* free, std::int64_t* total) = 0;  // of the current device

  // memory
  virtual status pool_create(pool_handle* pool, int device) = 0;  // keeps freed memory
  virtual status pool_destroy(pool_handle pool) = 0;
  virtual status pool_trim(pool_handle pool) = 0;  // returns idle memory to the device
  virtual status malloc_async(void** data, std::int64_t bytes, pool_handle pool, stream_handle stream) = 0;
  virtual status free_async(void* data, stream_handle stream) = 0;
  virtual status host_alloc(void** data, std::int64_t bytes) = 0;  // pinned
  virtual status host_free(void* data) = 0;
  virtual status copy_async(void* to, const void* from, std::int64_t bytes, direction how, stream_handle stream) = 0;
  virtual status copy_peer_async(void* to, int to_device, const void* from, int from_device, std::int64_t bytes,
                                 stream_handle stream) = 0;
  virtual status fill_async(void* data, int byte, std::int64_t bytes, stream_handle stream) = 0;

  // streams and events
  virtual status stream_create(stream_handle* stream) = 0;  // of the current device; does not wait for the null stream
  virtual status stream_destroy(stream_handle stream) = 0;
  virtual status stream_synchronize(stream_handle stream) = 0;
  virtual status stream_device(stream_handle stream, int* device) = 0;  // not_supported before toolkit 12.8
  virtual status stream_is_capturing(stream_handle stream, bool* capturing) = 0;
  virtual status stream_wait(stream_handle stream, event_handle event) = 0;
  virtual status event_create(event_handle* event, bool timed) = 0;  // of the current device
  virtual status event_destroy(event_handle event) = 0;
  virtual status event_record(event_handle event, stream_handle stream) = 0;
  virtual status event_synchronize(event_handle event) = 0;
  virtual status event_query(event_handle event, bool* reached) = 0;  // does not wait
  virtual status event_elapsed(float* milliseconds, event_handle from, event_handle to) = 0;

  // graphs of calls
  virtual status capture_begin(stream_handle stream) = 0;
  virtual status capture_end(stream_handle stream, graph_handle* graph) = 0;
  virtual status graph_instantiate(executable_handle* executable, graph_handle graph) = 0;
  virtual status graph_launch(executable_handle executable, stream_handle stream) = 0;
  virtual status graph_destroy(graph_handle graph) = 0;
  virtual status executable_destroy(executable_handle executable) = 0;

  // cuBLAS, column-major: c = op(a) op(b) + beta c, c: (m, n)
  virtual status product_create(product_handle* handle) = 0;  // of the current device
  virtual status product_destroy(product_handle handle) = 0;
  virtual status product_prepare(product_handle handle, stream_handle stream, bool tf32) = 0;
  virtual status product_workspace(product_handle handle, void* data, std::int64_t bytes) = 0;
  virtual status product(product_handle handle, bool transpose_a, bool transpose_b, std::int64_t m, std::int64_t n,
                         std::int64_t k, const float* a, std::int64_t lda, const float* b, std::int64_t ldb, float beta,
                         float* c, std::int64_t ldc) = 0;
  virtual status product(product_handle handle, bool transpose_a, bool transpose_b, std::int64_t m, std::int64_t n,
                         std::int64_t k, const double* a, std::int64_t lda, const double* b, std::int64_t ldb,
                         double beta, double* c, std::int64_t ldc) = 0;

  // what cannot fail
  virtual status last_error() = 0;  // of this thread, such as a kernel launch's; forgets it
  virtual std::string error_name(status s) = 0;
  virtual std::string error_text(status s) = 0;
  virtual void range_push(const char* name) = 0;
  virtual void range_pop() = 0;
};

/// The calls in use: the toolkit's in a program built by stg_add_program if there is one, else null.
api* installed() noexcept;
/// Puts other calls in their place, and closes the devices opened through the earlier ones; returns the earlier ones.
api* install(api* calls);

}  // namespace stg::gpu
