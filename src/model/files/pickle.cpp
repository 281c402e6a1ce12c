// A stack machine that builds nodes.
#include "model/files/pickle.h"

#include <bit>

#include "core/ground/check.h"
#include "core/words/code_points.h"

namespace attn {

class PickleReader {
public:
    PickleReader(std::string_view bytes, std::string_view what) : rest_(bytes), what_(what) {}

    std::string_view rest() const { return rest_; }

    Result<Pickle> read() {
        if (rest_.size() > Pickle::kMaxBytes)
            return Result<Pickle>::failure(
                concat(what_, " has a list of tensors of more than ", Pickle::kMaxBytes >> 20U, " MiB."));
        while (problem_.empty() && !is_over_) step();
        if (!problem_.empty()) return Result<Pickle>::failure(concat(what_, " ", problem_));
        return std::move(pickle_);
    }

private:
    // --- what goes wrong ---
    void fail(std::string why) {
        if (problem_.empty()) problem_ = std::move(why);
    }
    void be_damaged() { fail("is cut or damaged: its list of tensors cannot be read."); }

    // --- bytes ---
    std::string_view take(std::uint64_t wanted) {
        if (wanted > rest_.size()) {
            be_damaged();
            return {};
        }
        const auto size = static_cast<std::size_t>(wanted);
        const std::string_view bytes = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return bytes;
    }
    std::uint64_t take_whole(std::size_t size) {
        std::uint64_t number = 0;
        const std::string_view bytes = take(size);
        for (std::size_t i = 0; i < bytes.size(); ++i)
            number |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
        return number;
    }
    std::string_view take_line() {
        const std::size_t end = rest_.find('\n');
        if (end == std::string_view::npos) {
            be_damaged();
            return {};
        }
        const std::string_view line = take(end);
        static_cast<void>(take(1));
        return line;
    }

    // --- stack and memo ---
    PickleRef add(PickleNode node) {
        if (pickle_.nodes_.size() >= Pickle::kMaxNodes) {
            fail(concat("has more than ", Pickle::kMaxNodes, " values in its list of tensors."));
            return 0;
        }
        pickle_.nodes_.push_back(std::move(node));
        return static_cast<PickleRef>(pickle_.nodes_.size() - 1);
    }
    void push(PickleNode node) {
        const PickleRef ref = add(std::move(node));
        if (problem_.empty()) stack_.push_back(ref);
    }
    PickleNode& node(PickleRef ref) { return pickle_.nodes_[ref]; }
    std::optional<PickleRef> pop() {
        if (stack_.size() <= (marks_.empty() ? 0 : marks_.back())) {
            be_damaged();
            return std::nullopt;
        }
        const PickleRef top = stack_.back();
        stack_.pop_back();
        return top;
    }
    // All above the last mark.
    std::vector<PickleRef> pop_to_mark() {
        if (marks_.empty()) {
            be_damaged();
            return {};
        }
        std::vector<PickleRef> items(stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back()), stack_.end());
        stack_.resize(marks_.back());
        marks_.pop_back();
        return items;
    }
    void push_last(std::size_t count) {
        std::vector<PickleRef> items(count);
        for (std::size_t i = count; i-- > 0;) items[i] = pop().value_or(0);
        push({.kind = PickleKind::list, .items = std::move(items)});
    }
    void remember(std::uint64_t wanted) {
        if (stack_.empty() || wanted > Pickle::kMaxNodes) return be_damaged();
        const auto place = static_cast<std::size_t>(wanted);
        if (place >= memo_.size()) memo_.resize(place + 1);
        memo_[place] = stack_.back();
    }
    void recall(std::uint64_t place) {
        if (place >= memo_.size() || !memo_[static_cast<std::size_t>(place)]) return be_damaged();
        stack_.push_back(*memo_[static_cast<std::size_t>(place)]);
    }
    // The list or dictionary on top of the stack.
    PickleNode* top_of(PickleKind kind) {
        if (stack_.empty() || node(stack_.back()).kind != kind) {
            be_damaged();
            return nullptr;
        }
        return &node(stack_.back());
    }
    void add_to_top(PickleKind kind, const std::vector<PickleRef>& items) {
        PickleNode* const top = top_of(kind);
        if (top == nullptr || (kind == PickleKind::dictionary && items.size() % 2 != 0)) return be_damaged();
        num_held_ += items.size();
        if (num_held_ > Pickle::kMaxNodes) return fail("has more values in its list of tensors than any has.");
        top->items.insert(top->items.end(), items.begin(), items.end());
    }

