import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commandLine } from "../../support/command-line";
import { drawnNetwork } from "../../support/drawn-network";

const folder = mkdtempSync(join(tmpdir(), "picture-"));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, value: unknown) => {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(value));
  return path;
};

const [before, after] = [
  drawnNetwork("blue", { node1: {}, node2: {} }, { vm1: { zone: "node1", addresses: ["10.0.0.11"] } }),
  drawnNetwork("blue", { node1: {}, node2: {} }, { vm1: { zone: "node2", addresses: ["10.0.0.11"] } }),
];
const state = file("state.json", { version: 3, deployment: { resources: before } });
const steps = before.map((old, index) => ({ op: index === 0 ? "update" : "same", urn: old.urn, oldState: old, newState: after[index] }));
const preview = file("preview.json", { steps });

it("draws a state to standard output or into a file, with an equal result each time", async () => {
  const { code, stdout, stderr } = await commandLine("picture", "--state", state);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" [^]*<\/svg>\n$/);
  expect(stdout).toContain(">net/dev: Topology<");
  const out = join(folder, "picture.svg");
  expect(await commandLine("picture", "--state", state, "--out", out, "--svg")).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(readFileSync(out, "utf8")).toBe(stdout);
});

it("writes a page with the intents of networks next to the picture", async () => {
  const text = "vm1 reaches 192.0.2.1";
  const component = {
    urn: "urn:pulumi:dev::net::ovn:network:Layer2Network::blue",
    type: "ovn:network:Layer2Network",
    inputs: { intents: { [text]: { from: ["vm1"], to: "192.0.2.1", reach: true, protocol: "icmp" } } },
  };
  const withIntents = file("intents.json", { version: 3, deployment: { resources: [component, ...before] } });
  const { code, stdout } = await commandLine("picture", "--state", withIntents, "--html");
  expect(code).toBe(0);
  expect(stdout).toMatch(/<h2>Intents of Layer2Network blue<\/h2>[^]*<td>vm1 reaches 192.0.2.1<\/td>/);
});

it("draws the changes of a preview", async () => {
  const { stdout } = await commandLine("picture", "--preview", preview);
  expect(stdout).toContain("vm1 moves from node1 to node2");
  const text = (await commandLine("picture", "--preview", preview, "--mermaid")).stdout;
  expect(text).toMatch(/^flowchart TB\n/);
  expect(text).toContain("==>|moves|");
});

it("puts the picture of the difference into a comment, as small as the service requires", async () => {
  const { code, stdout } = await commandLine("diff", preview, "--markdown", "--picture");
  expect(code).toBe(0);
  expect(stdout).toMatch(/\n```mermaid\nflowchart TB\n[^`]*==>\|moves\|[^`]*```\n/);
  const unchanged = file("unchanged.json", { steps: before.map((old) => ({ op: "same", urn: old.urn, oldState: old, newState: old })) });
  expect((await commandLine("diff", unchanged, "--markdown", "--picture")).stdout).not.toContain("mermaid");
});

test.each([
  [["--view", "egres"], 2, 'OVN_USAGE: --view egres: there is no such view; did you mean "egress"?'],
  [["--svg", "--mermaid"], 2, "OVN_USAGE: --svg or --mermaid, not both"],
  [["--preview", "x"], 2, "OVN_USAGE: --state or --preview, not both"],
  [["--stack", "x"], 2, "OVN_USAGE: --stack: for the state of a stack, not for one that a file contains"],
  [["--network", "red"], 1, 'OVN_PICTURE_EMPTY: network "red" has nothing that view "topology" shows; choose another --view or --network'],
  [["--view", "vpc"], 1, 'OVN_PICTURE_EMPTY: the stack has nothing that view "vpc" shows; choose another --view'],
])("refuses %j", async (args, code, message) => {
  expect(await commandLine("picture", "--state", state, ...args)).toEqual({ code, stdout: "", stderr: `pulumi-ovn picture: ${message}\n` });
});

it("refuses --picture without --markdown", async () => {
  const { code, stderr } = await commandLine("diff", preview, "--picture");
  expect([code, stderr]).toEqual([2, "pulumi-ovn diff: OVN_USAGE: --picture: only with --markdown; pulumi-ovn picture --preview FILE draws into a file\n"]);
});
