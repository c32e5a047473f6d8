// Writes what the library has kernels of: `forms` src/kernels/forms.hpp, the words of each group's forms, each in the
// first group that has it; `keys` include/stg/codegen/cpu/library_keys.hpp, their keys.
#include "networks.hpp"  // sages, gcns, gats
#include "sums.hpp"      // sums

#include <stg/codegen/agreement.hpp>  // hash_of_form_words

#include <cinttypes>    // PRIx64
#include <cstdio>       // printf
#include <set>          // set
#include <string_view>  // string_view

namespace stg::kernels {
namespace {

constexpr const char* head_of_forms =
    R"(// The forms of which the library has kernels, in words, written by the target library_keys from the programs beside it:
// the library then evaluates none of them.
// clang-format off
#pragma once

// What the words count but operations, which go by their own words: define.hpp compares it.
)";
constexpr const char* head_of_keys =
    R"(// Which kernels the library holds, by key, written by the target library_keys from the programs in src/kernels/.
// clang-format off
#pragma once

#include <stg/base/standard.hpp>  // C++20

#include <cstdint>  // uint64_t

namespace stg::cpu {

/// In ascending order.
inline constexpr std::uint64_t library_keys[] = {
)";

class writer {
 public:
  explicit writer(bool says_forms) : forms(says_forms) {
    if (!forms) return;
    std::fputs(head_of_forms, stdout);
    std::printf("#define STG_FORMS_WORDS 0x%016" PRIx64 "u\n", codegen::hash_of_form_words);
  }
  /// A macro that calls `word` with the words of each form of a group that is in none before.
  template <class Group> void write(const char* name) {
    if (forms) std::printf("\n#define STG_KERNELS_OF_%s(word)", name);
    for (const form_words& form : all_forms(Group()))
      if (all.insert(cpu::key_of(form.at, form.count)).second && forms) write_words(form);
    if (forms) std::puts("");
  }
  void finish() {
    if (forms) return;
    std::fputs(head_of_keys, stdout);
    for (const std::uint64_t key : all) std::printf("    0x%016" PRIx64 "u,\n", key);
    std::printf("};\ninline constexpr int library_key_count = %d;\n\n}  // namespace stg::cpu\n",
                static_cast<int>(all.size()));
  }

 private:
  static void write_words(const form_words& form) {
    for (int k = 0; k < form.count; ++k)
      std::printf("%s0x%" PRIx64 "u", k == 0 ? " \\\n  word(" : k % 5 == 0 ? ", \\\n       " : ", ", form.at[k]);
    std::printf(")");
  }

  bool forms;
  std::set<std::uint64_t> all{};
};

}  // namespace
}  // namespace stg::kernels

int main(int count, char** arguments) {
  using namespace stg::kernels;
  const std::string_view what = count == 2 ? arguments[1] : "";
  if (what != "forms" && what != "keys") {
    std::fputs("write_keys: write forms or keys\n", stderr);
    return 2;
  }
  writer w(what == "forms");
  w.write<sums>("SUMS");
  w.write<sages>("SAGES");
  w.write<gcns>("GCNS");
  w.write<gats>("GATS");
  w.finish();
}
