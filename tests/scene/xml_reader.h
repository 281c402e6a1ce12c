// A strict reader of the XML that we write: one root, tags that match, attributes once each and in double quotes, the
// five named entities, characters XML 1.0 allows, valid UTF-8. Anything else fails the test.
#pragma once

#include <catch_amalgamated.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/ground/check.h"
#include "core/words/tokens.h"

namespace attn::test {

struct XmlElement {
    std::string name;
    std::map<std::string, std::string> attributes;
    std::string text;  // of its own, without its children's
    std::vector<std::unique_ptr<XmlElement>> children;
    const XmlElement* parent = nullptr;

    // The attribute, here or on a group around it.
    std::string inherited(const std::string& attribute) const {
        for (const XmlElement* element = this; element != nullptr; element = element->parent) {
            const auto found = element->attributes.find(attribute);
            if (found != element->attributes.end()) return found->second;
        }
        return "";
    }
    std::string own(const std::string& attribute) const {
        const auto found = attributes.find(attribute);
        return found == attributes.end() ? "" : found->second;
    }
    double number(const std::string& attribute) const { return std::stod(own(attribute)); }
    std::string title() const {
        for (const auto& child : children) {
            if (child->name == "title") return child->text;
        }
        return "";
    }
};

class XmlReader {
public:
    explicit XmlReader(std::string_view xml) : rest_(xml) {}

    std::unique_ptr<XmlElement> read() {
        REQUIRE(clean_utf8(rest_).num_replaced == 0);
        take("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        auto root = element(nullptr);
        REQUIRE(rest_ == "\n");
        return root;
    }

private:
    bool begins_with(std::string_view text) const { return rest_.starts_with(text); }
    void require(bool is_right, std::string_view what) const {
        if (!is_right) FAIL(what << " at: " << std::string(rest_.substr(0, 80)));
    }
    void take(std::string_view text) {
        require(begins_with(text), concat("expected ", text));
        rest_.remove_prefix(text.size());
    }
    std::string name() {
        std::size_t size = 0;
        const auto is_name = [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == ':' || (c >= '0' && c <= '9');
        };
        while (size < rest_.size() && is_name(rest_[size])) ++size;
        require(size > 0, "a name is missing");
        std::string result(rest_.substr(0, size));
        rest_.remove_prefix(size);
        return result;
    }
    // Text up to one of `ends`, entities decoded.
    std::string characters(std::string_view ends) {
        std::string result;
        while (!rest_.empty() && ends.find(rest_.front()) == std::string_view::npos) {
            const char c = rest_.front();
            if (c == '&') {
                result += entity();
                continue;
            }
            require(c != '<', "a bare <");
            require(static_cast<unsigned char>(c) >= 0x20 || c == '\n', "a control character");
            require(!begins_with("\xEF\xBF\xBE") && !begins_with("\xEF\xBF\xBF"), "not a character");
            result += c;
            rest_.remove_prefix(1);
        }
        return result;
    }
    char entity() {
        const std::map<std::string_view, char> entities = {
            {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
        for (const auto& [text, character] : entities) {
            if (!begins_with(text)) continue;
            rest_.remove_prefix(text.size());
            return character;
        }
        require(false, "an unknown entity");
        return 0;
    }
    std::unique_ptr<XmlElement> element(const XmlElement* parent) {
        auto result = std::make_unique<XmlElement>();
        result->parent = parent;
        take("<");
        result->name = name();
        while (begins_with(" ")) {
            take(" ");
            const std::string key = name();
            take("=\"");
            const std::string value = characters("\"");
            take("\"");
            require(result->attributes.emplace(key, value).second, concat("twice the attribute ", key));
        }
        if (begins_with("/>")) {
            take("/>");
            return result;
        }
        take(">");
        while (true) {
            result->text += characters("<");
            if (begins_with("</")) break;
            result->children.push_back(element(result.get()));
        }
        take(concat("</", result->name, ">"));
        return result;
    }

    std::string_view rest_;
};

inline std::unique_ptr<XmlElement> read_xml(std::string_view xml) {
    return XmlReader(xml).read();
}

// All elements of that name, in the order of the file.
inline std::vector<const XmlElement*> all_named(const XmlElement& root, std::string_view name) {
    std::vector<const XmlElement*> found;
    const std::function<void(const XmlElement&)> look = [&](const XmlElement& element) {
        if (element.name == name) found.push_back(&element);
        for (const auto& child : element.children) look(*child);
    };
    look(root);
    return found;
}

}  // namespace attn::test
