// The library's files are in memory: the two C functions at the end stand in the place of its tmpfile() and zipOpen()
// (tools/cmake/dependencies.cmake).
#include "share/spreadsheet/workbook_pen.h"

#include <minizip/zip.h>
#include <stdio.h>  // fopencookie, which <cstdio> need not have
#include <xlsxwriter.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <memory>

#include "core/ground/check.h"
#include "share/spreadsheet/layer_sheets.h"

namespace attn {
namespace {

// A temporary file: bytes that are written, then read from the beginning.
struct TemporaryFile {
    std::string bytes;
    std::size_t at = 0;
};

ssize_t read_temporary(void* cookie, char* buffer, std::size_t size) {
    TemporaryFile& file = *static_cast<TemporaryFile*>(cookie);
    const std::size_t count = std::min(size, file.bytes.size() - std::min(file.at, file.bytes.size()));
    if (count > 0) std::memcpy(buffer, file.bytes.data() + file.at, count);
    file.at += count;
    return static_cast<ssize_t>(count);
}

ssize_t write_temporary(void* cookie, const char* buffer, std::size_t size) {
    TemporaryFile& file = *static_cast<TemporaryFile*>(cookie);
    file.bytes.replace(std::min(file.at, file.bytes.size()), size, buffer, size);
    file.at += size;
    return static_cast<ssize_t>(size);
}

int close_temporary(void* cookie) {
    const std::unique_ptr<TemporaryFile> file(static_cast<TemporaryFile*>(cookie));
    return 0;
}

// 0 with the new place in *offset, or -1 for a place outside the file. The type of `offset` differs between C
// libraries.
template <class Offset>
int seek_temporary(void* cookie, Offset* offset, int whence) {
    TemporaryFile& file = *static_cast<TemporaryFile*>(cookie);
    const std::size_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? file.at : file.bytes.size();
    const Offset place = static_cast<Offset>(from) + *offset;
    if (place < 0 || place > static_cast<Offset>(file.bytes.size())) return -1;
    file.at = static_cast<std::size_t>(place);
    *offset = place;
    return 0;
}

// The archive: minizip goes back in it to write sizes.
struct ArchiveFile {
    std::string* bytes = nullptr;
    std::size_t at = 0;
};

ArchiveFile& archive() {
    static ArchiveFile only;
    return only;
}

voidpf open_archive_file(voidpf opaque, const void* /*name*/, int /*mode*/) {
    return opaque;
}

uLong read_archive_file(voidpf /*opaque*/, voidpf /*stream*/, void* /*buffer*/, uLong /*size*/) {
    return 0;  // a new archive is not read
}

uLong write_archive_file(voidpf /*opaque*/, voidpf stream, const void* buffer, uLong size) {
    ArchiveFile& file = *static_cast<ArchiveFile*>(stream);
    file.bytes->replace(std::min(file.at, file.bytes->size()), size, static_cast<const char*>(buffer), size);
    file.at += size;
    return size;
}

ZPOS64_T tell_archive_file(voidpf /*opaque*/, voidpf stream) {
    return static_cast<ArchiveFile*>(stream)->at;
}

long seek_archive_file(voidpf /*opaque*/, voidpf stream, ZPOS64_T offset, int origin) {
    ArchiveFile& file = *static_cast<ArchiveFile*>(stream);
    const std::size_t from = origin == ZLIB_FILEFUNC_SEEK_SET   ? 0
                             : origin == ZLIB_FILEFUNC_SEEK_CUR ? file.at
                                                                : file.bytes->size();
    if (from + offset > file.bytes->size()) return -1;
    file.at = from + static_cast<std::size_t>(offset);
    return 0;
}

int close_archive_file(voidpf /*opaque*/, voidpf /*stream*/) {
    return 0;
}

int error_of_archive_file(voidpf /*opaque*/, voidpf /*stream*/) {
    return 0;
}

constexpr std::size_t kMostBytes = 30'000;  // of a text: a cell holds 32,767 letters of UTF-16

lxw_row_t row_index(int row) {
    return static_cast<lxw_row_t>(row);
}
lxw_col_t column_index(int column) {
    return static_cast<lxw_col_t>(column);
}

void check(lxw_error error, std::string_view what) {
    ATTN_CHECK(error == LXW_NO_ERROR, what, ": ", lxw_strerror(error));
}

// Colours of ink and paper, 0xRRGGBB: contrasts of 7 : 1 and more.
constexpr lxw_color_t kInk = 0x1A1A1A, kSoftInk = 0x505050, kInputInk = 0x0B3FA8;
constexpr lxw_color_t kLabelPaper = 0xE9ECF0, kInputPaper = 0xFFF8D6;
constexpr const char* kFourDecimals = "0.0000";

struct StyleRow {
    CellStyle style;
    lxw_color_t ink, paper;
    bool is_bold;
    const char* number_format;
    bool is_right = false;
};
constexpr lxw_color_t kNoPaper = 0;
constexpr StyleRow kStyles[] = {
    {CellStyle::title, kInk, kNoPaper, true, "General"},
    {CellStyle::words, kInk, kNoPaper, false, "General"},
    {CellStyle::label, kInk, kLabelPaper, true, "General"},
    {CellStyle::column, kInk, kLabelPaper, true, "General", true},
    {CellStyle::input, kInputInk, kInputPaper, false, kFourDecimals, true},
    {CellStyle::number, kInk, kNoPaper, false, kFourDecimals, true},
    {CellStyle::helper, kSoftInk, kNoPaper, false, kFourDecimals, true},
    {CellStyle::fixed, kInk, kNoPaper, false, "General", true},
};

// "_x0041_", which programs read as the letter with that number.
bool is_escape(std::string_view text) {
    if (text.size() < 7 || text[0] != '_' || text[1] != 'x' || text[6] != '_') return false;
    for (const char digit : text.substr(2, 4)) {
        if (std::isxdigit(static_cast<unsigned char>(digit)) == 0) return false;
    }
    return true;
}

}  // namespace

std::string cell_text(std::string_view text) {
    std::string cell;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const auto byte = static_cast<unsigned char>(text[at]);
        const bool begins_letter = (byte & 0xC0U) != 0x80U;
        if (begins_letter && cell.size() >= kMostBytes) return cell + "…";
        const std::string_view three = text.substr(at, 3);
        if (byte < 0x20) {
            cell += {'\xE2', '\x90', static_cast<char>(0x80U + byte)};
        } else if (three == "\xEF\xBF\xBE" || three == "\xEF\xBF\xBF") {
            cell += "\xEF\xBF\xBD";
            at += 2;
        } else {
            if (is_escape(text.substr(at, 7))) cell += "_x005F";
            cell += static_cast<char>(byte);
        }
    }
    return cell;
}

