// The numbers of view=model as a file for spreadsheets: share panel, page and attn command write the same bytes.
#pragma once

#include <string>

#include "views/model/model_scene.h"

namespace attn {

inline constexpr std::size_t kMostTableWords = 100;

// CSV, a line a number: table,layer,head,word,what,number; layers and heads count from 1, and are empty where there is
// none.
//   next    the kMostTableWords most probable next words, and the chosen one: probability; untouched where heads are
//           off or numbers changed; switched: with the chosen head off, or on again
//   vote    what each part adds to the chosen word's logit, each head of each layer; rounding where the rounded lines
//           lack something
//   logit   the sum of the votes as they are printed, to the last digit
//   score   of each head each role that the text can tell; even: the same of a head that gives all keys one weight
// `work` has its picture; `drawing` is of it.
std::string model_csv(const ModelPictureWork& work, const ModelDrawing& drawing);

}  // namespace attn
