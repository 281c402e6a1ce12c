// The set-up where there is apt: what comes from Debian, checked with an apt that a test can make fail. The fake has the same
// commands as the real one and serves tiny packages that carry nothing but version numbers.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { ProjectCopy } from "./project_copy.mjs";

const has_dpkg = spawnSync("dpkg-deb", ["--version"]).status === 0;
const options = { skip: has_dpkg ? false : "this machine has no dpkg-deb" };

const macros = (prefix, version) =>
  version
    .split(".")
    .map((number, i) => `#define ${prefix}_${["MAJOR", "MINOR", "PATCH"][i]} ${number}\n`)
    .join("");

// Each library with the file that tells its version.
const kPackages = {
  "libxtensor-dev": (version = "0.27.1") => [
    "usr/include/xtensor/core/xtensor_config.hpp",
    macros("XTENSOR_VERSION", version),
  ],
  "xtl-dev": (version = "0.8.2") => ["usr/include/xtl/xtl_config.hpp", macros("XTL_VERSION", version)],
  "libxsimd-dev": (version = "14.3.0") => [
    "usr/include/xsimd/config/xsimd_config.hpp",
    macros("XSIMD_VERSION", version),
  ],
  "nlohmann-json3-dev": (version = "3.11.3") => [
    "usr/include/nlohmann/detail/abi_macros.hpp",
    macros("NLOHMANN_JSON_VERSION", version),
  ],
};
const kSources = {
  imgui: (version = "1.92.2b") => ["imgui.h", `#define IMGUI_VERSION       "${version}"\n`],
  catch2: (version = "3.7.1") => ["extras/catch_amalgamated.hpp", `//  Catch v${version}\n`],
  libunibreak: (version = "6.1") => ["configure.ac", `AC_INIT([libunibreak],[${version}],[nobody])\n`],
  zlib: (version = "1.3.1") => ["zlib.h", `#define ZLIB_VERSION "${version}"\n`],
  libxlsxwriter: (version = "1.1.4") => [
    "include/xlsxwriter.h",
    `#define LXW_VERSION "${version}"\n`,
    ...["src/workbook.c", "third_party/md5/md5.c", "License.txt", "docs/large.png"], // what else is in there
  ],
};