    // --- what names do ---
    void push_global(std::string_view module, std::string_view name) {
        const std::string both = concat(module, ".", name);
        const bool is_storage = module == "torch" && name.ends_with("Storage");
        const bool is_known = is_storage || both == "collections.OrderedDict" ||
                              both == "torch._utils._rebuild_tensor_v2" || both == "torch._utils._rebuild_parameter";
        if (!is_known)
            return fail(concat("names ", attn::quoted(both),
                               ", which is more than tensors; this program runs nothing of a file. Save the model's "
                               "state_dict() alone, or as safetensors."));
        push({.kind = PickleKind::global, .text = both});
    }

    void call() {
        const std::optional<PickleRef> arguments = pop(), function = pop();
        if (!arguments || !function) return;
        const PickleNode& given = node(*arguments);
        const std::string& name = node(*function).text;
        const bool is_call = node(*function).kind == PickleKind::global && given.kind == PickleKind::list;
        if (is_call && name == "collections.OrderedDict" && given.items.empty())
            return push({.kind = PickleKind::dictionary});
        if (is_call && name == "torch._utils._rebuild_parameter" && !given.items.empty() &&
            node(given.items[0]).kind == PickleKind::tensor) {
            stack_.push_back(given.items[0]);
            return;
        }
        if (is_call && name == "torch._utils._rebuild_tensor_v2" && given.items.size() >= 4 &&
            node(given.items[0]).kind == PickleKind::storage)
            return push({.kind = PickleKind::tensor,
                         .items = {given.items[0], given.items[1], given.items[2], given.items[3]}});
        be_damaged();
    }

    // A state that is set on a dictionary ("_metadata") says nothing about tensors.
    void set_state() {
        static_cast<void>(pop());
        static_cast<void>(top_of(PickleKind::dictionary));
    }

    void push_storage() {
        const std::optional<PickleRef> identity = pop();
        if (!identity) return;
        const PickleNode& given = node(*identity);
        if (given.kind != PickleKind::list || given.items.size() < 5) return be_damaged();
        push({.kind = PickleKind::storage, .items = given.items});
    }

    void push_text(std::uint64_t size) {
        const std::string_view bytes = take(size);
        push({.kind = PickleKind::text, .text = std::string(bytes)});
    }

    void push_long(std::uint64_t wanted) {
        if (wanted > 8) return be_damaged();
        const auto size = static_cast<std::size_t>(wanted);
        std::uint64_t bits = take_whole(size);
        if (size > 0 && size < 8 && (bits >> (8 * size - 1) & 1U) != 0) bits |= ~std::uint64_t{0} << (8 * size);
        push({.kind = PickleKind::whole, .whole = static_cast<std::int64_t>(bits)});
    }

    void step();

    std::string_view rest_;
    std::string_view what_;
    std::string problem_;
    bool is_over_ = false;
    Pickle pickle_;
    std::vector<PickleRef> stack_;
    std::vector<std::size_t> marks_;
    std::vector<std::optional<PickleRef>> memo_;
    std::size_t num_held_ = 0;
};

