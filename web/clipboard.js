// Puts text on the system's clipboard, in whichever way the browser allows.

/**
 * Resolves to whether the text is on the clipboard now.
 * @param {string} text
 * @param {HTMLElement} root gets a text area for a moment
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
