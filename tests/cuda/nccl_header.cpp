// The declarations of NCCL's functions and types are those of its header.
#include "runtime/cuda/nccl_declarations.hpp"  // nccl_abi

#include <nccl.h>  // the header

#include <cstddef>      // offsetof
#include <type_traits>  // is_same_v

namespace abi = stg::gpu::nccl_abi;

/// A function of the header with the types that the declarations have in the place of the header's own.
template <class T> struct as_declared { using type = T; };
template <> struct as_declared<ncclResult_t> { using type = abi::result; };
template <> struct as_declared<ncclDataType_t> { using type = int; };
template <> struct as_declared<ncclUniqueId> { using type = abi::unique_id; };
template <> struct as_declared<ncclUniqueId*> { using type = abi::unique_id*; };
template <> struct as_declared<ncclResult_t*> { using type = abi::result*; };
template <> struct as_declared<ncclConfig_t*> { using type = abi::config*; };
template <class Result, class... Argument> struct as_declared<Result (*)(Argument...)> {
  using type = typename as_declared<Result>::type (*)(typename as_declared<Argument>::type...);
};
template <class Declared, class OfHeader>
constexpr bool is_as_declared = std::is_same_v<Declared, typename as_declared<OfHeader>::type>;

static_assert(is_as_declared<abi::get_version, decltype(&ncclGetVersion)>);
static_assert(is_as_declared<abi::get_unique_id, decltype(&ncclGetUniqueId)>);
static_assert(is_as_declared<abi::comm_init_rank_config, decltype(&ncclCommInitRankConfig)>);
static_assert(is_as_declared<abi::of_comm, decltype(&ncclCommFinalize)>);
static_assert(is_as_declared<abi::of_comm, decltype(&ncclCommDestroy)>);
static_assert(is_as_declared<abi::of_comm, decltype(&ncclCommAbort)>);
static_assert(is_as_declared<abi::comm_get_async_error, decltype(&ncclCommGetAsyncError)>);
static_assert(is_as_declared<abi::group, decltype(&ncclGroupStart)>);
static_assert(is_as_declared<abi::group, decltype(&ncclGroupEnd)>);
static_assert(is_as_declared<abi::send, decltype(&ncclSend)>);
static_assert(is_as_declared<abi::receive, decltype(&ncclRecv)>);
static_assert(is_as_declared<abi::get_error_string, decltype(&ncclGetErrorString)>);

static_assert(sizeof(ncclResult_t) == sizeof(abi::result) && sizeof(ncclDataType_t) == sizeof(int));
static_assert(sizeof(ncclUniqueId) == sizeof(abi::unique_id) && sizeof(abi::unique_id) == 128);
static_assert(abi::bytes_as_type == static_cast<int>(ncclUint8));
static_assert(ncclSuccess == 0 && ncclInvalidArgument == 4 && ncclInvalidUsage == 5 && ncclRemoteError == 6 &&
              ncclInProgress == 7);
static_assert(NCCL_VERSION(2, 14, 0) == 21400 && abi::config().version == 21400);
constexpr ncclConfig_t as_begun = NCCL_CONFIG_INITIALIZER;
static_assert(abi::config().magic == as_begun.magic);
static_assert(abi::config().cga_cluster_size == NCCL_CONFIG_UNDEF_INT);
static_assert(offsetof(ncclConfig_t, size) == offsetof(abi::config, size));
static_assert(offsetof(ncclConfig_t, magic) == offsetof(abi::config, magic));
static_assert(offsetof(ncclConfig_t, version) == offsetof(abi::config, version));
static_assert(offsetof(ncclConfig_t, blocking) == offsetof(abi::config, blocking));
static_assert(offsetof(ncclConfig_t, cgaClusterSize) == offsetof(abi::config, cga_cluster_size));
static_assert(offsetof(ncclConfig_t, minCTAs) == sizeof(abi::config));
