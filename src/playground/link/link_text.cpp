// These functions take and give bytes; clamp_to_legal checks that they are text.
#include "playground/link/link_text.h"
#include "playground/text/format.h"

#include <algorithm>

namespace attn {
namespace {

// Whether `text` starts with a scheme, as "https:" and "localhost:" do.
bool has_scheme(std::string_view text) {
    const std::size_t colon = text.find_first_of(":=&");
    return colon != std::string_view::npos && colon > 0 && text[colon] == ':' && text.find_first_of("/?#", 0) > colon;
}

bool looks_like_address(std::string_view text) {
    return has_scheme(text) || text.find('=') == std::string_view::npos;
}

// The value of a hexadecimal digit, or -1.
int hex_value(char digit) {
    if (digit >= '0' && digit <= '9') return digit - '0';
    if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
    if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
    return -1;
}

// Puts "%41" for 'A' at the end of a text.
void append_encoded(std::string& text, char character) {
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    const auto byte = static_cast<unsigned char>(character);
    text += {'%', kDigits[byte >> 4U], kDigits[byte & 15U]};
}

// The quote is encoded for the sake of shells, where links stand in quotes.
bool must_be_encoded(char character) {
    const auto byte = static_cast<unsigned char>(character);
    return byte < 0x20 || byte > 0x7E || std::string_view("\"<>`'%&+#").find(character) != std::string_view::npos;
}

}  // namespace

std::string_view query_of(std::string_view link) {
    for (const char mark : {'#', '?'}) {
        const std::size_t at = link.find(mark);
        if (at != std::string_view::npos && looks_like_address(link.substr(0, at))) return link.substr(at + 1);
    }
    const bool is_bare_address = has_scheme(link) && link.find("://") != std::string_view::npos;
    return is_bare_address ? std::string_view() : link;
}

std::string_view take_until(std::string_view& rest, char separator) {
    const std::size_t at = rest.find(separator);
    const std::string_view taken = rest.substr(0, at);
    rest.remove_prefix(at == std::string_view::npos ? rest.size() : at + 1);
    return taken;
}

std::string decode_form(std::string_view encoded) {
    std::string text;
    text.reserve(encoded.size());
    for (std::size_t i = 0; i < encoded.size(); ++i) {
        const int high = encoded[i] == '%' && i + 2 < encoded.size() ? hex_value(encoded[i + 1]) : -1;
        const int low = high >= 0 ? hex_value(encoded[i + 2]) : -1;
        if (low >= 0) {
            text += static_cast<char>(high * 16 + low);
            i += 2;
        } else {
            text += encoded[i] == '+' ? ' ' : encoded[i];
        }
    }
    return text;
}

std::string encode_form(std::string_view text) {
    std::string encoded;
    encoded.reserve(text.size());
    for (const char character : text) {
        if (character == ' ') {
            encoded += '+';
        } else if (must_be_encoded(character)) {
            append_encoded(encoded, character);
        } else {
            encoded += character;
        }
    }
    return encoded;
}

std::string with_encoded(std::string_view link, std::string_view characters) {
    std::string encoded;
    encoded.reserve(link.size());
    for (const char character : link) {
        if (characters.find(character) != std::string_view::npos) {
            append_encoded(encoded, character);
        } else {
            encoded += character;
        }
    }
    return encoded;
}

std::vector<std::string> read_names(std::string_view list, std::size_t most) {
    std::vector<std::string> names;
    std::size_t start = 0;
    int depth = 0;
    for (std::size_t i = 0; i <= list.size() && names.size() < most; ++i) {
        if (i < list.size() && list[i] == '[') ++depth;
        if (i < list.size() && list[i] == ']' && depth > 0) --depth;
        if (i < list.size() && (list[i] != ',' || depth > 0)) continue;
        const std::string_view name = trimmed(list.substr(start, i - start));
        if (!name.empty()) names.emplace_back(name);
        start = i + 1;
    }
    return names;
}

}  // namespace attn
