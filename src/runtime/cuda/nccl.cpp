// NCCL, loaded by the first ranks that join devices: a program without ranks does not need it, and a machine without a
// device does not have it.
#include <stg/runtime/cuda/nccl.hpp>

#include "nccl_declarations.hpp"

#include <dlfcn.h>  // dlopen, dlsym

#include <cstring>  // memcpy
#include <mutex>    // mutex, scoped_lock
#include <utility>  // exchange

namespace stg::gpu {

namespace {

constexpr const char* nccl_file = "libnccl.so.2";
constexpr int first_version = 21400;

nccl_status status_of(nccl_abi::result r) { return static_cast<nccl_status>(r); }

class nccl_library final : public nccl {
 public:
  /// The name of a function that the library lacks; null: it has all.
  const char* find(void* library) {
    const char* missing = nullptr;
    const auto look = [&](const char* name, auto& to) {
      to = reinterpret_cast<std::remove_reference_t<decltype(to)>>(dlsym(library, name));
      if (to == nullptr && missing == nullptr) missing = name;
    };
    look("ncclGetVersion", version_);
    look("ncclGetUniqueId", unique_id_);
    look("ncclCommInitRankConfig", init_);
    look("ncclCommFinalize", finalize_);
    look("ncclCommDestroy", destroy_);
    look("ncclCommAbort", abort_);
    look("ncclCommGetAsyncError", async_error_);
    look("ncclGroupStart", group_start_);
    look("ncclGroupEnd", group_end_);
    look("ncclSend", send_);
    look("ncclRecv", receive_);
    look("ncclGetErrorString", text_);
    return missing;
  }

  nccl_status version(int* number) override { return status_of(version_(number)); }
  nccl_status unique_id(nccl_id* id) override {
    nccl_abi::unique_id made{};
    const nccl_status s = status_of(unique_id_(&made));
    std::memcpy(id->bytes, made.internal, sizeof id->bytes);
    return s;
  }
  nccl_status init(nccl_handle* made, int ranks, const nccl_id& id, int rank) override {
    nccl_abi::unique_id of_group{};
    std::memcpy(of_group.internal, id.bytes, sizeof id.bytes);
    nccl_abi::config without_waiting;
    return status_of(init_(made, ranks, of_group, rank, &without_waiting));
  }
  nccl_status finalize(nccl_handle of) override { return status_of(finalize_(of)); }
  nccl_status destroy(nccl_handle of) override { return status_of(destroy_(of)); }
  nccl_status abort(nccl_handle of) override { return status_of(abort_(of)); }
  nccl_status async_error(nccl_handle of, nccl_status* now) override {
    nccl_abi::result r = 0;
    const nccl_status s = status_of(async_error_(of, &r));
    *now = status_of(r);
    return s;
  }
  nccl_status group_start() override { return status_of(group_start_()); }
  nccl_status group_end() override { return status_of(group_end_()); }
  nccl_status send(const std::byte* from, std::int64_t bytes, int to, nccl_handle of, stream_handle on) override {
    return status_of(send_(from, static_cast<std::size_t>(bytes), nccl_abi::bytes_as_type, to, of, on));
  }
  nccl_status receive(std::byte* to, std::int64_t bytes, int from, nccl_handle of, stream_handle on) override {
    return status_of(receive_(to, static_cast<std::size_t>(bytes), nccl_abi::bytes_as_type, from, of, on));
  }
  std::string text(nccl_status s) override { return text_(static_cast<nccl_abi::result>(s)); }

 private:
  nccl_abi::get_version version_{};
  nccl_abi::get_unique_id unique_id_{};
  nccl_abi::comm_init_rank_config init_{};
  nccl_abi::of_comm finalize_{}, destroy_{}, abort_{};
  nccl_abi::comm_get_async_error async_error_{};
  nccl_abi::group group_start_{}, group_end_{};
  nccl_abi::send send_{};
  nccl_abi::receive receive_{};
  nccl_abi::get_error_string text_{};
};

/// Calls that were put in place, and those of the library once it was looked for.
struct nccl_in_use {
  std::mutex mutex{};
  nccl* installed = nullptr;
  bool was_looked_for = false;
  std::unique_ptr<nccl> library{};
  std::string problem{};

  static nccl_in_use& get() {
    static nccl_in_use& all = *new nccl_in_use;  // never destroyed: links of static storage may go later
    return all;
  }
  nccl* now() {
    if (installed != nullptr) return installed;
    if (!std::exchange(was_looked_for, true)) library = load_nccl(nccl_file, problem);
    return library.get();
  }
};

}  // namespace

std::unique_ptr<nccl> load_nccl(const char* file, std::string& problem) {
  void* const library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    problem = "the library " + std::string(file) + " cannot be loaded; install NCCL or set LD_LIBRARY_PATH";
    return nullptr;
  }
  auto calls = std::make_unique<nccl_library>();
  if (const char* const missing = calls->find(library); missing != nullptr) {
    problem = "the library " + std::string(file) + " has no " + missing + "; install NCCL 2.14 or newer";
    return nullptr;
  }
  int version = 0;
  if (calls->version(&version) != nccl_status::success || version < first_version) {
    problem = "the library " + std::string(file) + " is of version " + std::to_string(version) +
              "; install NCCL 2.14 or newer";
    return nullptr;
  }
  return calls;
}

nccl* installed_nccl() {
  nccl_in_use& all = nccl_in_use::get();
  const std::scoped_lock lock(all.mutex);
  return all.now();
}
std::string nccl_problem() {
  nccl_in_use& all = nccl_in_use::get();
  const std::scoped_lock lock(all.mutex);
  return all.now() == nullptr ? all.problem : "";
}
nccl* install_nccl(nccl* calls) noexcept {
  nccl_in_use& all = nccl_in_use::get();
  const std::scoped_lock lock(all.mutex);
  return std::exchange(all.installed, calls);
}

}  // namespace stg::gpu
