// Uses an installed tread: its headers are found under the names they have in the repository, and it links.
#include <type_traits>

#include "control/controller.h"
#include "sim/contact/contact_solver.h"
#include "sim/simulator.h"

int main() {
  static_assert(std::is_abstract_v<tread::Controller>);
  static_assert(std::is_abstract_v<tread::ContactSolver>);
  static_assert(std::is_abstract_v<tread::Simulator>);
  return 0;
}
