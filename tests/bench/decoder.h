// A model that reads tokens with the keys and values of those before kept, up to the last one's logits, for a page:
// what the page computes for its next word, without the page. contenders/gpt2_ours.mjs is the other side.
#pragma once

extern "C" {

// Reads a model's config.json and, by Module.read_tensors(begin, size, into), its safetensors file of so many bytes.
// Returns null, or a sentence that says what is wrong.
const char* decoder_open(const char* config, double num_bytes);

int decoder_vocabulary();

// All tokens from the first one on; those of the call before that begin it are not read again. Returns the logits after
// the last token until the next call, or null where the model cannot read them.
const float* decoder_read(const int* ids, int count);

// Computes all layers for the tokens, with nothing kept from before, and no logits.
void decoder_layers(const int* ids, int count);

// The logit lens of all positions of the tokens, after each layer: the layers are those of decoder_read, so that they
// cost nothing here. Returns how many cells it has.
int decoder_lens(const int* ids, int count);

// The effects of patches from the same tokens in the other order: of each head, and of the stream before each layer at
// the last token, on the choice between two words. Nothing is kept from before. Returns how many there are.
int decoder_patches(const int* ids, int count);

// The products of such a lens alone: that many rows by the unembedding, as many at a time as the lens has together.
// Returns their multiply-adds.
double decoder_unembed(int rows);

// The largest product of a layer, rows by the MLP's first matrix, so many times: how fast products alone are. Returns
// the multiply-adds of one.
double decoder_products(int rows, int times);
}