WorkbookPen::WorkbookPen() {
    // Rows are written as they come, as XML: no cell is kept.
    lxw_workbook_options options = {.constant_memory = LXW_TRUE, .tmpdir = nullptr, .use_zip64 = LXW_FALSE};
    workbook_ = workbook_new_opt("", &options);
    ATTN_CHECK(workbook_ != nullptr, "no memory for a workbook");
    lxw_doc_properties properties = {};
    char title[] = "Attention with live formulas", author[] = "Attention Playground";
    properties.title = title;
    properties.author = author;
    properties.created = 946'684'800;  // 1 January 2000: the same state gives the same bytes at any time
    check(workbook_set_properties(workbook_, &properties), "properties");
    for (const StyleRow& row : kStyles) {
        lxw_format* const format = workbook_add_format(workbook_);
        format_set_font_color(format, row.ink);
        if (row.paper != kNoPaper) format_set_bg_color(format, row.paper);
        if (row.is_bold) format_set_bold(format);
        format_set_num_format(format, row.number_format);
        if (row.is_right) format_set_align(format, LXW_ALIGN_RIGHT);
        formats_[static_cast<std::size_t>(row.style)] = format;
    }
    format_set_font_size(format_of(CellStyle::title), 14);
}

WorkbookPen::~WorkbookPen() {
    if (workbook_ != nullptr) lxw_workbook_free(workbook_);
}

