import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { findOnPath } from "@pulumi-ovn/sandbox";
import { chooseMirror, isRecent, isWanted, programFolders, quote } from "@pulumi-ovn/sandbox/testing";

test.each([
  ["ovn-northd 25.03.0", true],
  ["ovn-northd 25.09.1\nOpen vSwitch Library 3.6.0", true],
  ["ovn-northd 26.03.1", true],
  ["ovn-northd 24.09.2", false],
  ["ovn-northd 23.03.1", false],
  ["ovn-northd 25.02.0", false],
  ["", false],
])("%j is new enough: %j", (line, recent) => expect(isRecent(line)).toBe(recent));

test("the main archive's mirror is chosen", () => {
  const security = { uri: "http://mirror/debian-security/", release: "bookworm-security", label: "Debian-Security" };
  const updates = { uri: "http://mirror/debian/", release: "bookworm-updates", label: "Debian" };
  const main = { uri: "http://mirror/debian/", release: "bookworm", label: "Debian" };
  const other = { uri: "https://example/apt/", release: "stable", label: "Example" };
  expect(chooseMirror([other, security, updates, main])).toBe("http://mirror/debian/");
  expect(chooseMirror([{ ...main, label: "" }])).toBe("http://mirror/debian/"); // lists never fetched: no label
  expect(chooseMirror([other, security])).toBeUndefined();
  expect(chooseMirror([])).toBeUndefined();
});

test("packages of the base system are not installed", () => {
  expect(["ovn-central", "frr", "libc6", "liblua5.3-0", "libssl3t64"].filter(isWanted)).toHaveLength(5);
  expect(["systemd", "libsystemd-shared", "libpam0g", "python3.13", "libpython3.13-stdlib", "dpkg", ""].filter(isWanted)).toEqual([]);
});

test("a program is found in the first folder with an executable of its name", () => {
  const folder = mkdtempSync(join(tmpdir(), "path-"));
  try {
    writeFileSync(join(folder, "tool"), "", { mode: 0o755 });
    writeFileSync(join(folder, "data"), "", { mode: 0o644 });
    expect(findOnPath("tool", ["/nonexistent", folder])).toBe(join(folder, "tool"));
    expect(findOnPath("data", [folder])).toBeUndefined();
    expect(programFolders({ PATH: `${folder}::/usr/bin` }).slice(0, 2)).toEqual([folder, "/usr/bin"]);
    expect(programFolders({})).toContain("/usr/sbin");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a shell reads a quoted word as the same word", () => {
  expect(quote("plain-word.1")).toBe("plain-word.1");
  const word = fc.string({ unit: fc.constantFrom("a", " ", "'", '"', "$", "\\", "`", "\n", "*", ";", "é"), minLength: 0, maxLength: 12 });
  fc.assert(
    fc.property(word, (text) => {
      expect(execFileSync("sh", ["-c", `printf %s. ${quote(text)}`]).toString()).toBe(`${text}.`);
    }),
    { numRuns: 25 },
  );
});
