import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const script = pathToFileURL(join(__dirname, "../../../scripts/release.mjs")).href;

let folder: string;
let checkout: string;
beforeAll(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), "pulumi-ovn-release-"));
  checkout = join(folder, "checkout");
  write("package.json", JSON.stringify({ name: "all", version: "1.0.0", private: true, workspaces: ["sdk", "tools"] }));
  write("sdk/package.json", JSON.stringify({ name: "net", version: "1.0.0", files: ["dist"], repository: { url: "git+https://example.com/net.git" } }));
  write("sdk/dist/index.js", "exports.one = 1;\n");
  write("tools/package.json", JSON.stringify({ name: "tools", version: "1.0.0", private: true }));
  execFileSync("npm", ["install", "--silent", "--offline", "--no-audit", "--no-fund"], { cwd: checkout });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(join(checkout, path, ".."), { recursive: true });
  writeFileSync(join(checkout, path), text);
}

/** Evaluates code in which the script's exports are names; throws with what the script wrote to standard error. */
function release(code: string): string {
  const text = `import { pack, same, describe } from ${JSON.stringify(script)};\n${code}`;
  return execFileSync(process.execPath, ["--input-type=module", "--eval", text], { encoding: "utf8", cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
}
const pack = (to: string) => `pack(${JSON.stringify(checkout)}, ${JSON.stringify(to)})`;

it("describes equal packages by a bill of materials, a statement of provenance and digests", () => {
  expect(
    release(
      `const tarballs = ${pack("one")}; ${pack("two")}; same("one", "two"); describe(${JSON.stringify(checkout)}, "one", tarballs, "c0ffee"); console.log([...tarballs].join());`,
    ),
  ).toBe("sdk,net-1.0.0.tgz\n");
  expect(execFileSync("sha256sum", ["--check", "SHA256SUMS"], { cwd: join(folder, "one"), encoding: "utf8" })).toBe("net-1.0.0.tgz: OK\n");
  const json = (name: string) => JSON.parse(readFileSync(join(folder, "one", name), "utf8"));
  expect(json("net-1.0.0.cdx.json")).toMatchObject({ bomFormat: "CycloneDX", metadata: { component: { name: "net", purl: "pkg:npm/net@1.0.0" } } });
  const [sha256] = readFileSync(join(folder, "one/SHA256SUMS"), "utf8").split(" ");
  expect(json("provenance.intoto.json")).toMatchObject({
    subject: [{ name: "net-1.0.0.tgz", digest: { sha256 } }],
    predicate: { buildDefinition: { externalParameters: { commit: "c0ffee" } } },
  });
});

it("refuses builds that differ, files that no package should have, and paths of the build", () => {
  write("sdk/dist/index.js", "exports.one = 2;\n");
  release(pack("three"));
  write("sdk/dist/index.js", "exports.one = 3;\n");
  expect(() => release(`${pack("two")}; same("three", "two");`)).toThrow("two builds of one commit differ: net-1.0.0.tgz");
  write("sdk/dist/index.js", `exports.one = ${JSON.stringify(checkout)};\n`);
  expect(() => release(pack("one"))).toThrow("net-1.0.0.tgz: dist/index.js names the folder that it was built in");
  write("sdk/dist/index.js", "exports.one = 3;\n");
  write("sdk/dist/index.js.map", "{}");
  expect(() => release(pack("one"))).toThrow("net-1.0.0.tgz has dist/index.js.map, which no package should have");
});
