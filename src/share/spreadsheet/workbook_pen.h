// The pen that writes .xlsx with libxlsxwriter, into memory.
#pragma once

#include <array>
#include <string>

#include "share/spreadsheet/sheet_pen.h"

struct lxw_format;
struct lxw_workbook;
struct lxw_worksheet;

namespace attn {

class WorkbookPen : public SheetPen {
public:
    WorkbookPen();
    ~WorkbookPen() override;
    WorkbookPen(const WorkbookPen&) = delete;
    WorkbookPen& operator=(const WorkbookPen&) = delete;

    void begin_sheet(const std::string& name, const SheetLook& look) override;
    void text(int row, int column, std::string_view text, CellStyle style) override;
    void number(int row, int column, double number, CellStyle style) override;
    void formula(int row, int column, const std::string& formula, double value, CellStyle style) override;
    void formula(int row, int column, const std::string& formula, std::string_view value, CellStyle style) override;
    void name_cell(std::string_view name, int row, int column) override;

    // Packs the sheets and returns the file, to be taken once; nothing may be written after that.
    std::string take();

private:
    static constexpr std::size_t kNumStyles = static_cast<std::size_t>(CellStyle::fixed) + 1;
    lxw_format* format_of(CellStyle style) const { return formats_[static_cast<std::size_t>(style)]; }

    lxw_workbook* workbook_;
    lxw_worksheet* sheet_ = nullptr;
    std::string sheet_name_;
    std::array<lxw_format*, kNumStyles> formats_ = {};
    std::string bytes_;
};

// The text as a cell can hold it: control characters as their pictures (U+2400 ...), what XML has not as U+FFFD,
// "_x0041_" so that no program takes it for a letter, and of long texts the beginning.
std::string cell_text(std::string_view text);

}  // namespace attn