/** A copy of the project on a machine with the fake apt. `versions` replaces what a library says of itself. */
function copy_with_apt(t, versions = {}) {
  const copy = new ProjectCopy(t);
  for (const name of ["dpkg-deb", "dpkg", "dpkg-query"]) copy.link(name);
  const mirror = copy.path("mirror");
  const write = (file, text) => {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  for (const [name, make] of Object.entries(kPackages)) {
    const [file, text] = make(versions[name]);
    write(join(mirror, name, file), text);
    write(
      join(mirror, name, "DEBIAN/control"),
      `Package: ${name}\nVersion: 1\nArchitecture: all\nMaintainer: n\nDescription: n\n`,
    );
    spawnSync("dpkg-deb", ["--build", join(mirror, name), join(mirror, `${name}_1_all.deb`)]);
  }
  for (const [name, make] of Object.entries(kSources)) {
    const [file, text, ...others] = make(versions[name]);
    write(join(mirror, name, `${name}-1`, file), text);
    for (const other of others) write(join(mirror, name, `${name}-1`, other), "");
    spawnSync("tar", ["-czf", join(mirror, `${name}_1.orig.tar.gz`), "-C", join(mirror, name), `${name}-1`]);
  }
  // Remembers each call in calls.txt; a name in fails.txt makes the calls that contain it fail.
  copy.fake(
    "apt-get",
    `echo "$*" >> ${copy.path("calls.txt")}
for name in $(cat ${copy.path("fails.txt")} 2>/dev/null); do case "$*" in *" $name"*) echo "E: no $name"; exit 100 ;; esac; done
for word in "$@"; do
  case $word in
    nginx | libnginx-mod-*) cp ${mirror}/"$word"_*.deb . ;;
    */bookworm | */trixie | */forky) package=\${word%/*}; for file in ${mirror}/"$package"_*.deb; do [ -f "$file" ] && cp "$file" .; done
      case "$*" in *" source "*) cp ${mirror}/"$package"_*.orig.tar.gz . ;; esac ;;
  esac
done
exit 0`,
  );
  copy.link("cp");
  // All system packages count as installed.
  copy.fake("dpkg-query", "echo installed");
  return copy;
}

/** The same, with Debian's nginx behind it and none on the machine. `script`: what its program does. */
function copy_with_nginx(t, script) {
  const copy = copy_with_apt(t);
  copy.write("tools/lib/nginx.sh", copy.read("tools/lib/nginx.sh").replace("/usr/sbin/nginx ", "/nowhere/nginx "));
  for (const [name, file] of [
    ["nginx", "usr/sbin/nginx"],
    ["libnginx-mod-http-brotli-static", "usr/lib/nginx/modules/ngx_http_brotli_static_module.so"],
  ]) {
    copy.write(join("mirror", name, file), `#!/bin/sh\n${script}\n`);
    chmodSync(copy.path("mirror", name, file), 0o755);
    copy.write(
      join("mirror", name, "DEBIAN/control"),
      `Package: ${name}\nVersion: 1\nArchitecture: all\nMaintainer: n\nDescription: n\n`,
    );
    const postinst = copy.path("mirror", name, "DEBIAN/postinst");
    writeFileSync(postinst, `#!/bin/sh\ntouch ${copy.path("started")}\n`, { mode: 0o755 });
    spawnSync("dpkg-deb", ["--build", copy.path("mirror", name), copy.path("mirror", `${name}_1_all.deb`)]);
  }
  return copy;
}

const kMirror = { ATTN_DEBIAN_MIRROR: "http://127.0.0.1:9/debian" };
const set_up = (copy) => copy.run("tools/setup", ["packages"], kMirror);

function assert_refused(result, pattern) {
  assert.equal(result.status, 1, result.output);
  const errors = result.output.split("\n").filter((line) => line.startsWith("error:"));
  assert.equal(errors.length, 1, result.output);
  assert.match(errors[0], pattern);
}

test("the libraries are unpacked into .toolchain/deps and the private apt is removed", options, (t) => {
  const copy = copy_with_apt(t);
  const result = set_up(copy);
  assert.equal(result.status, 0, result.output);
  for (const file of ["xtensor/include/xtensor/core/xtensor_config.hpp", "imgui/imgui.h", "unibreak/configure.ac"]) {
    assert.ok(copy.exists(`.toolchain/deps/${file}`), file);
  }
  assert.ok(copy.exists(".toolchain/xlsxwriter/src/workbook.c"));
  assert.ok(!copy.exists(".toolchain/xlsxwriter/docs"), "tests, examples and pictures are not kept");
  assert.ok(!copy.exists(".toolchain/apt"));
  assert.doesNotMatch(result.output, /warning/);
});

test("a second run asks apt for nothing", options, (t) => {
  const copy = copy_with_apt(t);
  assert.equal(set_up(copy).status, 0);
  const calls = copy.read("calls.txt");
  assert.equal(set_up(copy).status, 0);
  assert.equal(copy.read("calls.txt"), calls);
});

test("package lists that do not arrive end the set-up", options, (t) => {
  const copy = copy_with_apt(t);
  copy.write("fails.txt", "update");
  assert_refused(set_up(copy), /package lists did not arrive/);
});

for (const [name, pattern] of [
  ["nlohmann-json3-dev", /a download from Debian trixie failed .*nlohmann-json3-dev/],
  ["libunibreak", /the source of libunibreak did not arrive/],
]) {
  test(`when ${name} does not arrive, the set-up stops; the next run completes it`, options, (t) => {
    const copy = copy_with_apt(t);
    copy.write("fails.txt", name);
    assert_refused(set_up(copy), pattern);
    assert.ok(!copy.exists(".toolchain/deps"), "half a set of libraries is not used");
    copy.write("fails.txt", "");
    assert.equal(set_up(copy).status, 0);
    assert.ok(copy.exists(".toolchain/deps/catch2/extras/catch_amalgamated.hpp"));
  });
}

test("what an interrupted run left behind does not disturb the next", options, (t) => {
  const copy = copy_with_apt(t);
  copy.write(".toolchain/temp.deps/xtensor/include/half", "");
  copy.write(".toolchain/deps/imgui/half", "");
  assert.equal(set_up(copy).status, 0);
  assert.ok(!copy.exists(".toolchain/deps/imgui/half"));
  assert.ok(!copy.exists(".toolchain/deps/xtensor/include/half"));
  assert.ok(!copy.exists(".toolchain/temp.deps"));
});

test("a newer patch level is used with one line of warning", options, (t) => {
  const copy = copy_with_apt(t, { "libxsimd-dev": "14.3.2", imgui: "1.92.4" });
  const result = set_up(copy);
  assert.equal(result.status, 0, result.output);
  assert.equal(result.output.match(/warning: .* newer patch level/g)?.length, 2, result.output);
});

test("a machine that has the other libraries fetches libxlsxwriter alone", options, (t) => {
  const copy = copy_with_apt(t);
  copy.write("fails.txt", "libxlsxwriter");
  assert_refused(set_up(copy), /the source of libxlsxwriter did not arrive from Debian bookworm/);
  assert.ok(!copy.exists(".toolchain/xlsxwriter"));
  copy.write("fails.txt", "");
  copy.write("calls.txt", "");
  assert.equal(set_up(copy).status, 0);
  assert.ok(copy.exists(".toolchain/xlsxwriter/License.txt"));
  assert.doesNotMatch(copy.read("calls.txt"), /imgui|zlib|download/);
});

for (const [name, version] of [
  ["libxlsxwriter", "1.2.1"],
  ["libxtensor-dev", "0.28.0"],
  ["xtl-dev", "0.8.1"],
  ["catch2", "4.0.0"],
  ["libunibreak", "6.2"],
  ["zlib", "1.4"],
  ["imgui", ""],
]) {
  test(`${name} ${version || "of no version"} is refused`, options, (t) => {
    assert_refused(set_up(copy_with_apt(t, { [name]: version })), /arrived, but this project is written for/);
  });
}

test("changed version wishes set the libraries up anew", options, (t) => {
  const copy = copy_with_apt(t);
  assert.equal(set_up(copy).status, 0);
  const versions = copy.read("tools/lib/versions.sh");
  copy.write("tools/lib/versions.sh", versions.replace("kXtl=0.8.2", "kXtl=0.9.0"));
  assert_refused(set_up(copy), /xtl 0\.8\.2 arrived/);
});

test("missing system packages are asked for by name, those that are there are not", options, (t) => {
  const copy = copy_with_apt(t);
  copy.fake("id", "echo 0");
  copy.fake("dpkg-query", 'case "$*" in *libglfw3-dev*) exit 1 ;; *) echo installed ;; esac');
  copy.link("env");
  copy.fake("pkg-config", "exit 0");
  assert.equal(copy.run("tools/setup", ["native"], kMirror).status, 0);
  const installs = copy
    .read("calls.txt")
    .split("\n")
    .filter((line) => line.startsWith("install"));
  assert.deepEqual(installs, ["install -y -q --no-install-recommends libglfw3-dev"]);
});

test("without the right to install, the packages to ask an administrator for are named", options, (t) => {
  const copy = copy_with_apt(t);
  copy.fake("id", "echo 1000");
  copy.fake("sudo", "exit 1");
  copy.fake("dpkg-query", 'case "$*" in *libglfw3-dev*) exit 1 ;; *) echo installed ;; esac');
  assert_refused(copy.run("tools/setup", ["native"], kMirror), /sudo apt-get install libglfw3-dev/);
});

test("nginx is unpacked for its test, neither installed nor started, and asked for once", options, (t) => {
  const copy = copy_with_nginx(t, "exit 0");
  const set_up = () => copy.run("tools/setup", ["hosting"], kMirror);
  const first = set_up();
  assert.equal(first.status, 0, first.output);
  assert.ok(copy.exists(".toolchain/nginx/usr/sbin/nginx"));
  assert.ok(copy.exists(".toolchain/nginx/usr/lib/nginx/modules/ngx_http_brotli_static_module.so"));
  assert.ok(!copy.exists("started"));
  const calls = copy.read("calls.txt");
  assert.match(calls, /^download -q nginx libnginx-mod-http-brotli-static$/m);
  assert.doesNotMatch(calls, /^install /m);
  assert.equal(set_up().status, 0);
  assert.equal(copy.read("calls.txt"), calls);
});

test("an nginx of the machine's own is used as it is", options, (t) => {
  const copy = copy_with_nginx(t, "exit 0");
  copy.fake("nginx", "exit 0");
  assert.equal(copy.run("tools/setup", ["hosting"], kMirror).status, 0);
  assert.ok(!copy.exists(".toolchain/nginx"));
});

test("an nginx that does not arrive, or does not start, is named in one sentence and not kept", options, (t) => {
  const copy = copy_with_nginx(t, "exit 1");
  assert_refused(copy.run("tools/setup", ["hosting"], kMirror), /nginx was unpacked .* but does not start/);
  copy.write("fails.txt", "nginx");
  assert_refused(
    copy.run("tools/setup", ["hosting"], kMirror),
    /did not arrive: nginx libnginx-mod-http-brotli-static/,
  );
  assert.ok(!copy.exists(".toolchain/nginx"));
  assert_refused(copy.run("tools/setup", ["hosting"], { ATTN_NO_APT: "1" }), /nginx is missing/);
});

test("the part of the tests that starts nginx sets it up", options, (t) => {
  const copy = copy_with_nginx(t, "exit 0");
  copy.write("tools/lib/run_tests.mjs", "console.log(process.argv.slice(2).join());\n");
  const result = copy.run("tools/test", ["tools"], kMirror);
  assert.match(result.output, /^tools$/m);
  assert.ok(copy.exists(".toolchain/nginx/usr/sbin/nginx"), result.output);
});
