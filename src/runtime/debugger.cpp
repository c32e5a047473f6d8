// What a person sees who debugs a program: gdb's printers, and a word about -O0.
#include <stg/call/unoptimized.hpp>  // say_unoptimized

#include <atomic>  // atomic
#include <cstdio>  // fputs

// gdb reads this section of every program that it loads: 4 says that the text of a Python script follows, its name
// first.
#if defined(__ELF__)
asm(".pushsection .debug_gdb_scripts, \"MS\", %progbits, 1\n"
    ".byte 4\n"
    ".ascii \"stg-printers\\n\"\n"
    ".incbin \"" STG_GDB_PRINTERS
    "\"\n"
    ".byte 0\n"
    ".popsection\n");
#endif
namespace stg::detail {

extern const char debugger;
const char debugger = 0;

bool say_unoptimized(bool drafts) {
  static std::atomic<bool> said{false};
  if (said.exchange(true)) return false;
  std::fputs(drafts ? "stg: compiled without optimisation, models run as drafts and several times slower; add -O2, or "
                      "define STG_UNOPTIMIZED\n"
                    : "stg: compiled without optimisation, training is 27 times slower; add -O2, or define "
                      "STG_UNOPTIMIZED\n",
             stderr);
  return true;
}

}  // namespace stg::detail