void PickleReader::step() {
    const std::string_view code = take(1);
    if (code.empty()) return;
    switch (static_cast<unsigned char>(code[0])) {
        case 0x80:  // PROTO
            if (take_whole(1) > 5) be_damaged();
            return;
        case 0x95:  // FRAME
            static_cast<void>(take(8));
            return;
        case '.': {  // STOP
            const std::optional<PickleRef> root = pop();
            if (root) pickle_.root_ = *root;
            is_over_ = true;
            return;
        }
        case '(':  // MARK
            if (marks_.size() > Pickle::kMaxNodes) return be_damaged();
            marks_.push_back(stack_.size());
            return;
        case '0':  // POP
            static_cast<void>(pop());
            return;
        case '1':  // POP_MARK
            static_cast<void>(pop_to_mark());
            return;
        case 'N':
            return push({});
        case 0x88:
        case 0x89:
            return push({.kind = PickleKind::boolean, .whole = static_cast<unsigned char>(code[0]) == 0x88 ? 1 : 0});
        case 'K':
            return push({.kind = PickleKind::whole, .whole = static_cast<std::int64_t>(take_whole(1))});
        case 'M':
            return push({.kind = PickleKind::whole, .whole = static_cast<std::int64_t>(take_whole(2))});
        case 'J':
            return push_long(4);
        case 0x8a:
            return push_long(take_whole(1));
        case 0x8b:
            return push_long(take_whole(4));
        case 'G': {
            std::uint64_t bits = 0;
            for (const char byte : take(8)) bits = bits << 8U | static_cast<unsigned char>(byte);
            return push({.kind = PickleKind::real, .real = std::bit_cast<double>(bits)});
        }
        case 'X':
        case 'T':
        case 'B':
            return push_text(take_whole(4));
        case 0x8c:
        case 'U':
        case 'C':
            return push_text(take_whole(1));
        case 0x8d:
        case 0x8e:
            return push_text(take_whole(8));
        case '}':
            return push({.kind = PickleKind::dictionary});
        case ']':
        case ')':
            return push({.kind = PickleKind::list});
        case 't':
        case 'l':
            return push({.kind = PickleKind::list, .items = pop_to_mark()});
        case 0x85:
            return push_last(1);
        case 0x86:
            return push_last(2);
        case 0x87:
            return push_last(3);
        case 'd': {
            std::vector<PickleRef> items = pop_to_mark();
            push({.kind = PickleKind::dictionary});
            return add_to_top(PickleKind::dictionary, items);
        }
        case 'a': {
            const std::optional<PickleRef> item = pop();
            if (item) add_to_top(PickleKind::list, {*item});
            return;
        }
        case 'e':
            return add_to_top(PickleKind::list, pop_to_mark());
        case 's': {
            const std::optional<PickleRef> value = pop(), name = pop();
            if (value && name) add_to_top(PickleKind::dictionary, {*name, *value});
            return;
        }
        case 'u':
            return add_to_top(PickleKind::dictionary, pop_to_mark());
        case 'q':
            return remember(take_whole(1));
        case 'r':
            return remember(take_whole(4));
        case 0x94:
            return remember(memo_.size());
        case 'h':
            return recall(take_whole(1));
        case 'j':
            return recall(take_whole(4));
        case 'c': {
            const std::string_view module = take_line(), name = take_line();
            if (problem_.empty()) push_global(module, name);
            return;
        }
        case 0x93: {
            const std::optional<PickleRef> name = pop(), module = pop();
            if (name && module) push_global(std::string(node(*module).text), std::string(node(*name).text));
            return;
        }
        case 'R':
            return call();
        case 'b':
            return set_state();
        case 'Q':
            return push_storage();
        default:
            return fail(concat("has the instruction ", static_cast<int>(static_cast<unsigned char>(code[0])),
                               " of Python's pickle, which no file of tensors needs. Save the model's state_dict() "
                               "alone, or as safetensors."));
    }
}

Result<Pickle> Pickle::read(std::string_view bytes, std::string_view what) {
    return read_first(bytes, what);
}

Result<Pickle> Pickle::read_first(std::string_view& bytes, std::string_view what) {
    PickleReader reader(bytes, what);
    Result<Pickle> pickle = reader.read();
    bytes = reader.rest();
    return pickle;
}

std::optional<PickleRef> Pickle::find(PickleRef dictionary, std::string_view name) const {
    const std::vector<PickleRef>& items = at(dictionary).items;
    if (at(dictionary).kind != PickleKind::dictionary) return std::nullopt;
    for (std::size_t i = 0; i + 1 < items.size(); i += 2)
        if (at(items[i]).kind == PickleKind::text && at(items[i]).text == name) return items[i + 1];
    return std::nullopt;
}

}  // namespace attn
