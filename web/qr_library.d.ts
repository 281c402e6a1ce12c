// What the author's page uses of the npm package uqr, which tools/page.mjs turns into qr_library.js.
export function encode(
  text: string,
  options: { ecc: "L" | "M" | "Q" | "H"; border: number; maxVersion: number },
): { version: number; size: number; data: boolean[][] };
