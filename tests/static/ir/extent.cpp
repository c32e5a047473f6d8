// Extents: sums and products are equal iff they are equal after expansion.
#include <stg/ir/extent.hpp>

namespace stg::ir {

constexpr polynomial F(text("F")), G(text("G"));

static_assert(polynomial(3).is_integer() && polynomial(3).integer() == 3);
static_assert(polynomial(0).count == 0 && polynomial(0).integer() == 0);
static_assert(polynomial(2) + polynomial(3) == polynomial(5));
static_assert(polynomial(2) * polynomial(3) == polynomial(6));
static_assert(!F.is_integer());
static_assert(F == F && !(F == G));
static_assert(F + G == G + F);
static_assert(F * G == G * F);
static_assert(F + F == F * polynomial(2));
static_assert((F + polynomial(-1) * F).count == 0);
static_assert((F + polynomial(3)) * polynomial(2) == polynomial(6) + F * polynomial(2));
static_assert((F + G) * (F + G) == F * F + F * G * polynomial(2) + G * G);
static_assert(evaluate(F * G * polynomial(2) + polynomial(3),
                       [](const text& name) { return name == text("F") ? 5 : 7; }) == 73);

}  // namespace stg::ir
