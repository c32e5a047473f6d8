// The types that all headers of C libraries have in common, as a text of the library.
#include "c_types.hpp"

// The path comes from CMake, which compiles this file again when the header changes.
__asm__(
    ".pushsection .rodata\n"
    ".global stg_c_arrays_text\n"
    ".hidden stg_c_arrays_text\n"
    "stg_c_arrays_text:\n"
    ".incbin \"" STG_C_ARRAYS_FILE
    "\"\n"
    ".byte 0\n"
    ".popsection\n");

extern "C" const char stg_c_arrays_text[];

namespace stg::door::c {

const char* arrays_text() { return stg_c_arrays_text; }

}  // namespace stg::door::c
