// What a choice of the key table is called for people, where the link's word is too long or says too little.
#pragma once

#include <string_view>

namespace attn {

// "after, renormalised" of "mask_at" and "after"; else the link's word.
std::string_view choice_label(std::string_view key, std::string_view choice);

}  // namespace attn
