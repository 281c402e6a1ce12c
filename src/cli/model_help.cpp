// What attn --help says of models.
#include "cli/model_options.h"

namespace attn {

std::string model_help_text() {
    return "  attn trace --model FOLDER '<link>'        a model's stages: 'text=...&layer=2&off=1:3'\n"
           "      FOLDER              a folder with the model's files, a .gguf file, or one inside: first-words, "
           "own-words\n"
           "      --heads N           heads of a layer, where the folder has no config.json that says it\n"
           "      --stage NAME        only this stage; logits and probabilities only when named\n"
           "      --format FORMAT     json (default) or csv\n"
           "      --text SENTENCE     instead of the link\n"
           "      --tokens NUMBERS    the model's tokens by number, separated by commas, instead of a text\n"
           "      off=1:3 in the link: a head that is off; edit=1.w_value[0,3]=9: a number changed, here of layer 1\n"
           "  attn explain --model FOLDER '<link>'      what one number of a model is made of\n"
           "      --stage NAME --head H --row R --column C   whose; layer=2 in the link; word=artist instead of "
           "--column\n"
           "      --format FORMAT, --text SENTENCE, --tokens NUMBERS   as above; without --format it is text\n"
           "  attn nudge --model FOLDER '<link>'        how the text's loss moves with one number of the files\n"
           "      --tensor NAME --place I,J   whose; --format, --text, --tokens as above\n"
           "  attn export npz --model FOLDER '<link>'   every stage of the layer, or of all layers\n"
           "      --out FILE, --text SENTENCE, --tokens NUMBERS   as above\n"
           "  attn export pytorch --model FOLDER '<link>'   a script that computes the layer's stages and the logits\n"
           "                      with PyTorch from the same files, and with transformers\n"
           "  attn votes --model FOLDER '<link>'        who voted for the next word, in tables: "
           "'text=...&word=artist'\n"
           "      --format csv        the same as one table, a number a line\n"
           "      layer=2&head=3 in the link: what switching that head does; map=mean or rollout; off as above\n"
           "  attn export svg --model FOLDER '<link>'   the same as a picture\n"
           "  attn lens --model FOLDER '<link>'         the logit lens: the word that the stream would give after each "
           "layer,\n"
           "                      at each position, and the rank of one word: 'text=...&word=artist'\n"
           "      --format FORMAT     text (default), json or csv\n"
           "      lens=2 in the link: the stream after layer 2, whose sums attn explain --stage logits prints, too\n"
           "  attn journey --model FOLDER '<link>'      one token through all layers: its row's length at each stop, "
           "what\n"
           "                      each head and MLP adds to its stream; layer=2 in the link: the stops of that layer\n"
           "      --row R             the token (default: the last)\n"
           "      --format FORMAT     text (default), json or csv\n"
           "  attn generate --model FOLDER '<link>'     goes on writing\n"
           "      --count N           tokens (default 20)\n"
           "      --temperature T --top-k K --top-p P --seed N   as PyTorch draws; temperature 0: the most likely\n"
           "      --text SENTENCE, --tokens NUMBERS   as above\n"
           "\n";
}

}  // namespace attn
