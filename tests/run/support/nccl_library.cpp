// A library with the functions of NCCL that are called, by the signatures of nccl.h: each looks at what it is given.
#include <climits>  // INT_MIN
#include <cstdlib>  // atoi, getenv
#include <cstring>  // strcmp, strcpy
#include <string>   // string, to_string

struct ncclComm {
  bool is_alive = true;
};

namespace {
ncclComm only;
struct unique_id {
  char internal[128];
};
struct config {
  std::size_t size;
  unsigned magic, version;
  int blocking, cga_cluster_size;
};
constexpr int success = 0, invalid_argument = 4, in_progress = 7;
int ok(bool is) { return is ? success : invalid_argument; }
}  // namespace

extern "C" {
int ncclGetVersion(int* version) {
  const char* const told = std::getenv("STG_TEST_NCCL_VERSION");
  *version = told == nullptr ? 23203 : std::atoi(told);
  return success;
}
int ncclGetUniqueId(unique_id* id) {
  std::strcpy(id->internal, "an id");
  id->internal[127] = 'z';
  return success;
}
int ncclCommInitRankConfig(ncclComm** made, int ranks, unique_id id, int rank, config* how) {
  const bool is_as_meant = ranks == 3 && rank == 1 && std::strcmp(id.internal, "an id") == 0 &&
                           id.internal[127] == 'z' && how->size == sizeof(config) && how->magic == 0xcafebeef &&
                           how->version == 21400 && how->blocking == 0 && how->cga_cluster_size == INT_MIN;
  *made = &only;
  return is_as_meant ? in_progress : invalid_argument;
}
int ncclCommFinalize(ncclComm* of) { return ok(of == &only); }
int ncclCommDestroy(ncclComm* of) {
  of->is_alive = false;
  return success;
}
int ncclCommAbort(ncclComm* of) { return ok(of->is_alive); }
int ncclCommGetAsyncError(ncclComm* of, int* now) {
  *now = in_progress;
  return ok(of == &only);
}
int ncclGroupStart() { return success; }
int ncclGroupEnd() { return success; }
int ncclSend(const void* from, std::size_t count, int type, int peer, ncclComm* of, void* stream) {
  return ok(from != nullptr && count == 7 && type == 1 && peer == 2 && of == &only &&
            stream == reinterpret_cast<void*>(64));
}
int ncclRecv(void* to, std::size_t count, int type, int peer, ncclComm* of, void* stream) {
  return ok(to != nullptr && count == 5 && type == 1 && peer == 0 && of == &only &&
            stream == reinterpret_cast<void*>(64));
}
const char* ncclGetErrorString(int result) {
  static std::string text;
  return (text = "text of " + std::to_string(result)).c_str();
}
}