void WorkbookPen::begin_sheet(const std::string& name, const SheetLook& look) {
    sheet_ = workbook_add_worksheet(workbook_, name.c_str());
    ATTN_CHECK(sheet_ != nullptr, "no sheet ", name);
    sheet_name_ = name;
    check(worksheet_set_column(sheet_, 0, 0, look.first_width, nullptr), "width");
    check(worksheet_set_column(sheet_, 1, LXW_COL_MAX - 1, look.width, nullptr), "width");
    worksheet_set_landscape(sheet_);
    worksheet_set_paper(sheet_, 9);        // A4
    worksheet_fit_to_pages(sheet_, 1, 0);  // on paper as wide as the sheet, as long as it gets
    if (look.frozen_rows + look.frozen_columns > 0)
        worksheet_freeze_panes(sheet_, row_index(look.frozen_rows), column_index(look.frozen_columns));
}

void WorkbookPen::text(int row, int column, std::string_view text, CellStyle style) {
    check(
        worksheet_write_string(sheet_, row_index(row), column_index(column), cell_text(text).c_str(), format_of(style)),
        "text");
}

void WorkbookPen::number(int row, int column, double number, CellStyle style) {
    check(worksheet_write_number(sheet_, row_index(row), column_index(column), number, format_of(style)), "number");
}

void WorkbookPen::formula(int row, int column, const std::string& formula, double value, CellStyle style) {
    check(worksheet_write_formula_num(sheet_, row_index(row), column_index(column), formula.c_str(), format_of(style),
                                      value),
          "formula");
}

void WorkbookPen::formula(int row, int column, const std::string& formula, std::string_view value, CellStyle style) {
    check(worksheet_write_formula_str(sheet_, row_index(row), column_index(column), formula.c_str(), format_of(style),
                                      std::string(value).c_str()),
          "formula");
}

void WorkbookPen::name_cell(std::string_view name, int row, int column) {
    const std::string place = concat("=", sheet_name_, "!", cell_name(row, column, Fixed::both));
    check(workbook_define_name(workbook_, std::string(name).c_str(), place.c_str()), "name");
}

std::string WorkbookPen::take() {
    archive() = {.bytes = &bytes_, .at = 0};
    lxw_workbook* const workbook = workbook_;
    workbook_ = nullptr;  // closing frees it
    check(workbook_close(workbook), "workbook");
    return std::move(bytes_);
}

}  // namespace attn

extern "C" {

// In the place of tmpfile().
FILE* attn_temporary_file() {
    using namespace attn;
    auto file = std::make_unique<TemporaryFile>();
    const cookie_io_functions_t functions = {
        .read = read_temporary, .write = write_temporary, .seek = seek_temporary, .close = close_temporary};
    FILE* const opened = fopencookie(file.get(), "w+", functions);
    if (opened != nullptr) file.release();
    return opened;
}

// In the place of zipOpen(): the bytes of the pen, whatever the path.
zipFile attn_open_workbook(const char* path, int append) {
    using namespace attn;
    zlib_filefunc64_def functions = {.zopen64_file = open_archive_file,
                                     .zread_file = read_archive_file,
                                     .zwrite_file = write_archive_file,
                                     .ztell64_file = tell_archive_file,
                                     .zseek64_file = seek_archive_file,
                                     .zclose_file = close_archive_file,
                                     .zerror_file = error_of_archive_file,
                                     .opaque = &archive()};
    return zipOpen2_64(path, append, nullptr, &functions);
}
}
