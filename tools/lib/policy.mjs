// The content security policy of a page, which stands in its own <meta> tag. Knows HTML only as far as that.
import { createHash } from "node:crypto";

const kMeta = /(<meta\s+http-equiv="Content-Security-Policy"\s+content=")([^"]*)(")/;

/** The policy of a page. */
export function policy_of(html) {
  const found = html.match(kMeta);
  if (!found) throw new Error("the page has no content security policy");
  return found[2];
}

/**
 * The page with some directives of its policy replaced or added. A list of sources that is empty takes the directive away.
 * @param {string} html
 * @param {Record<string, string[]>} changes
 */
export function with_policy(html, changes) {
  const directives = new Map(
    policy_of(html)
      .split(";")
      .map((directive) => directive.trim().split(/\s+/))
      .filter(([name]) => name)
      .map(([name, ...sources]) => [name, sources]),
  );
  for (const [name, sources] of Object.entries(changes)) {
    if (sources.length > 0) directives.set(name, sources);
    else directives.delete(name);
  }
  const policy = [...directives].map(([name, sources]) => [name, ...sources].join(" ")).join("; ");
  return html.replace(kMeta, (_, before, _old, after) => before + policy + after);
}

/** The source that allows one inline script or style of exactly this text. */
export function hash_source(text) {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
