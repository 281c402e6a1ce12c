// Puts text on the system's clipboard, by the way the browser allows here.

/**
 * Resolves to whether it is there now.
 * @param {string} text
 * @param {HTMLElement} root where a text area may stand for a moment
 */
export async function copy_text(text, root) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copy_by_selection(text, root); // an insecure address, or a frame without the permission
  }
}

/** @param {string} text @param {HTMLElement} root */
function copy_by_selection(text, root) {
  const document = root.ownerDocument;
  const focused = /** @type {HTMLElement | null} */ (document.activeElement);
  const area = document.createElement("textarea");
  area.className = "visually-hidden";
  area.value = text;
  root.append(area);
  area.select();
  const is_copied = document.execCommand("copy");
  area.remove();
  focused?.focus({ preventScroll: true });
  return is_copied;
}
