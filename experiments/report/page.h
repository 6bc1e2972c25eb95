// A report page as data: sections of text, tables, plots and heat maps, one below the other, in one HTML file that opens from disk.
//
// Page holds what is shown and knows nothing of runs, comparisons or sweeps: run_page.h, compare_page.h and sweep_page.h fill it. Every plot
// has units on its axes, hover values, zoom, a switch to a table of the same numbers, and a download of the data behind it.
#pragma once

#include <string>
#include <vector>

namespace tread {

struct Axis {
  std::string label, unit;  // unit: "m/s"; empty for pure numbers
  bool log =
      false;  // zeros and negative values are left out of a logarithmic axis, and counted in the plot's note
};

struct Line {
  std::string name;
  std::vector<double> x, y;       // a nan breaks the line
  std::vector<double> low, high;  // a band around y; empty for none
  enum class Style { kLine, kSteps, kMarkers, kLineAndMarkers } style = Style::kLine;
  std::vector<std::string> notes;  // per point, shown on hover; empty for none
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

class Page {
 public:
  Page(std::string title, std::string subtitle);

  void Heading(const std::string& text);
  void Text(const std::string& text);  // plain text, one paragraph
  void Add(Table table);
  void Add(Plot plot);
  void Add(HeatMap map);
  // A file offered for download under `name`, kept in the page.
  void Download(const std::string& name, const std::string& content);
  // A section drawn by a script of its own (the replay): `json` is its data, `kind` names the script.
  void AddCustom(const std::string& kind, const std::string& title, const std::string& json);

  // Whole or not at all. Throws std::runtime_error.
  void Write(const std::string& path) const;

 private:
  std::string title_, subtitle_;
  std::vector<std::string> sections_;   // JSON, one per section
  std::vector<std::string> downloads_;  // JSON, one per file
};

}  // namespace tread
