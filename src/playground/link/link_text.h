// The text of links: where the query string of an address begins, and percent-encoding. Knows no keys.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attn {

// The query string of a link: what follows the first '#' or, failing that, '?', when what stands before looks like an
// address ("https://...", "page.html", nothing). Else all of `link` is the query string.
std::string_view query_of(std::string_view link);

// Takes the text before the next `separator` off the front of `rest`, and the separator too.
std::string_view take_until(std::string_view& rest, char separator);

// As in HTML forms: '+' is a space, %41 is 'A'. A '%' that no two hexadecimal digits follow stands for itself.
std::string decode_form(std::string_view encoded);

// The opposite. Encodes what the URL standard's fragment percent-encode set demands, so that a browser gives the link
// back byte by byte, and what has a meaning in a query string; brackets, commas and the like stay readable.
std::string encode_form(std::string_view text);

// Splits at commas outside brackets; spaces around names do not count. At most `most` names: a link comes from anybody.
std::vector<std::string> read_names(std::string_view list, std::size_t most = 1000);

// A link with all of these characters encoded, too: it reads the same. For files in which they would mean something.
std::string with_encoded(std::string_view link, std::string_view characters);

}  // namespace attn
