import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readStackState, stateIn } from "@pulumi-ovn/cli/testing";

const folder = mkdtempSync(join(tmpdir(), "state-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const urn = (name: string) => `urn:pulumi:dev::net::t:T::${name}`;
const exported = (...resources: object[]) => JSON.stringify({ version: 3, deployment: { manifest: {}, resources } });

it("lists resources, with stack and project from their URNs", () => {
  expect(
    stateIn(exported({ urn: urn("a"), type: "t:T", parent: "p", inputs: { x: 1 }, outputs: { y: 2 }, id: "i" }, { urn: urn("b"), type: "t:T" }), "it"),
  ).toMatchObject({
    stack: "dev",
    project: "net",
    resources: [
      { urn: urn("a"), type: "t:T", parent: "p", inputs: { x: 1 }, outputs: { y: 2 } },
      { urn: urn("b"), type: "t:T", parent: "", inputs: {}, outputs: {} },
    ],
  });
});

it("reads each argument from outputs that have all in one text", () => {
  const outputs = { __arguments: '{"hosts":{"h1":{"id":2}}}', name: "blue" };
  expect(stateIn(exported({ urn: urn("a"), type: "t:T", outputs }), "it").resources[0]!.outputs).toEqual({ hosts: { h1: { id: 2 } }, name: "blue" });
});

it("accepts a byte order mark and Windows line ends", () => {
  const text = JSON.stringify(JSON.parse(exported({ urn: urn("a"), type: "t:T" })), null, 2).replaceAll("\n", "\r\n");
  expect(stateIn(`\ufeff${text}\r\n`, "it").resources.map((resource) => resource.urn)).toEqual([urn("a")]);
});

it("omits resources that an interrupted replacement has left to delete", () => {
  expect(stateIn(exported({ urn: urn("a"), type: "t:T", delete: true }, { urn: urn("a"), type: "t:T" }), "it").resources).toHaveLength(1);
});

it.each([
  { version: 3, deployment: {} },
  { version: 3, deployment: { resources: null } },
  { version: 3, deployment: null },
])("accepts an empty stack: %j", (value) => {
  expect(stateIn(JSON.stringify(value), "it")).toEqual({ stack: undefined, project: undefined, source: "it", resources: [] });
});

it.each([
  ["", 'x is not JSON; save the standard output of "pulumi stack export"'],
  ["{", 'x is not JSON; save the standard output of "pulumi stack export"'],
  ["[]", /^x is not what "pulumi stack export" prints: it: /],
  ['{"version":2}', /^x is not what "pulumi stack export" prints: version: /],
  ['{"version":3,"deployment":{"resources":[{"urn":5}]}}', /^x is not what "pulumi stack export" prints: deployment\.resources\.0\.urn: /],
])("refuses %j", (text, message) => {
  expect(() => stateIn(text, "x")).toThrow(expect.objectContaining({ code: "OVN_STATE", message: expect.stringMatching(message) as unknown }));
});

it("reads a file, and reports an unreadable one", async () => {
  const file = join(folder, "state.json");
  writeFileSync(file, exported({ urn: urn("a"), type: "t:T" }));
  expect((await readStackState({ file, stack: undefined, cwd: undefined })).stack).toBe("dev");
  await expect(readStackState({ file: join(folder, "none"), stack: undefined, cwd: undefined })).rejects.toMatchObject({
    code: "OVN_STATE",
    message: expect.stringMatching(/^can't read .*none: ENOENT/),
  });
  writeFileSync(file, "nothing");
  await expect(readStackState({ file, stack: undefined, cwd: undefined })).rejects.toMatchObject({
    code: "OVN_STATE",
    message: expect.stringMatching(/is not JSON/),
  });
});

describe("from Pulumi", () => {
  const path = process.env["PATH"];
  beforeAll(() => (process.env["PATH"] = `${folder}:${path}`));
  afterAll(() => (process.env["PATH"] = path));
  const pulumi = (script: string) => {
    writeFileSync(join(folder, "pulumi"), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, "pulumi"), 0o755);
  };

  it("is exported in the folder, for the stack", async () => {
    pulumi(`printf '{"version":3,"deployment":{"resources":[{"urn":"%s","type":"%s"}]}}' "urn:pulumi:s::p::x::$(pwd)" "$*"`);
    expect(await readStackState({ file: undefined, stack: "org/net/prod", cwd: folder })).toMatchObject({
      stack: "s",
      resources: [{ urn: `urn:pulumi:s::p::x::${folder}`, type: "stack export --non-interactive --stack org/net/prod" }],
    });
  });

  it("is reported with Pulumi's error if the export fails", async () => {
    pulumi("echo 'error: no stack named prod' >&2; exit 255");
    await expect(readStackState({ file: undefined, stack: "prod", cwd: folder })).rejects.toMatchObject({
      code: "OVN_STATE",
      message: '"pulumi stack export" failed: error: no stack named prod',
    });
  });
});
