// Makes a visited site work without a network, and installable: starts the service worker sw.js and names the manifest. Only the
// pages that tools/dist makes ask for this script, so a page built for development never has a service worker; at an address of
// this machine it wants "?offline" as well.
// A classic script, since a page in a sandboxed frame loads it too, and there it has nothing to do: a frame belongs to the page
// around it, and without an origin (sandbox, file:) there is nothing to keep anything for. Nobody misses it: not a word anywhere.
(function () {
  "use strict";
  var own = /** @type {HTMLScriptElement} */ (document.currentScript);
  var has_origin = self.origin !== "null" && /^https?:$/.test(location.protocol);
  if (window.parent !== window || !has_origin) return;

  var manifest = document.createElement("link");
  manifest.rel = "manifest";
  manifest.href = new URL("manifest.webmanifest", own.src).href;
  document.head.append(manifest);

  var is_local = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(location.hostname);
  if (is_local && !new URLSearchParams(location.search).has("offline")) return;
  /**
   * Once the picture is there, or a sentence that says why there is none; a page without one has nothing to wait for.
   * @param {() => void} call
   */
  function after_picture(call) {
    var skeleton = /** @type {HTMLElement | null} */ (document.querySelector("[data-part=skeleton]"));
    var is_there = function () {
      return !skeleton || skeleton.hidden;
    };
    if (is_there()) return call();
    new MutationObserver(function (_, observer) {
      if (!is_there()) return;
      observer.disconnect();
      call();
    }).observe(/** @type {HTMLElement} */ (skeleton), { attributes: true, attributeFilter: ["hidden"] });
  }

  function register() {
    // Private windows and old browsers refuse.
    try {
      navigator.serviceWorker.register(new URL("sw.js", own.src), { updateViaCache: "none" }).catch(function () {});
    } catch {
      // no service workers here
    }
  }

  // The worker fetches the whole site: what is waited for comes first.
  window.addEventListener("load", function () {
    after_picture(register);
  });
})();
