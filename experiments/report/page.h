// A report page as data: sections of text, tables, plots and heat maps, one below the other, in one HTML file that opens from disk.
//
// Page holds what is shown and knows nothing of runs, comparisons or sweeps: run_page.h, compare_page.h and sweep_page.h fill it. Every plot
// has units on its axes, hover values, zoom, a switch to a table of the same numbers, and a download of the data behind it.
// Lines of more than kMostPoints points in the order of x are drawn as the smallest and the largest value of each of kMostPoints / 2 groups;
// long lines are kept in single precision. Plots whose x axis is in seconds follow the time of a replay in the same page.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace tread {

struct Axis {
  std::string label, unit;  // unit: "m/s"; empty for pure numbers
  // Zeros and negative values are left out of a logarithmic axis, and counted in the plot's note.
  bool log = false;
  std::vector<std::string> names = {};  // written at 0, 1, 2, ... instead of numbers; empty for none
};

struct Line {
  std::string name;
  std::vector<double> x, y;       // a nan breaks the line
  std::vector<double> low, high;  // a band around y; empty for none
  enum class Style { kLine, kSteps, kMarkers, kLineAndMarkers } style = Style::kLine;
  std::vector<std::string> notes = {};  // per point, shown on hover; empty for none
  double width = 1.5;                   // [px]
};

struct Plot {
  std::string title, note;  // note: a sentence below the title: what one should see
  Axis x, y;
  std::vector<Line> lines;
};

struct Table {
  std::string title, note;
  std::vector<std::string> columns;            // with units: "vx error [m/s]"
  std::vector<std::vector<std::string>> rows;  // the first cell of a row is its heading
};

struct HeatMap {
  std::string title, note, unit;
  Axis x, y;
  std::vector<std::string> columns, rows;
  std::vector<std::vector<double>> values;  // by row; nan for none
};

inline constexpr std::size_t kMostPoints = 4000;

class Page {
 public:
  Page(std::string title, std::string subtitle);

  void Heading(const std::string& text);
  void Text(const std::string& text);  // plain text, one paragraph
  void Add(const Table& table);
  void Add(const Plot& plot);
  void Add(const HeatMap& map);
  // A file offered for download under `name`, kept in the page.
  void Download(const std::string& name, const std::string& content);
  // A section drawn by a script of its own (the replay): `json` is its data, `kind` names the script.
  void AddCustom(const std::string& kind, const std::string& title, const std::string& json);
  // A long array for AddCustom: kept once, in single precision; the script gets it by this number.
  std::size_t Keep(const std::vector<double>& values);

  // Whole or not at all. Throws std::runtime_error; among its reasons: this tread was built without the libraries of the pages.
  void Write(const std::string& path) const;

  // Empty, or why Write cannot work in this build.
  static std::string Unavailable();

 private:
  nlohmann::ordered_json Array(const std::vector<double>& values);
  void AddFigure(const std::string& kind, const std::string& title, const std::string& note,
                 const nlohmann::ordered_json& data);

  std::string title_, subtitle_, body_, contents_;  // HTML
  std::vector<std::string> items_;                  // JSON, one per figure
  std::vector<std::string> arrays_;                 // base64 of float32
  std::map<std::string, std::size_t> array_index_;
  std::vector<std::string> downloads_;  // JSON, one per file
  std::vector<std::string> kinds_;      // scripts wanted
};

}  // namespace tread
