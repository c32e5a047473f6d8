// A mask without its length.
// build error: stg: mask_of takes the ids and the number of rows: mask_of\(\{4, 9, 30\}, graph\.vertices\(\)\)
#include <stg/stg.hpp>

auto made() {
  return stg::mask_of({4, 9, 30});  // <- here
}
