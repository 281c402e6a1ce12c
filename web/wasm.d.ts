// For sandbox.js, the bundler replaces the import of a .wasm file with the file's bytes.
declare module "*.wasm" {
  const bytes: Uint8Array;
  export default bytes;
}
