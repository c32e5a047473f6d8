// Letters of UTF-8: how many, where a text is cut, and what is none.
#include <stg/base/utf8.hpp>

namespace stg::utf8 {

static_assert(letters_in("") == 0 && letters_in("abc") == 3 && letters_in("äöü→") == 4);
static_assert(first_letters("äbc", 1) == "ä" && first_letters("äbc", 2) == "äb" && first_letters("äbc", 9) == "äbc");
static_assert(first_letters("ä", 0).empty());
static_assert(within_bytes("äbc", 1).empty() && within_bytes("äbc", 2) == "ä" && within_bytes("abc", 3) == "abc");
static_assert(bytes_of_letter("a") == 1 && bytes_of_letter("ä") == 2 && bytes_of_letter("→") == 3);
static_assert(bytes_of_letter("\xF0\x9F\x98\x80") == 4);
static_assert(bytes_of_letter("\x80") == 0 && bytes_of_letter("\xC3") == 0 && bytes_of_letter("\xC0\x80") == 0);
static_assert(bytes_of_letter("\xED\xA0\x80") == 0 && bytes_of_letter("\xF4\x90\x80\x80") == 0);

}  // namespace stg::utf8
