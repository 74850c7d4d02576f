import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { ConfigFile, configurationOf, onlyConfiguration, readStackFile, requireProject } from "@pulumi-ovn/cli/testing";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "config-"));
  writeFileSync(join(folder, "Pulumi.yaml"), "name: net\nruntime: nodejs\n");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (text: string, name = "Pulumi.dev.yaml") => writeFileSync(join(folder, name), text);
const read = (stack = "dev") => ConfigFile.read(folder, stack);
const STAGE = { upgrade: "move", nodes: { node1: "transit", node2: "gateway" } } as const;
const written = () => readFileSync(join(folder, "Pulumi.dev.yaml"), "utf8");

it("keeps comments, order and everything else", () => {
  write(`# who looks after this stack
encryptionsalt: v1:abc
config:
  # reached from the bastion
  ovn:zones:
    node1: unix:/run/nb1.sock # the old server

  net:secret:
    secure: AAAB
`);
  read().with("blue", STAGE).write();
  expect(written()).toBe(`# who looks after this stack
encryptionsalt: v1:abc
config:
  # reached from the bastion
  ovn:zones:
    node1: unix:/run/nb1.sock # the old server

  net:secret:
    secure: AAAB
  ovn:topology:
    blue:
      nodes:
        node1: transit
        node2: gateway
      upgrade: move
`);
});

it("changes one line for a node, and keeps comments next to it", () => {
  read().with("blue", STAGE).write();
  write(written().replace("node2: gateway", "node2: gateway # after the weekend"));
  read()
    .with("blue", { upgrade: "move", nodes: { node1: "gateway", node2: "gateway" } })
    .write();
  expect(written()).toContain("node1: gateway\n        node2: gateway # after the weekend\n");
});

it("removes the stage at the end", () => {
  read().with("blue", STAGE).write();
  read().with("blue", { upgrade: undefined, nodes: STAGE.nodes }).write();
  expect(parse(written())).toEqual({ config: { "ovn:topology": { blue: { nodes: STAGE.nodes } } } });
});

it("does not change other networks", () => {
  write("config:\n  ovn:topology:\n    red:\n      upgrade: follow\n");
  read().with("blue", STAGE).write();
  expect(parse(written())).toEqual({ config: { "ovn:topology": { red: { upgrade: "follow" }, blue: STAGE } } });
  expect([read().has("blue"), read().has("red"), read().has("green")]).toEqual([true, true, false]);
});

it.each([
  ["no file", undefined],
  ["an empty file", ""],
  ["an empty configuration", "config: {}\n"],
  ["a configuration without value", "config:\n"],
  ["an object as text", `config:\n  ovn:topology: '{"blue":{"nodes":{"node1":"gateway"}}}'\n`],
  ["flow style", `{ "config": { "ovn:topology": { "blue": {} } } }\n`],
])("starts from %s", (_title, text) => {
  if (text !== undefined) write(text);
  read().with("blue", STAGE).write();
  expect(parse(written())).toEqual({ config: { "ovn:topology": { blue: STAGE } } });
});

it("refuses an unreadable file", () => {
  write("config: [\n");
  expect(() => read().has("blue")).toThrow(expect.objectContaining({ code: "OVN_CONFIG" }) as Error);
  write("config:\n  ovn:topology: nonsense\n");
  expect(() => read().has("blue")).toThrow("neither an object nor JSON");
});

it.each([
  ["an alias", "x: &t {}\nconfig:\n  ovn:topology: *t\n", "config.ovn:topology is an alias of *t"],
  ["an alias of a network", "config:\n  ovn:topology:\n    red: &red {}\n    blue: *red\n", "config.ovn:topology.blue is an alias of *red"],
  ["entries of another map", "x: &t {}\nconfig:\n  ovn:topology:\n    blue:\n      <<: *t\n", "config.ovn:topology.blue takes entries from another map by <<"],
  ["a secret", "config:\n  ovn:topology:\n    secure: AAAB\n", "config.ovn:topology is a secret"],
  ["a secret network", "config:\n  ovn:topology:\n    blue:\n      secure: AAAB\n", "config.ovn:topology.blue is a secret"],
  ["a list", "config:\n  ovn:topology: [blue]\n", "config.ovn:topology is not a map"],
  ["a word", "config: yes\n", "config is not a map"],
  ["a file that is a list", "- a\n", "the file is not a map"],
])("refuses %s instead of a map, which would be lost", (_title, text, message) => {
  write(text);
  for (const use of [() => read().has("blue"), () => read().with("blue", STAGE)]) {
    expect(use).toThrow(expect.objectContaining({ code: "OVN_CONFIG", message: expect.stringContaining(`Pulumi.dev.yaml: ${message}`) as string }) as Error);
  }
  expect(written()).toBe(text);
});

it("refuses unreadable nodes of a network likewise", () => {
  write("config:\n  ovn:topology:\n    blue:\n      nodes: [node1]\n");
  expect(read().has("blue")).toBe(true);
  expect(() => read().with("blue", STAGE)).toThrow("config.ovn:topology.blue.nodes is not a map");
});

it("treats numbers as names, and leaves no second key", () => {
  write("config:\n  ovn:topology:\n    7:\n      nodes:\n        1: gateway # in the cellar\n        2: gateway\n");
  expect([read().has("7"), read().has("8")]).toEqual([true, false]);
  read()
    .with("7", { upgrade: "move", nodes: { 1: "transit", 2: "gateway" } })
    .write();
  expect(written()).toBe("config:\n  ovn:topology:\n    7:\n      nodes:\n        1: transit # in the cellar\n        2: gateway\n      upgrade: move\n");
});

