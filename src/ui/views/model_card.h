// What a model is, above its picture: a line, and a card with what it is not, the words it knows, sentences to start
// from. And the way to a trained model where none is chosen.
#pragma once

#include <string>

#include "ui/frame/frame.h"
#include "views/model/shown_model.h"

namespace attn {

// At the cursor, over the whole width. `shown` is null where no model is there.
void put_model_card(UiFrame& frame, const ModelText* shown);

// To the page that fetches models, with this state: a button, at the cursor. Nothing where no such page is beside this
// one.
void put_fetch_button(UiFrame& frame, const std::string& name);

}  // namespace attn
