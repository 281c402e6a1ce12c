// What the playground needs from a browser, and sentences that say what is missing and what to do.

// The smallest module with a SIMD instruction: one function that makes a vector of zeros and drops it.
const kSimdModule = new Uint8Array([
  ...[0, 97, 115, 109, 1, 0, 0, 0], // "\0asm", version 1
  ...[1, 4, 1, 96, 0, 0], // types: () -> ()
  ...[3, 2, 1, 0], // functions: one of that type
  ...[10, 9, 1, 7, 0, 65, 0, 253, 15, 26, 11], // code: i32.const 0, i8x16.splat, drop, end
]);

const kAdvice = "Please open it in a current Chrome, Edge, Firefox or Safari.";

/** The sentence to show if the engine cannot run at all, or null. */
export function missing_for_engine() {
  if (typeof WebAssembly !== "object") {
    return (
      "This browser does not run WebAssembly (it may be switched off, as in Safari's Lockdown Mode), " +
      `which computes every number here. ${kAdvice}`
    );
  }
  if (!WebAssembly.validate(kSimdModule)) {
    return `This browser's WebAssembly has no SIMD instructions, which compute every number here. ${kAdvice}`;
  }
  return null;
}

// As in src/platform/platform_web.cpp: a canvas has only one context, and the first request decides its attributes.
const kContext = { alpha: false, depth: false, antialias: false };

/**
 * The sentence to show above the text version if there can be no picture; or null, and then the canvas has its context.
 * @param {HTMLCanvasElement} canvas
 */
export function missing_for_picture(canvas) {
  if (canvas.getContext("webgl2", kContext) !== null) return null;
  return (
    "This browser has no WebGL2, which draws the picture: here are the same numbers as tables. For the picture, switch " +
    "on hardware acceleration in the browser's settings or use another browser."
  );
}
