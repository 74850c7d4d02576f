import fs, { chmodSync, chownSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { replaceFile } from "@pulumi-ovn/cli/testing";

let folder: string;
let path: string;
let umask: number | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "replace-"));
  path = join(folder, "file");
});
afterEach(() => {
  jest.restoreAllMocks();
  if (umask !== undefined) process.umask(umask);
  umask = undefined;
  rmSync(folder, { recursive: true, force: true });
});
const modeOf = (file: string) => (statSync(file).mode & 0o7777).toString(8);

it.each([0o600, 0o640, 0o664, 0o666, 0o755])("keeps the mode %o with any umask", (mode) => {
  writeFileSync(path, "old");
  chmodSync(path, mode);
  umask = process.umask(0o077);
  replaceFile(path, "new");
  expect([readFileSync(path, "utf8"), modeOf(path)]).toEqual(["new", mode.toString(8)]);
  expect(readdirSync(folder)).toEqual(["file"]);
});

it("names the file in an error, not its draft", () => {
  const missing = join(folder, "none", "file");
  expect(() => replaceFile(missing, "new")).toThrow(`ENOENT: no such file or directory, open '${missing}'`);
});

it("creates a new file with the usual mode", () => {
  umask = process.umask(0o027);
  replaceFile(path, "new");
  expect([readFileSync(path, "utf8"), modeOf(path)]).toEqual(["new", "640"]);
});

it("keeps the owner and a symbolic link", () => {
  // Only root may give a file to others.
  const [uid, gid] = process.getuid!() === 0 ? [4711, 4712] : [process.getuid!(), process.getgid!()];
  writeFileSync(path, "old");
  chownSync(path, uid, gid);
  symlinkSync("file", join(folder, "link"));
  replaceFile(join(folder, "link"), "new");
  expect([statSync(path).uid, statSync(path).gid, readFileSync(path, "utf8"), lstatSync(join(folder, "link")).isSymbolicLink()]).toEqual([
    uid,
    gid,
    "new",
    true,
  ]);
});

it("continues without the right to set the owner, and fails for other errors", () => {
  writeFileSync(path, "old");
  const refuse = (code: string) => () => {
    throw Object.assign(new Error(code), { code });
  };
  const chown = jest.spyOn(fs, "fchownSync").mockImplementation(refuse("EPERM"));
  replaceFile(path, "new");
  expect(readFileSync(path, "utf8")).toBe("new");
  chown.mockImplementation(refuse("EIO"));
  expect(() => replaceFile(path, "newer")).toThrow("EIO");
  expect([readFileSync(path, "utf8"), readdirSync(folder)]).toEqual(["new", ["file"]]);
});

it("writes text and name to the disk before and after the replacement", () => {
  const done: string[] = [];
  const [fsync, rename] = [fs.fsyncSync, fs.renameSync];
  jest.spyOn(fs, "fsyncSync").mockImplementation((descriptor) => {
    const of = fs.fstatSync(descriptor);
    done.push(of.isDirectory() ? "folder" : `file of ${of.size}`);
    fsync(descriptor);
  });
  jest.spyOn(fs, "renameSync").mockImplementation((from, to) => {
    done.push("rename");
    rename(from, to);
  });
  replaceFile(path, "twelve bytes");
  expect(done).toEqual(["file of 12", "rename", "folder"]);
});

it("keeps the old file, and no draft, if the new one can't be written", () => {
  writeFileSync(path, "old");
  jest.spyOn(fs, "fsyncSync").mockImplementation(() => {
    throw new Error("ENOSPC");
  });
  expect(() => replaceFile(path, "new")).toThrow("ENOSPC");
  expect([readFileSync(path, "utf8"), readdirSync(folder)]).toEqual(["old", ["file"]]);
  rmSync(path);
  mkdirSync(path);
  jest.restoreAllMocks();
  expect(() => replaceFile(path, "new")).toThrow("EISDIR");
  expect(readdirSync(folder)).toEqual(["file"]);
});
