// Which of the kernels run: the widest instruction set that this build has and this processor knows.
#include <algorithm>
#include <array>

#include "core/ground/check.h"
#include "core/kernels/kernel_sets.h"
#include "core/kernels/simd_kernels.h"

namespace attn::simd {
namespace {

struct Set {
    InstructionSet set;
    std::string_view name;
    const Kernels* table;
};

#ifdef ATTN_X86_KERNELS
constexpr std::array kSets = {
    Set{InstructionSet::plain, "plain", &plain::table}, Set{InstructionSet::baseline, "baseline", &baseline::table},
    Set{InstructionSet::avx2, "AVX2", &avx2::table}, Set{InstructionSet::avx512, "AVX-512", &avx512::table}};
bool has(InstructionSet set) {
    if (set == InstructionSet::avx2) return __builtin_cpu_supports("avx2") != 0;
    if (set == InstructionSet::avx512) return __builtin_cpu_supports("avx512f") != 0;
    return true;
}
#elif defined(ATTN_ONE_SET)  // nobody compares there
constexpr std::array kSets = {Set{InstructionSet::baseline, "baseline", &baseline::table}};
bool has(InstructionSet set) {
    return set == InstructionSet::baseline;
}
#else
constexpr std::array kSets = {Set{InstructionSet::plain, "plain", &plain::table},
                              Set{InstructionSet::baseline, "baseline", &baseline::table}};
bool has(InstructionSet /*set*/) {
    return true;
}
#endif

struct Available {
    std::array<InstructionSet, kSets.size()> sets = {};
    std::size_t count = 0;
    Available() {
        for (const Set& one : kSets) {
            if (has(one.set)) sets[count++] = one.set;
        }
    }
};

const Set& find(InstructionSet set) {
    const auto* found = std::find_if(kSets.begin(), kSets.end(), [set](const Set& one) { return one.set == set; });
    ATTN_CHECK(found != kSets.end() && has(set), "instruction set ", static_cast<int>(set), " is not available");
    return *found;
}

const Set* chosen = nullptr;  // the widest, from the first question on

const Set& in_use_now() {
    // The linker resolves it: calls are direct, and kernels that nobody calls are left out.
    if constexpr (kSets.size() == 1) return kSets.front();
    if (chosen == nullptr) chosen = &find(available().back());
    return *chosen;
}

}  // namespace

std::span<const InstructionSet> available() {
    static const Available available;
    return {available.sets.data(), available.count};
}

const Kernels& kernels() {
    return *in_use_now().table;
}

InstructionSet in_use() {
    return in_use_now().set;
}

void use(InstructionSet set) {
    chosen = &find(set);
}

std::string_view name_of(InstructionSet set) {
    return find(set).name;
}

}  // namespace attn::simd
