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

// What has no room does not fit, whatever is done with it, and is no extent of a program.
constexpr polynomial H(text("H")), K(text("K")), L(text("L"));
static_assert((F + G + H + K).fits() && !(F + G + H + K + L).fits() && !(F + G + H + K + polynomial(1)).fits());
static_assert((F * G * H).fits() && !(F * G * H * K).fits());
static_assert(!(F * G * H * K + F).fits() && !(F + F * G * H * K).fits() && !(F * (F * G * H * K)).fits());
static_assert(!(F * G * H * K).is_integer() && !(F * G * H * K == F * G * H));

}  // namespace stg::ir
