// The playground in a frame of another page. The page around gets messages from it and may command it (messages.js), a link opens
// it in a tab of its own, and Back belongs to the page around.
import { AddressBar } from "./address_bar.js";
import { Messages } from "./messages.js";
import { NewTab } from "./new_tab.js";

/** @import { create_playground } from "./playground.js" */
/** @import { Link, LinkStore } from "./types" */

// CSS pixels at which the picture looks good; other heights work too. attention-playground.js reserves the same height.
const kNarrow = 680;
const kHeight = 640;
const kNarrowHeight = 760;

/**
 * @param {HTMLElement} root
 * @param {typeof create_playground} create the page's own, which has loaded it already
 */
export async function create_framed_playground(root, create) {
  document.documentElement.dataset.framed = "";
  // The page around decides what the frame shows: the name leads nowhere, and Tab passes it over.
  for (const start of root.querySelectorAll("[data-part=start]")) start.removeAttribute("href");
  document.querySelector("meta[name=attention-fetch]")?.remove(); // and which models there are
  const bar = new AddressBar(window);
  const new_tab = new NewTab(root);
  const messages = new Messages(window);
  new_tab.show(bar.read());
  /** @type {(link: Link) => void} */
  const remember = (link) => {
    bar.write(link, false); // Back belongs to the page around
    new_tab.show(link);
  };
  const size = watch_height(root, (height) => messages.wants_height(height));

  /** @type {LinkStore} */
  const links = {
    read: () => bar.read(),
    write: (link) => {
      remember(link);
      messages.changed(link);
    },
    listen: (on_link) =>
      bar.listen((link) => {
        new_tab.show(link);
        on_link(link);
      }),
    stopped: (link) => bar.stopped(link),
    start_anew: (link) => bar.start_anew(link),
    destroy: () => {
      size.disconnect();
      messages.destroy();
      new_tab.destroy();
      bar.destroy();
    },
  };
  const playground = await create(root, {
    links,
    on_error: (sentence) => messages.failed(sentence),
    on_answers: () => messages.answered(),
  });
  messages.start(playground, (link) => {
    playground.open_link(link);
    remember(link);
  });
  return playground;
}

/**
 * Calls `tell` with the height at which nothing in the frame scrolls: now, and whenever it changes.
 * @param {HTMLElement} root
 * @param {(height: number) => void} tell
 */
function watch_height(root, tell) {
  const plain = /** @type {HTMLElement} */ (root.querySelector("[data-part=plain]"));
  let told = 0;
  const sizes = new ResizeObserver(() => {
    const height = plain.hidden ? height_of_picture(root) : height_of_text(root, plain);
    if (height !== told) tell((told = height));
  });
  // The text version is made when it is first shown, and each of its parts may grow.
  const parts = new MutationObserver(() => {
    for (const part of plain.children) sizes.observe(part);
  });
  sizes.observe(root);
  sizes.observe(plain);
  parts.observe(plain, { childList: true });
  return {
    disconnect: () => {
      sizes.disconnect();
      parts.disconnect();
    },
  };
}

/** @param {HTMLElement} root */
function height_of_picture(root) {
  return root.clientWidth < kNarrow ? kNarrowHeight : kHeight;
}

/** @param {HTMLElement} root @param {HTMLElement} plain */
function height_of_text(root, plain) {
  const last = plain.lastElementChild?.getBoundingClientRect().bottom ?? 0;
  const below = parseFloat(getComputedStyle(plain).paddingBottom);
  return Math.ceil(last + plain.scrollTop + below - root.getBoundingClientRect().top);
}
