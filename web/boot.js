// Starts the page: the modules where the browser lets a page load them, else the same program as one classic script.
// A classic script for old browsers to understand, so that even they get a sentence instead of nothing.
// A page in <iframe sandbox="allow-scripts">, or opened from disk, has an opaque origin: from there a browser loads neither
// modules nor WebAssembly unless the server sends CORS headers, which course sites do not.
(function () {
  "use strict";
  var own = /** @type {HTMLScriptElement} */ (document.currentScript);
  var folder = own.src.replace(/[^/]*$/, ""); // nothing in a built site, where this text stands in the page itself
  // There the files have other names.
  var main = own.getAttribute("data-main") || "main.js";
  var engine = own.getAttribute("data-engine") || "attention_playground_first.wasm";
  var modules = folder ? "attention_playground.mjs playground.js" : ""; // there all is in one
  var is_framed = window.parent !== window;
  if (is_framed) document.documentElement.setAttribute("data-framed", ""); // the smaller bar, before anything is painted

  // Nothing is painted for this long, if the picture comes in the meantime (styles.css): to paint the page twice takes longer
  // than the picture where a processor does it. Who waits longer sees that something is on its way.
  var kPatience = 500; // ms
  document.documentElement.setAttribute("data-fresh", "");
  setTimeout(function () {
    document.documentElement.removeAttribute("data-fresh");
  }, kPatience);

  function fail() {
    var message = /** @type {HTMLElement} */ (document.querySelector("[data-part=message]"));
    message.className += " message-solid";
    message.textContent =
      "The playground's program could not be loaded. Please reload the page; if that does not help, the browser may be too " +
      "old for it: Chrome 123, Firefox 120, Safari 17.5 or newer are needed.";
  }

  /**
   * Lets the browser fetch everything at once instead of one file after the other.
   * @param {string} name of a module
   */
  function preload(name) {
    var link = document.createElement("link");
    link.rel = "modulepreload";
    link.crossOrigin = "anonymous";
    link.href = folder + name;
    document.head.append(link);
  }

  /** Compiles the engine while it is on its way, for compiled_engine.js, which tries again where this fails. */
  function compile() {
    if (typeof WebAssembly !== "object" || !WebAssembly.compileStreaming) return;
    var address = new URL(folder + engine, document.baseURI).href;
    var compiled = WebAssembly.compileStreaming(fetch(address)).catch(function () {
      return null;
    });
    var page = /** @type {import("./compiled_engine.js").Sharing} */ (window);
    page.attention_playground_compiled = new Map([[address, compiled]]);
  }

  var script = document.createElement("script");
  script.addEventListener("error", fail);
  if (self.origin === "null" || location.protocol === "file:") {
    script.src = folder + "sandbox.js";
  } else {
    if (!is_framed) compile(); // a frame may find it compiled
    var names = (main + " " + modules).split(" ");
    for (var i = 0; i < names.length; ++i) if (names[i]) preload(names[i]);
    script.type = "module";
    script.src = folder + main;
  }
  function start() {
    document.head.append(script);
  }
  // The page is there; what else it fetches need not be.
  if (document.readyState === "loading") document.addEventListener("readystatechange", start, { once: true });
  else start();
})();
