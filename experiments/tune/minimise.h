// Minima without gradients in the unit cube, every point of which may be evaluated.
//
// cmaes: CMA-ES (cma_es.h), a generation at a time, so that its points can be evaluated side by side. nlopt_...: methods of NLopt, one point
// at a time: bobyqa and sbplx (local), direct, crs2, isres and esch (global). All are deterministic for a seed.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tread {

using Point = std::vector<double>;

// Fills in the values of these points, infinite ones among them; false: the search ends here, and needs no values.
using EvaluatePoints = std::function<bool(const std::vector<Point>& points, std::vector<double>* values)>;

struct SearchMethod {
  const char* name;
  const char* summary;
  int nlopt;          // nlopt::algorithm; -1: not NLopt's
  std::size_t least;  // dimensions
};
const std::vector<SearchMethod>& SearchMethods();
const SearchMethod* FindSearchMethod(const std::string& name);  // null: none of that name

enum class SearchEnd {
  kStopped,
  kConverged
};  // evaluate said so; the steps have become smaller than 1e-4 of the cube

// start: in the unit cube, with at least method.least dimensions.
SearchEnd Minimise(const SearchMethod& method, const Point& start, std::uint64_t seed,
                   const EvaluatePoints& evaluate);

}  // namespace tread
