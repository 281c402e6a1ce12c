// Copies are one value until one of them changes.
#include "core/ground/shared.h"

#include <catch_amalgamated.hpp>
#include <memory>
#include <utility>
#include <vector>

using namespace attn;

namespace {

// Counts how many of its kind there are, and how often one was copied.
struct Counted {
    explicit Counted(int& num_copied) : num_copied(&num_copied) {}
    Counted(const Counted& other) : num_copied(other.num_copied), alive(other.alive), number(other.number) {
        ++*num_copied;
    }
    Counted(Counted&&) = default;

    int* num_copied;
    std::shared_ptr<int> alive = std::make_shared<int>();
    int number = 1;
};

}  // namespace

TEST_CASE("copies are one value in memory until one of them changes", "[shared]") {
    int num_copied = 0;
    Shared<Counted> first{Counted(num_copied)};
    Shared<Counted> second = first;
    Shared<Counted> third = second;
    CHECK(num_copied == 0);
    CHECK(&*first == &*third);

    second.edit().number = 2;
    CHECK(num_copied == 1);
    CHECK(first->number == 1);
    CHECK(second->number == 2);
    CHECK(third->number == 1);
    CHECK(&*first == &*third);

    second.edit().number = 3;  // it has its own by now
    CHECK(num_copied == 1);
    first = second;
    CHECK(first->number == 3);
    CHECK(third->number == 1);
}

TEST_CASE("a value that nobody shares is changed in its place, and goes with the last copy", "[shared]") {
    int num_copied = 0;
    std::weak_ptr<int> alive;
    {
        Shared<Counted> kept{Counted(num_copied)};
        alive = kept->alive;
        {
            const Shared<Counted> copy = kept;
        }
        kept.edit().number = 5;
        CHECK(num_copied == 0);
        std::vector<Shared<Counted>> moved;
        moved.push_back(std::move(kept));
        CHECK(moved.front()->number == 5);
        kept = moved.front();  // one that was moved from may be given a value
        CHECK(kept->number == 5);
        kept = *&kept;
        CHECK(kept->number == 5);
        CHECK(!alive.expired());
    }
    CHECK(alive.expired());
    CHECK(num_copied == 0);
}
