// A canvas whose WebGL2 accepts everything and draws nothing: the program can be run without a browser to see which of its
// functions a picture takes. Knows nothing about the program.

/** Answers of calls that ask for something; the constants are WebGL's. */
const kParameters = new Map([
  [0x0d33, 16384], // MAX_TEXTURE_SIZE
  [0x1f02, "WebGL 2.0"], // VERSION
  [0x8b8c, "WebGL GLSL ES 3.00"], // SHADING_LANGUAGE_VERSION
  [0x0c10, new Int32Array(4)], // SCISSOR_BOX
  [0x0ba2, new Int32Array(4)], // VIEWPORT
]);

const kActiveUniforms = 0x8b86;

/** @param {PropertyKey} name of a method */
function answer_of(name, args) {
  if (name === "getParameter") return kParameters.has(args[0]) ? kParameters.get(args[0]) : 0;
  if (name === "getProgramParameter" && args[1] === kActiveUniforms) return 0;
  if (name === "getShaderParameter" || name === "getProgramParameter") return true;
  if (name === "getShaderInfoLog" || name === "getProgramInfoLog") return "";
  if (name === "getSupportedExtensions") return [];
  if (name === "getExtension") return null;
  if (name === "getError") return 0;
  if (name === "getAttribLocation") return 0;
  if (name === "isContextLost") return false;
  if (/^(create|getUniformLocation)/.test(String(name))) return {};
  return undefined;
}

/** What Emscripten's WebGL needs of a canvas. */
export function blind_canvas() {
  const context = new Proxy(
    {},
    {
      get: (target, name) => (name in target ? target[name] : (target[name] = (...args) => answer_of(name, args))),
    },
  );
  const getContext = () => context;
  // The second name is Emscripten's, for a browser whose getContext it has already corrected.
  return { getContext, getContextSafariWebGL2Fixed: getContext, width: 300, height: 150, addEventListener() {} };
}
