// The file by which a course system knows a package: imsmanifest.xml of SCORM 1.2 and 2004 (4th edition), tincan.xml for xAPI. Text in,
// text out.

/** @import { Course, CourseKind } from "./types" */

export const kStart = "course.html";

/** What differs between the two editions of SCORM. */
const kEditions = {
  scorm12: {
    version: "1.2",
    package: "http://www.imsproject.org/xsd/imscp_rootv1p1p2",
    adl: "http://www.adlnet.org/xsd/adlcp_rootv1p2",
    type: "scormtype",
  },
  scorm2004: {
    version: "2004 4th Edition",
    package: "http://www.imsglobal.org/xsd/imscp_v1p1",
    adl: "http://www.adlnet.org/xsd/adlcp_v1p3",
    type: "scormType",
  },
};

/** Text for XML, without the characters that XML has no way to say. @param {string} text */
export function xml_text(text) {
  return text
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, "\ufffd")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;")
    .replace(/'/g, "&apos;");
}

/** The name of a package's own file. @param {CourseKind} kind */
export const manifest_name = (kind) => (kind === "xapi" ? "tincan.xml" : "imsmanifest.xml");

/** @param {Course} course @param {string[]} files all others of the package */
export function manifest_of(course, files) {
  const title = xml_text(course.title);
  if (course.kind === "xapi") return tincan(xml_text(course.id), title);
  const edition = kEditions[course.kind];
  // An identifier begins with a letter and has no ":".
  const identifier = `A-${course.id.replace(/[^A-Za-z0-9]+/g, "-")}`;
  const listed = [...files].sort().map((name) => `      <file href="${xml_text(name)}"/>\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="${identifier}" version="1.0" xmlns="${edition.package}" xmlns:adlcp="${edition.adl}">
  <metadata>
    <schema>ADL SCORM</schema>
    <schemaversion>${edition.version}</schemaversion>
  </metadata>
  <organizations default="organization">
    <organization identifier="organization">
      <title>${title}</title>
      <item identifier="item" identifierref="page">
        <title>${title}</title>
      </item>
    </organization>
  </organizations>
  <resources>
    <resource identifier="page" type="webcontent" adlcp:${edition.type}="sco" href="${kStart}">
${listed.join("")}    </resource>
  </resources>
</manifest>
`;
}

/** @param {string} id @param {string} title */
const tincan = (id, title) => `<?xml version="1.0" encoding="UTF-8"?>
<tincan xmlns="http://projecttincan.com/tincan.xsd">
  <activities>
    <activity id="${id}" type="http://adlnet.gov/expapi/activities/lesson">
      <name>${title}</name>
      <description lang="en-US">${title}</description>
      <launch lang="en-US">${kStart}</launch>
    </activity>
  </activities>
</tincan>
`;
