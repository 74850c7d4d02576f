import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Connections, projectFolder, readTargets, zonesOf } from "../../../provider/targets";

const folder = mkdtempSync(join(tmpdir(), "targets-"));
afterAll(() => rmSync(folder, { recursive: true }));

const read = (text: string, environment: NodeJS.ProcessEnv = {}) => {
  writeFileSync(join(folder, "targets.yaml"), text);
  return readTargets({ file: "targets.yaml", environment, folder });
};

describe("a file of targets", () => {
  it("names zones in YAML or JSON; an endpoint alone is the Northbound database", () => {
    const expected = {
      a: { northbound: "unix:/run/nb.sock" },
      b: { northbound: "ssl:h:6641,ssl:i:6641", southbound: "tcp:h:6642", tls: { ca: "ca.pem", checkServerName: false }, deadline: 5 },
    };
    expect(read("zones:\n  a: unix:/run/nb.sock\n  b:\n    northbound: ssl:h:6641,ssl:i:6641\n    southbound: tcp:h:6642\n    tls: { ca: ca.pem, checkServerName: false }\n    deadline: 5\n")).toEqual(expected);
    expect(read(JSON.stringify({ zones: expected }))).toEqual(expected);
  });

  it("is found from the project's folder, and wherever the environment says", () => {
    mkdirSync(join(folder, "project/deep"), { recursive: true });
    writeFileSync(join(folder, "project/Pulumi.yaml"), "name: a");
    expect(projectFolder(join(folder, "project/deep"))).toBe(join(folder, "project"));
    writeFileSync(join(folder, "project/other.yaml"), "zones: { c: unix:/c }");
    expect(readTargets({ file: "other.yaml", environment: {}, folder: join(folder, "project") })).toEqual({ c: { northbound: "unix:/c" } });
    expect(read("zones: { a: unix:/a }", { PULUMI_OVN_TARGETS: join(folder, "project/other.yaml") })).toEqual({ c: { northbound: "unix:/c" } });
  });

  it("is overridden zone by zone by the environment, as text or as a file", () => {
    writeFileSync(join(folder, "zones.json"), '{"a":"tcp:127.0.0.1:6641"}');
    const text = "zones: { a: unix:/a, b: unix:/b }";
    const expected = { a: { northbound: "tcp:127.0.0.1:6641" }, b: { northbound: "unix:/b" } };
    expect(read(text, { PULUMI_OVN_ZONES: '{"a":"tcp:127.0.0.1:6641"}' })).toEqual(expected);
    expect(read(text, { PULUMI_OVN_ZONES: join(folder, "zones.json") })).toEqual(expected);
    expect(() => read(text, { PULUMI_OVN_ZONES: join(folder, "nothing.json") })).toThrow("PULUMI_OVN_ZONES names a file that can't be read: ENOENT");
    expect(readTargets({ oldZones: true, environment: { PULUMI_OVN_ZONES: '{"a":"unix:/a"}' }, folder })).toEqual({ a: { northbound: "unix:/a" } });
  });

  it("may be missing as a whole: then there are no zones", () => {
    expect(readTargets({ environment: {}, folder })).toEqual({});
  });

  it.each([
    ["not: [yaml", /^targets.yaml is not YAML at line 1, column 11/],
    ["zones: { a: /run/nb.sock }", 'targets.yaml: zones.a: endpoint "/run/nb.sock": it must start with unix:, tcp:, ssl: or exec:'],
    ["zones: { a: { northbound: unix:/x, tsl: {} } }", 'targets.yaml: zones.a: Unrecognized key: "tsl"'],
    ["zones: { a: { northbound: 5 } }", "targets.yaml: zones.a.northbound: Invalid input: expected string, received number"],
    ["zones: { a: { deadline: 0 } }", "targets.yaml: zones.a.deadline: Too small"],
    ["zone: {}", 'targets.yaml: zones: Invalid input: expected record, received undefined'],
    ["zones: { a: \"tcp:fd00::1:6641\" }", "zones.a"],
  ])("refuses %s", (text, message) => {
    expect(() => read(text)).toThrow(message);
  });

  it("shows nothing of a text that can't be read", () => {
    expect(() => read('zones: { a: "exec:ssh --token s3cret')).toThrow(expect.not.objectContaining({ message: expect.stringContaining("s3cret") }));
  });

  it("that is gone names who named it, and what a refresh can do", () => {
    const message = (environment: NodeJS.ProcessEnv) => {
      try {
        readTargets({ file: "gone.yaml", environment, folder });
      } catch (error) {
        return `${(error as { code: string }).code}: ${(error as Error).message}`;
      }
      return "";
    };
    expect(message({})).toMatch(/^OVN_TARGETS: the file of targets "gone.yaml", named by the stack's configuration ovn:targets, can't be read: ENOENT.*need --run-program, or PULUMI_OVN_TARGETS$/);
    expect(message({ PULUMI_OVN_TARGETS: "/nowhere/t.yaml" })).toMatch(/^OVN_TARGETS: the file of targets "\/nowhere\/t.yaml", named by the environment variable PULUMI_OVN_TARGETS, can't be read/);
  });

  it("takes the place of ovn:zones, which are refused", () => {
    expect(() => readTargets({ oldZones: true, environment: {}, folder })).toThrow("ovn:zones in the stack's configuration is not used: it would put endpoints into the state. Move it to a file of targets with: npx pulumi-ovn targets.");
    expect(zonesOf({ a: "unix:/a" }, "ovn:zones")).toEqual({ a: { northbound: "unix:/a" } });
  });
});

describe("Connections", () => {
  const connections = new Connections({ node1: { northbound: "unix:/nowhere/nb.sock" }, node2: { northbound: "unix:/b" } });

  it("says which zones there are when one is unknown", () => {
    expect(() => connections.zone("nodee1")).toThrow('zone "nodee1" is not configured; the targets have node1, node2');
    expect(() => connections.zone("constructor")).toThrow('zone "constructor" is not configured');
    expect(() => new Connections({}).zone("a")).toThrow('zone "a" is not configured: there are no targets; write a file with "zones: { a: unix:/run/ovn/ovnnb_db.sock }" and name it: pulumi config set ovn:targets FILE');
  });

  it("says which setting is missing for a database", () => {
    expect(() => connections.endpoints("node1", "OVN_Southbound")).toThrow('zone "node1" has no southbound endpoint, which OVN_Southbound rows need; set zones.node1.southbound in the file of targets');
  });

  it("tries again after a failure", async () => {
    const first = connections.get("node1", "OVN_Northbound");
    await expect(first).rejects.toMatchObject({ code: "OVSDB_CONNECTION" });
    expect(connections.get("node1", "OVN_Northbound")).not.toBe(first);
    await connections.close();
  });
});
