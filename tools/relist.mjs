// After a file of a site was changed by hand: makes anew the list by which its service worker knows the files, and the packed twins.
//   node tools/relist.mjs SITE_FOLDER
import { existsSync } from "node:fs";
import { join } from "node:path";
import { finish_site } from "./lib/finish.mjs";

const [site] = process.argv.slice(2);
if (site && existsSync(join(site, "sw.js")) && existsSync(join(site, "index.html"))) {
  await finish_site(site);
} else {
  console.error(
    site ? `error: ${site} is no folder of a site: it has no sw.js or no index.html` : "usage: relist.mjs SITE_FOLDER",
  );
  process.exitCode = 1;
}
