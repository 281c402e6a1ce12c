// In sandbox.js the bundler puts the bytes of a .wasm file in place of its import.
declare module "*.wasm" {
  const bytes: Uint8Array;
  export default bytes;
}
