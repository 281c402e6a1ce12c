// Starts the playground of this page, with its state in the address bar.
import { AddressBar } from "./address_bar.js";
import { create_playground } from "./playground.js";

const root = /** @type {HTMLElement} */ (document.querySelector("[data-part=root]"));
export const playground = create_playground(root, { links: new AddressBar(window) });
