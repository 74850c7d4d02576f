import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const shim = join(__dirname, "../../support/bin/node");
let folder: string;
beforeEach(() => (folder = realpathSync(mkdtempSync(join(tmpdir(), "node-")))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Both have to answer alike, but that only Node is there when Node is needed. */
function answers(args: readonly string[], cwd: string) {
  const env = { ...process.env, NODE_OPTIONS: "" };
  const [node, answer, alone] = [
    spawnSync(process.execPath, args, { cwd, env, encoding: "utf8" }),
    spawnSync(shim, args, { cwd, env: { ...env, PULUMI_OVN_TEST_NODE: process.execPath }, encoding: "utf8" }),
    spawnSync(shim, args, { cwd, env: { ...env, PULUMI_OVN_TEST_NODE: "/bin/false" }, encoding: "utf8" }),
  ];
  const told = ({ status, stdout, stderr }: typeof node) => [status, stdout, stderr.replaceAll(/\[eval\d*\]/g, "[eval]")];
  expect(told(answer)).toEqual(told(node));
  return { status: node.status, printed: node.stdout.trim(), withoutNode: alone.status === 0 };
}

function module(place: string, name: string): string {
  const file = join(folder, place, "node_modules/@pulumi/pulumi/cmd", name, "index.js");
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, "");
  return file;
}

// As the language host and the provider's launcher ask.
const asked = (name: string, end: string) => ["-e", `console.log(require.resolve('@pulumi/pulumi/cmd/${name}')${end}`];

it("says where a module of Pulumi's is, without Node", () => {
  mkdirSync(join(folder, "a/b"), { recursive: true });
  const [outer, inner] = [module("", "run"), module("a", "dynamic-provider")];
  expect(answers(asked("run", ");"), folder)).toEqual({ status: 0, printed: outer, withoutNode: true });
  expect(answers(asked("dynamic-provider", ")"), join(folder, "a/b"))).toEqual({ status: 0, printed: inner, withoutNode: true });
});

it("leaves to Node what is not there, what is a link, and everything else", () => {
  expect(answers(asked("run", ");"), folder)).toMatchObject({ status: 1, withoutNode: false });
  const file = module("a", "run");
  mkdirSync(join(folder, "b/node_modules/@pulumi"), { recursive: true });
  symlinkSync(join(folder, "a/node_modules/@pulumi/pulumi"), join(folder, "b/node_modules/@pulumi/pulumi"));
  expect(answers(asked("run", ");"), join(folder, "b"))).toEqual({ status: 0, printed: file, withoutNode: false });
  expect(answers(["-e", "console.log(process.argv.slice(1)); process.exitCode = 3", "two words"], folder)).toEqual({
    status: 3,
    printed: "[ 'two words' ]",
    withoutNode: false,
  });
  expect(execFileSync(shim, ["--version"], { env: { PULUMI_OVN_TEST_NODE: process.execPath }, encoding: "utf8" }).trim()).toBe(process.version);
});

it("starts Node with a young generation that has its size from the start on", () => {
  const size = 'require("node:v8").getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space").space_size';
  const [usual, here] = [process.execPath, shim].map((node) =>
    Number(execFileSync(node, ["-p", size], { env: { PULUMI_OVN_TEST_NODE: process.execPath }, encoding: "utf8" })),
  );
  expect([usual! < 16 * 2 ** 20, here]).toEqual([true, 16 * 2 ** 20]);
});
