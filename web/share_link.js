// Sends links to the system's share sheet, if there is one.

/** Whether the browser can share this address; frames without permission and old browsers cannot. @param {string} url */
export const can_share = (url) => url !== "" && navigator.canShare?.({ url }) === true;

/**
 * Call it only while handling a click or a key. Resolves to false if the browser refused, and to true if the visitor shared the
 * link or closed the sheet.
 * @param {string} url
 */
export async function share_link(url) {
  try {
    await navigator.share({ title: document.title, url });
    return true;
  } catch (error) {
    return /** @type {DOMException} */ (error).name === "AbortError";
  }
}
