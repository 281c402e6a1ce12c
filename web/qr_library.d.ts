// The part of the npm package uqr that the author's page uses. tools/page.mjs turns the package into qr_library.js.
export function encode(
  text: string,
  options: { ecc: "L" | "M" | "Q" | "H"; border: number; maxVersion: number },
): { version: number; size: number; data: boolean[][] };
