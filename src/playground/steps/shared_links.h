// Parts of links that steps in several files share.
#pragma once

#include <string_view>

namespace attn {

// "Your journey starts with one step" with the three numbers a token that the lecture uses, shown without positions.
inline constexpr std::string_view kJourney =
    "text=Your+journey+starts+with+one+step&embed=typed&pos=none"
    "&x=.43,.15,.89;.55,.87,.66;.57,.85,.64;.22,.58,.33;.77,.25,.1;.05,.8,.55";

// The largest weight of each row, for a layer as wide as the step says.
inline constexpr std::string_view kRowsLargest[] = {"pos=none&heads=1&mask=none&out=0",
                                                    "&stage=weights&row_stat=largest"};

inline constexpr std::string_view kArtist = "text=The+artist+painted+the+portrait+of+a+woman+with+a+brush";
inline constexpr std::string_view kSmall = "&d_in=8&d_out=4&mask=none&out=0";
inline constexpr std::string_view kBrush[] = {kArtist, kSmall};

// Three tokens of six numbers, two heads of three; the matrices as the notes give them.
inline constexpr std::string_view kInputs = "&x=1,2,3,4,5,6;6,5,4,3,2,1;1,1,1,1,1,1";
inline constexpr std::string_view kSettings = "&embed=typed&pos=none&d_out=6&heads=2&mask=causal&out=0&init=identity";
inline constexpr std::string_view kWQuery =
    "&edit=w_query[0,0]=0.6323,-0.2366,1.2455,0.3465,1.2458,0.3229;"
    "0.6571,-0.2378,-0.5311,-0.261,-1.4819,-1.6418;"
    "-0.299,0.4216,0.2114,-0.0271,-0.5682,0.6937;"
    "-1.1291,-1.0102,0.6946,0.1094,0.513,-0.8669;"
    "0.348,0.2593,0.4412,1.0017,-0.3913,-0.2878;"
    "0.2484,0.2846,-0.3386,-0.6164,1.2722,0.5754";
inline constexpr std::string_view kWKey =
    "&edit=w_key[0,0]=-0.3703,0.5431,-0.0372,-0.4406,0.4103,-0.1773;"
    "1.5993,-0.2777,-1.1989,-0.4301,0.6927,-1.3384;"
    "1.2478,-0.1872,-8.1678,1.4382,1.2927,0.4822;"
    "-0.8984,-0.8983,8.3334,-0.6312,0.1022,-1.0715;"
    "-0.7647,0.1734,0.6305,1.0155,0.8474,0.1454;"
    "-1.5085,-0.4529,0.0997,-0.1084,0.8046,0.3459";
inline constexpr std::string_view kWValue =
    "&edit=w_value[0,0]=1.6395,1.1234,-0.1001,0.5021,-1.059,0.1412;"
    "-8.4271,0.5681,0.4164,-1.2534,1.3061,0.361;"
    "-0.2824,-0.4314,1.2358,0.1181,-1.2467,0.1893;"
    "1.344,0.1487,-0.6174,0.889,-0.3282,1.4662;"
    "0.1814,-0.4761,-0.0402,0.7326,0.7654,-0.1;"
    "-8.8974,0.6786,8.5682,-0.2443,-8.4883,1.3996";
inline constexpr std::string_view kFromInputs[] = {"text=one+two+three", kSettings, kInputs, kWQuery, kWKey, kWValue};

}  // namespace attn
