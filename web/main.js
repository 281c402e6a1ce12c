// Starts the playground of this page, with its state in the address bar.
import { AddressBar } from "./address_bar.js";
import { Autosave, storage_of } from "./autosave.js";
import { create_playground } from "./playground.js";

// The opening scene, which a visitor sees who comes with no link.
const kStart = "view=door";

const root = /** @type {HTMLElement} */ (document.querySelector("[data-part=root]"));
const is_framed = window.parent !== window;
export const playground = is_framed ? create_framed_playground() : create_own_playground();

/** What only a frame needs comes only in a frame. */
async function create_framed_playground() {
  return (await import("./framed.js")).create_framed_playground(root, create_playground);
}

/** A page that is not in a frame also keeps the last state, if the browser allows it. */
async function create_own_playground() {
  const bar = new AddressBar(window, kStart);
  const storage = storage_of(window);
  if (storage === null) return create_playground(root, { links: bar });
  const autosave = new Autosave(bar, storage);
  const created = await create_playground(root, { links: autosave, autosave });
  if (created.engine !== null) {
    autosave.offer(root, (link) => {
      created.open_link(link);
      autosave.write(link, true);
    });
  }
  return created;
}
