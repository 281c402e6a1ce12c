// Starts the page: as modules where the browser lets a page load them, otherwise as the same program in one classic script.
// This file is a classic script that old browsers understand, so that they show a sentence instead of nothing.
// A page in <iframe sandbox="allow-scripts">, or opened from disk, has an opaque origin. Browsers load neither modules nor
// WebAssembly into it unless the server sends CORS headers, which course sites do not.
(function () {
  "use strict";
  var own = /** @type {HTMLScriptElement} */ (document.currentScript);
  var folder = own.src.replace(/[^/]*$/, ""); // empty in a built site, which has this script inline
  // A built site gives the files other names.
  var main = own.getAttribute("data-main") || "main.js";
  var engine = own.getAttribute("data-engine") || "attention_playground_first.wasm";
  var modules = folder ? "attention_playground.mjs playground.js" : ""; // a built site bundles all modules into one
  var is_framed = window.parent !== window;
  if (is_framed) modules += " " + (own.getAttribute("data-framed") || "framed.js");
  if (is_framed) document.documentElement.setAttribute("data-framed", ""); // the smaller bar, before anything is painted

  // For this long the page paints nothing, unless the picture is ready sooner (styles.css): without a graphics card, painting the
  // page twice takes longer than drawing the picture. After that, visitors see that something is on its way.
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

  /** Compiles the engine while it downloads, for compiled_engine.js, which tries again if this fails. */
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
    if (!is_framed) compile(); // a frame may find the engine already compiled
    var names = (main + " " + modules).split(" ");
    for (var i = 0; i < names.length; ++i) if (names[i]) preload(names[i]);
    script.type = "module";
    script.src = folder + main;
  }
  function start() {
    document.head.append(script);
  }
  // Wait for the page's markup, but not for its style sheets and pictures.
  if (document.readyState === "loading") document.addEventListener("readystatechange", start, { once: true });
  else start();
})();
