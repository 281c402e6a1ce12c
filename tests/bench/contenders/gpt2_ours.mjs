// Our own model code as WebAssembly in a page, without the page's view: what a library that computes and draws nothing is compared
// with.

/** The whole model. read(tokens) goes on from the keys and values of the tokens before and gives the last token's logits. */
export async function create_decoder(folder) {
  const { default: load } = await import(new URL("decoder.mjs", location.href).href);
  const [config, tensors] = await Promise.all([
    fetch(`${folder}/config.json`).then((answer) => answer.text()),
    fetch(`${folder}/model.safetensors`).then((answer) => answer.arrayBuffer()),
  ]);
  const module = await load({ read_tensors: (begin, size) => new Uint8Array(tensors, begin, size) });
  const text = module.stringToNewUTF8(config);
  const problem = module._decoder_open(text, tensors.byteLength);
  if (problem !== 0) throw new Error(module.UTF8ToString(problem));
  const vocabulary = module._decoder_vocabulary();
  let all = [];
  return {
    /** The same from the beginning. */
    read_new(tokens) {
      all = [];
      return this.read(tokens);
    },
    read(tokens) {
      all = all.concat(tokens);
      const ids = module._malloc(4 * all.length);
      module.HEAP32.set(all, ids / 4);
      const logits = module._decoder_read(ids, all.length);
      module._free(ids);
      if (logits === 0) throw new Error("the model cannot read these tokens");
      return module.HEAPF32.slice(logits / 4, logits / 4 + vocabulary);
    },
  };
}