it("writes a node with a name like a secret", () => {
  read()
    .with("blue", { upgrade: "move", nodes: { secure: "gateway", node2: "gateway" } })
    .write();
  read()
    .with("blue", { upgrade: "move", nodes: { secure: "transit", node2: "gateway" } })
    .write();
  expect(written()).toContain("        secure: transit\n        node2: gateway\n");
});

it("finds a stack's file by the last part of its name, in the folder that the project names", () => {
  mkdirSync(join(folder, "stacks"));
  writeFileSync(join(folder, "Pulumi.yaml"), "name: net\nruntime: nodejs\nstackConfigDir: stacks\n");
  expect(read("organization/net/dev").path).toBe(join(folder, "stacks", "Pulumi.dev.yaml"));
});

it("finds the file that Pulumi reads, with the extension of the project's file", () => {
  for (const extension of ["yaml", "yml"]) write(`config: { net:from: ${extension} }\n`, `Pulumi.dev.${extension}`);
  expect([read().path, onlyConfiguration(folder)]).toEqual([join(folder, "Pulumi.dev.yaml"), join(folder, "Pulumi.dev.yaml")]);
  renameSync(join(folder, "Pulumi.yaml"), join(folder, "Pulumi.yml"));
  expect([read().path, onlyConfiguration(folder), configurationOf(folder, "organization/net/dev")]).toEqual(Array(3).fill(join(folder, "Pulumi.dev.yml")));
  expect(readStackFile(join(folder, "Pulumi.dev.yml"), {})).toMatchObject({ stack: "dev", project: "net" });
  rmSync(join(folder, "Pulumi.dev.yml"));
  // If the file is missing, this path is where it is created. The file with the other extension is not used.
  expect([read().path, onlyConfiguration(folder)]).toEqual([join(folder, "Pulumi.dev.yml"), undefined]);
  expect(() => configurationOf(folder, "dev")).toThrow(`${folder} has no Pulumi.dev.yml`);
  expect(() => configurationOf(folder, undefined)).toThrow(`${folder} has no Pulumi.STACK.yml; pass --cwd`);
});

it("finds the project from a folder inside of it", () => {
  mkdirSync(join(folder, "a", "b"), { recursive: true });
  expect(requireProject(join(folder, "a", "b"))).toBe(folder);
  rmSync(join(folder, "Pulumi.yaml"));
  expect(() => requireProject(folder)).toThrow("there is no Pulumi.yaml");
});

it("keeps the file's mode, and no draft", async () => {
  write("config: {}\n");
  chmodSync(join(folder, "Pulumi.dev.yaml"), 0o640);
  const drafted = await read()
    .with("blue", STAGE)
    .draft((path) => Promise.resolve([path, readFileSync(path, "utf8")] as const));
  expect(parse(drafted[1])).toEqual({ config: { "ovn:topology": { blue: STAGE } } });
  expect(() => statSync(drafted[0])).toThrow("ENOENT");
  expect(written()).toBe("config: {}\n");
  read().with("blue", STAGE).write();
  expect(statSync(join(folder, "Pulumi.dev.yaml")).mode & 0o777).toBe(0o640);
  expect(readdirSync(folder).sort()).toEqual(["Pulumi.dev.yaml", "Pulumi.yaml"]);
});

describe("another writer", () => {
  beforeEach(() => write("config:\n  net:size: 1\n"));

  it("keeps its change if it came before the stage was read", () => {
    const file = read();
    write("config:\n  net:size: 2 # by a pull request\n");
    file.today("blue").with("blue", STAGE).write();
    expect(written()).toContain("net:size: 2 # by a pull request\n  ovn:topology:\n    blue:\n");
  });

  it.each([
    ["changed", () => write("config:\n  net:size: 2\n")],
    ["deleted", () => rmSync(join(folder, "Pulumi.dev.yaml"))],
  ])("keeps the stage from a file that it has %s since", (_what, other) => {
    const file = read().with("blue", STAGE);
    other();
    const before = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]);
    expect(() => file.write()).toThrow(
      expect.objectContaining({ code: "OVN_CONFIG", message: expect.stringContaining("Pulumi.dev.yaml was changed meanwhile, so nothing was written") }),
    );
    expect(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")])).toEqual(before);
  });

  it("may have created the missing file", () => {
    rmSync(join(folder, "Pulumi.dev.yaml"));
    const file = read();
    file.with("blue", STAGE).write();
    expect(() => file.with("blue", STAGE).write()).toThrow("was changed");
    file.with("blue", STAGE).today("blue").with("blue", STAGE).write();
  });

  it.each([
    ["moved a node of", "node1: transit", "node1: gateway"],
    ["given a stage to", "upgrade: move", "upgrade: follow"],
    ["taken away", "    blue:\n", "    red:\n"],
  ])("is used if it has %s the network", (_what, from, to) => {
    const file = read().with("blue", STAGE);
    file.write();
    write(`# noted\n${written()}    red:\n      nodes: { node1: gateway }\n`);
    expect(file.today("blue").with("blue", STAGE).has("red")).toBe(true);
    write(
      written()
        .replace(/    red:\n.*\n$/, "")
        .replace(from, to),
    );
    expect(() => file.today("blue")).toThrow(
      expect.objectContaining({
        code: "OVN_CONFIG",
        message: `ovn:topology.blue in ${file.path} was changed meanwhile; run again to continue from it`,
      }) as Error,
    );
  });
});
