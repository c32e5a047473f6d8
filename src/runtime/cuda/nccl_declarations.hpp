// The functions and types of NCCL that are called, declared as nccl.h of versions 2.14 and newer has them: the library
// is loaded where it is, and no header of it is needed to build. tests/cuda/nccl_header.py holds them to that header.
#pragma once

#include <climits>  // INT_MIN
#include <cstddef>  // size_t

struct ncclComm;
struct CUstream_st;

namespace stg::gpu::nccl_abi {

using result = int;  // an enumeration there
struct unique_id {
  char internal[128];
};
/// The first members of ncclConfig_t: the library reads as many bytes as `size` says, and takes what version 2.14 did
/// not have for unset.
struct config {
  std::size_t size = sizeof(config);
  unsigned magic = 0xcafebeef;
  unsigned version = 21400;
  int blocking = 0;
  int cga_cluster_size = INT_MIN;  // unset
};
constexpr int bytes_as_type = 1;  // ncclUint8

using get_version = result (*)(int*);
using get_unique_id = result (*)(unique_id*);
using comm_init_rank_config = result (*)(ncclComm**, int, unique_id, int, config*);
using of_comm = result (*)(ncclComm*);  // ncclCommFinalize, ncclCommDestroy, ncclCommAbort
using comm_get_async_error = result (*)(ncclComm*, result*);
using group = result (*)();  // ncclGroupStart, ncclGroupEnd
using send = result (*)(const void*, std::size_t, int, int, ncclComm*, CUstream_st*);
using receive = result (*)(void*, std::size_t, int, int, ncclComm*, CUstream_st*);
using get_error_string = const char* (*)(result);

}  // namespace stg::gpu::nccl_abi
