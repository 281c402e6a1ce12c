// Links go to the system's sheet for sharing, where there is one.

/** Whether the browser would share this address: not in frames without the permission, and in no old browser. @param {string} url */
export const can_share = (url) => url !== "" && navigator.canShare?.({ url }) === true;

/**
 * Only while a press or a key is being handled. Resolves to false where the browser refused; whoever closes the sheet has been
 * served.
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
