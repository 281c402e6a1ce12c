// A table of numbers to read: names on the left, columns in groups. Only the rows in sight are made.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ui/kit/widgets.h"

namespace attn {

struct ColumnGroup {
    std::string title;
    std::vector<std::string> columns;
};

// A row's name and its numbers, one for each column.
struct NumberRow {
    std::string name;
    std::vector<std::string> numbers;
};

// At the cursor, as wide as the room and as high as needed; `name_width` is the first column's width.
void put_number_table(const Look& look, const std::string& first, float name_width,
                      const std::vector<ColumnGroup>& groups, int num_rows,
                      const std::function<NumberRow(int)>& row_of);

}  // namespace attn
