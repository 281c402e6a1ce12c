// Small models that people can fetch, each of a kind in docs/models.md ("What works"): the rows of the list on fetch.html. The page
// contacts nothing for this list; a press on a row only fills in its address. docs/models.md has the same rows, and a test compares them.
//
// Bytes are those of model.safetensors as public file lists give them (manifests and LFS pointers of other repositories on GitHub, read
// in November 2026), for the models' main revisions. The hosts may change their files: the page says the size that it is told.

/** @typedef {{ name: string, address: string, kind: string, bytes: number, shows: string }} KnownModel */

const kHub = "https://huggingface.co/";

/** @type {readonly KnownModel[]} */
export const kKnownModels = [
  {
    name: "SmolLM2-135M",
    address: `${kHub}HuggingFaceTB/SmolLM2-135M`,
    kind: "Llama",
    bytes: 269_060_552,
    shows: "rotary positions, three heads that share each key, 30 layers",
  },
  {
    name: "Pythia-70M",
    address: `${kHub}EleutherAI/pythia-70m-deduped`,
    kind: "GPT-NeoX",
    bytes: 166_029_852,
    shows: "a quarter of each head is turned by position; attention and MLP side by side",
  },
  {
    name: "GPT-2",
    address: `${kHub}openai-community/gpt2`,
    kind: "GPT-2",
    bytes: 548_105_171,
    shows: "induction heads, learned positions, heads that look at the first token",
  },
  {
    name: "DistilGPT-2",
    address: `${kHub}distilbert/distilgpt2`,
    kind: "GPT-2",
    bytes: 352_824_413,
    shows: "the same in half as many layers",
  },
  {
    name: "GPT-Neo-125M",
    address: `${kHub}EleutherAI/gpt-neo-125m`,
    kind: "GPT-Neo",
    bytes: 525_979_192,
    shows: "scores that are not divided by √head_dim; a window in every other layer",
  },
  {
    name: "Qwen3-0.6B",
    address: `${kHub}Qwen/Qwen3-0.6B`,
    kind: "Qwen3",
    bytes: 1_503_300_328,
    shows: "norms of queries and keys; heads that are together wider than the stream",
  },
  {
    name: "BERT base",
    address: `${kHub}google-bert/bert-base-uncased`,
    kind: "BERT",
    bytes: 440_449_768,
    shows: "attention without a mask: tokens see both sides",
  },
  {
    name: "DistilBERT base",
    address: `${kHub}distilbert/distilbert-base-uncased`,
    kind: "DistilBERT",
    bytes: 267_954_768,
    shows: "the same in half as many layers",
  },
];
