// The seam to NCCL: its messages between devices, in types that need no header of NCCL.
#pragma once

#include <cstddef>  // byte
#include <cstdint>  // int64_t
#include <memory>   // unique_ptr
#include <string>   // string

#include <stg/runtime/cuda/api.hpp>  // stream_handle

struct ncclComm;  // the target of NCCL's own handle, by its name there

namespace stg::gpu {

using nccl_handle = ncclComm*;

/// The result of a call: an ncclResult_t. Any number may come; these are told apart.
enum class nccl_status : int {
  success = 0,
  invalid_argument = 4,
  invalid_usage = 5,
  remote_error = 6,  // another rank has failed
  in_progress = 7,   // the call goes on in a thread of NCCL
};

/// A number that all ranks of a group know it by.
struct nccl_id {
  char bytes[128] = {};
};

/// A table of calls, one function for one call. Reductions are not among them: NCCL promises no order of its sums.
/// Handles are made without waiting, so no call waits for another rank: `async_error` says when one has ended.
class nccl {
 public:
  virtual ~nccl() = default;

  virtual nccl_status version(int* number) = 0;  // 22900 for 2.29.0
  virtual nccl_status unique_id(nccl_id* id) = 0;
  virtual nccl_status init(nccl_handle* made, int ranks, const nccl_id& id, int rank) = 0;  // on the current device
  virtual nccl_status finalize(nccl_handle of) = 0;
  virtual nccl_status destroy(nccl_handle of) = 0;
  virtual nccl_status abort(nccl_handle of) = 0;  // ends what runs on the device, and destroys the handle
  virtual nccl_status async_error(nccl_handle of, nccl_status* now) = 0;
  virtual nccl_status group_start() = 0;
  virtual nccl_status group_end() = 0;
  virtual nccl_status send(const std::byte* from, std::int64_t bytes, int to, nccl_handle of, stream_handle on) = 0;
  virtual nccl_status receive(std::byte* to, std::int64_t bytes, int from, nccl_handle of, stream_handle on) = 0;
  virtual std::string text(nccl_status) = 0;
};

/// The calls in use: of libnccl.so.2, loaded at the first question; null without that library.
nccl* installed_nccl();
/// One sentence on why there are none; empty where there are.
std::string nccl_problem();
/// Puts other calls in their place; returns the earlier ones. Null: those of the library again.
nccl* install_nccl(nccl* calls) noexcept;

/// The calls of a library. Null, and one sentence in `problem`, where the file cannot be loaded, lacks one of them, or
/// is older than version 2.14, the first one whose calls do not wait.
std::unique_ptr<nccl> load_nccl(const char* file, std::string& problem);

}  // namespace stg::gpu
