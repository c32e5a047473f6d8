// Writes include/stg/codegen/cpu/library_keys.hpp: the keys of every group, each in the first group that has it.
#include "networks.hpp"  // sages, gcns, gats
#include "sums.hpp"      // sums

#include <algorithm>  // sort
#include <cinttypes>  // PRIx64
#include <cstdio>     // printf
#include <set>        // set

namespace stg::kernels {
namespace {

constexpr const char* head =
    R"(// Which kernels the library holds, by key, written by the target library_keys from the programs in src/kernels/.
// clang-format off
#pragma once

#include <cstdint>  // uint64_t

)";

class writer {
 public:
  writer() { std::fputs(head, stdout); }
  /// A macro that calls `word` with each key of a group that is in none before.
  template <class Group> void write(const char* name) {
    std::printf("#define STG_KERNELS_OF_%s(word)", name);
    for (const std::uint64_t key : all_keys(Group()))
      if (all.insert(key).second) std::printf(" \\\n  word(0x%016" PRIx64 "u)", key);
    std::puts("\n");
  }
  void finish() {
    std::puts("namespace stg::cpu {\n\n/// In ascending order.\ninline constexpr std::uint64_t library_keys[] = {");
    for (const std::uint64_t key : all) std::printf("    0x%016" PRIx64 "u,\n", key);
    std::puts("};");
    std::printf("inline constexpr int library_key_count = %d;\n\n}  // namespace stg::cpu\n",
                static_cast<int>(all.size()));
  }

 private:
  std::set<std::uint64_t> all{};
};

}  // namespace
}  // namespace stg::kernels

int main() {
  using namespace stg::kernels;
  writer w;
  w.write<sums>("SUMS");
  w.write<sages>("SAGES");
  w.write<gcns>("GCNS");
  w.write<gats>("GATS");
  w.finish();
}
