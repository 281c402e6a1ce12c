// Finds the parts of the playground's markup (index.html) that the program reads and changes.

/** @param {HTMLElement} root */
export function find_parts(root) {
  return {
    /** @type {HTMLInputElement} */ sentence: part(root, "sentence"),
    /** @type {HTMLButtonElement} */ show_text: part(root, "show-text"),
    /** @type {HTMLButtonElement} */ theme: part(root, "theme"),
    theme_label: part(root, "theme-label"),
    frame: part(root, "picture"),
    /** @type {HTMLCanvasElement} */ canvas: part(root, "canvas"),
    /** @type {HTMLTextAreaElement} */ typing: part(root, "typing"),
    skeleton: part(root, "skeleton"),
    message: part(root, "message"),
    plain: part(root, "plain"),
    help: part(root, "help"),
    announcement: part(root, "announcement"),
  };
}

/**
 * The descendant marked data-part="name"; throws if there is none.
 * @template {HTMLElement} [Kind=HTMLElement]
 * @param {HTMLElement} root
 * @param {string} name
 * @returns {Kind}
 */
function part(root, name) {
  const found = root.querySelector(`[data-part="${name}"]`);
  if (!found) throw new Error(`the playground's markup has no part "${name}"`);
  return /** @type {Kind} */ (found);
}
