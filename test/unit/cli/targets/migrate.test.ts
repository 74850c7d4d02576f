import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migrate, onlyConfiguration, readStackFile, targetsCommand } from "@pulumi-ovn/cli/testing";
import { readTargets } from "@pulumi-ovn/provider/targets";

const CONFIGURATION = `# of the site in Bonn
encryptionsalt: v1:abc=
config:
  net:mtu: "1400" # as the switches have it
  ovn:zones:
    node1:
      northbound: unix:/run/a.sock
      tls: { ca: ca.pem }
    node2: tcp:10.0.0.2:6641
  ovn:topology:
    blue: { nodes: { node1: transit } }
`;
const ZONES = { node1: { northbound: "unix:/run/a.sock", tls: { ca: "ca.pem" } }, node2: { northbound: "tcp:10.0.0.2:6641" } };

describe("moving zones to a file of targets", () => {
  it("keeps all else unchanged", () => {
    const { configuration, targets, zones } = migrate(CONFIGURATION, "Pulumi.dev.yaml", "targets.dev.yaml");
    expect(configuration).toBe(`# of the site in Bonn
encryptionsalt: v1:abc=
config:
  net:mtu: "1400" # as the switches have it
  ovn:topology:
    blue: { nodes: { node1: transit } }
  ovn:targets: targets.dev.yaml
`);
    expect(targets).toBe("zones:\n  node1:\n    northbound: unix:/run/a.sock\n    tls:\n      ca: ca.pem\n  node2: tcp:10.0.0.2:6641\n");
    expect(zones).toEqual(["node1", "node2"]);
  });

  it("accepts zones that are a text of JSON", () => {
    expect(migrate(`config:\n  ovn:zones: '{"a":"unix:/a"}'\n`, "p", "t.yaml")).toEqual({
      configuration: "config:\n  ovn:targets: t.yaml\n",
      targets: "zones:\n  a: unix:/a\n",
      zones: ["a"],
    });
  });

  it.each([
    ["config: {}\n", "p has no ovn:zones: there is nothing to move"],
    ["config:\n  ovn:targets: t.yaml\n", "p has no ovn:zones: there is nothing to move; ovn:targets names t.yaml"],
    [
      "config:\n  ovn:zones: { a: tcp:10.0.0.1:6641 }\n  ovn:targets: live.yaml\n",
      'p has ovn:targets already, which would name another file then; ovn:zones is not used next to it: run "pulumi config rm ovn:zones"',
    ],
    ["config:\n  ovn:zones:\n    secure: v1:abc\n", 'p: ovn:zones is a secret: write "zones:" with what "pulumi config get ovn:zones" prints to a file'],
    ["config:\n  ovn:zones: [a]\n", "p: ovn:zones is neither a map nor JSON"],
    ["config:\n  ovn:zones: '{'\n", "p: ovn:zones is neither a map nor JSON"],
    ["config:\n  ovn:zones: { a: 5 }\n", "p: ovn:zones: a: must be a text or an object, not a number"],
    ["config: [\n", "can't read p: "],
  ])("refuses %s", (text, message) => {
    expect(() => migrate(text, "p", "t.yaml")).toThrow(message);
  });
});

