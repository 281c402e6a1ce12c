// Makes a visited site installable and usable without a network: starts the service worker sw.js and links the manifest. Only the
// pages that tools/dist makes import this module, so a page built for development never has a service worker. On localhost, the
// address also needs "?offline".
// Does nothing in a frame, which belongs to the page around it, nor without an origin (sandbox, file:), where service workers do
// not exist. The site works without it, so it reports no errors.

const kIsOwnPage = window.parent === window && self.origin !== "null" && /^https?:$/.test(location.protocol);
const kIsLocal = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(location.hostname);

// The worker fetches the whole site, so let the page finish loading first.
if (kIsOwnPage) {
  if (document.readyState === "complete") start();
  else window.addEventListener("load", start);
}

function start() {
  const manifest = document.createElement("link");
  manifest.rel = "manifest";
  manifest.href = new URL("manifest.webmanifest", document.baseURI).href;
  document.head.append(manifest);
  if (!kIsLocal || new URLSearchParams(location.search).has("offline")) after_picture(register);
}

/**
 * Calls once the page shows the picture, or a sentence that says why there is none; at once on a page without a picture.
 * @param {() => void} call
 */
function after_picture(call) {
  const skeleton = /** @type {HTMLElement | null} */ (document.querySelector("[data-part=skeleton]"));
  if (skeleton === null || skeleton.hidden) return call();
  new MutationObserver((_, observer) => {
    if (!skeleton.hidden) return;
    observer.disconnect();
    call();
  }).observe(skeleton, { attributes: true, attributeFilter: ["hidden"] });
}

function register() {
  // Private windows and old browsers refuse.
  try {
    navigator.serviceWorker.register(new URL("sw.js", document.baseURI), { updateViaCache: "none" }).catch(() => {});
  } catch {
    // no service workers here
  }
}
