// After somebody has changed a site's file by hand: remakes the service worker's list of files and the packed twins.
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