describe("pulumi-ovn targets", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "targets-command-"));
    writeFileSync(join(folder, "Pulumi.yaml"), "name: net\nruntime: nodejs\n");
    writeFileSync(join(folder, "Pulumi.dev.yaml"), CONFIGURATION);
    jest.spyOn(process.stdout, "write").mockReturnValue(true);
  });
  afterEach(() => {
    jest.restoreAllMocks();
    rmSync(folder, { recursive: true });
  });
  const text = (name: string) => readFileSync(join(folder, name), "utf8");

  it("writes a file that the provider can read, and only its owner, and names it in the configuration", async () => {
    mkdirSync(join(folder, "below"));
    expect(await targetsCommand.run(["--cwd", join(folder, "below")])).toBe(0);
    expect(readTargets({ file: "targets.dev.yaml", environment: {}, folder })).toEqual(ZONES);
    expect(statSync(join(folder, "targets.dev.yaml")).mode & 0o777).toBe(0o600);
    expect(text("Pulumi.dev.yaml")).toBe(migrate(CONFIGURATION, "", "targets.dev.yaml").configuration);
    expect(process.stdout.write).toHaveBeenCalledWith(expect.stringContaining("2 zones moved to "));
  });

  it("uses the named stack and file", async () => {
    writeFileSync(join(folder, "Pulumi.prod.yaml"), "config:\n  ovn:zones: { a: unix:/a }\n");
    expect(() => targetsCommand.run(["--cwd", folder])).toThrow("which stack? The folder has Pulumi.dev.yaml, Pulumi.prod.yaml");
    expect(() => targetsCommand.run(["--cwd", folder, "--stack", "test"])).toThrow("has no Pulumi.test.yaml");
    expect(await targetsCommand.run(["--cwd", folder, "--stack", "org/net/prod", "--out", "t.yaml", "--json"])).toBe(0);
    const [printed] = jest.mocked(process.stdout.write).mock.calls.at(-1)!;
    expect(JSON.parse(String(printed))).toEqual({ version: 1, zones: ["a"], file: join(folder, "t.yaml"), configuration: join(folder, "Pulumi.prod.yaml") });
    expect([text("Pulumi.prod.yaml"), text("t.yaml"), text("Pulumi.dev.yaml")]).toEqual([
      "config:\n  ovn:targets: t.yaml\n",
      "zones:\n  a: unix:/a\n",
      CONFIGURATION,
    ]);
  });

  it("finds the configuration where the project has it, as an upgrade does", async () => {
    writeFileSync(join(folder, "Pulumi.yaml"), "name: net\nruntime: nodejs\nstackConfigDir: stacks\n");
    mkdirSync(join(folder, "stacks"));
    expect(() => targetsCommand.run(["--cwd", folder])).toThrow("has no Pulumi.STACK.yaml; pass --cwd");
    writeFileSync(join(folder, "stacks/Pulumi.prod.yaml"), "config:\n  ovn:zones: { a: unix:/a }\n");
    expect(await targetsCommand.run(["--cwd", folder])).toBe(0);
    // The file of targets is relative to the project, wherever the configuration is.
    expect([text("stacks/Pulumi.prod.yaml"), text("targets.prod.yaml"), text("Pulumi.dev.yaml")]).toEqual([
      "config:\n  ovn:targets: targets.prod.yaml\n",
      "zones:\n  a: unix:/a\n",
      CONFIGURATION,
    ]);
    expect(onlyConfiguration(folder)).toBe(join(folder, "stacks/Pulumi.prod.yaml"));
    expect(readStackFile(onlyConfiguration(folder), {})).toEqual({
      folder,
      kubernetes: {},
      stack: "prod",
      project: "net",
      zones: { a: { northbound: "unix:/a" } },
      targets: { zones: { a: { northbound: "unix:/a" } }, hosts: {}, clusters: {} },
    });
    writeFileSync(join(folder, "Pulumi.yaml"), "name: [\n");
    expect(() => targetsCommand.run(["--cwd", folder])).toThrow(/can't read the project \S+Pulumi\.yaml: /);
  });

  it("overwrites nothing, and changes nothing after a refusal", () => {
    writeFileSync(join(folder, "targets.dev.yaml"), "mine");
    expect(() => targetsCommand.run(["--cwd", folder])).toThrow(/targets\.dev\.yaml is there already; name another file with --out/);
    writeFileSync(join(folder, "Pulumi.dev.yaml"), "config:\n  ovn:zones: { a: 5 }\n");
    expect(() => targetsCommand.run(["--cwd", folder, "--out", "new.yaml"])).toThrow("a: must be a text or an object, not a number");
    expect([text("targets.dev.yaml"), existsSync(join(folder, "new.yaml")), text("Pulumi.dev.yaml")]).toEqual([
      "mine",
      false,
      "config:\n  ovn:zones: { a: 5 }\n",
    ]);
  });
});
