// test: alone
// Programs as constants: what is stored comes back, also where there are more extents than stored<> has room for at
// first.
#include <stg/ir/frozen.hpp>

using namespace stg;

template <int Extents> struct wide {
  static constexpr ir::program make() {
    ir::program p;
    for (int i = 0; i < Extents; ++i) {
      text name;
      name.append(static_cast<char>('A' + i));
      ir::statement s;
      s.code = ir::opcode::extent_value;
      s.set_counted(p.intern(ir::polynomial(name)));
      p.emit(s);
    }
    return p;
  }
};

static_assert(ir::stored<wide<3>>::value.thaw() == wide<3>::make());
static_assert(ir::stored<wide<3>>::value.room.extents == 3 && ir::roomy<wide<3>>(wide<3>::make()).fits());
static_assert(!ir::roomy<wide<40>>(wide<40>::make()).fits());
static_assert(ir::stored<wide<40>>::value.thaw() == wide<40>::make());
