import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Connections, projectFolder, readAllTargets, readTargets, zonesOf } from "@pulumi-ovn/provider/targets";
import { describeCommand, describeZone, withoutArguments } from "@pulumi-ovn/provider/testing";

const folder = mkdtempSync(join(tmpdir(), "targets-"));
afterAll(() => rmSync(folder, { recursive: true }));

const read = (text: string, environment: NodeJS.ProcessEnv = {}) => {
  writeFileSync(join(folder, "targets.yaml"), text);
  return readTargets({ file: "targets.yaml", environment, folder });
};
const clusters = (text: string) => {
  writeFileSync(join(folder, "targets.yaml"), text);
  return readAllTargets({ file: "targets.yaml", environment: {}, folder }).clusters;
};

describe("a file of targets", () => {
  it("names zones in YAML or JSON; a single endpoint is the Northbound database", () => {
    const expected = {
      a: { northbound: "unix:/run/nb.sock" },
      b: { northbound: "ssl:h:6641,ssl:i:6641", southbound: "tcp:h:6642", tls: { ca: "ca.pem", checkServerName: false }, timeout: 5 },
    };
    expect(
      read(
        "zones:\n  a: unix:/run/nb.sock\n  b:\n    northbound: ssl:h:6641,ssl:i:6641\n    southbound: tcp:h:6642\n    tls: { ca: ca.pem, checkServerName: false }\n    timeout: 5\n",
      ),
    ).toEqual(expected);
    expect(read(JSON.stringify({ zones: expected }))).toEqual(expected);
  });

  it("must not give one endpoint to two zones", () => {
    const each = "; each zone has databases of its own";
    expect(() => read("zones:\n  a: unix:/a\n  b: 'ssl:h:6641, unix:/a'\n")).toThrow(
      `targets.yaml: zones.b.northbound: unix:/a is also an endpoint of zone "a"${each}`,
    );
    const southbound = { a: { southbound: "exec:ssh h --password=x" }, b: { southbound: "exec:ssh h --password=x" } };
    expect(() => read("{}", { PULUMI_OVN_ZONES: JSON.stringify(southbound) })).toThrow(/zones\.b\.southbound: exec:ssh .* is also an endpoint of zone "a"/);
    expect(() => read("{}", { PULUMI_OVN_ZONES: JSON.stringify(southbound) })).not.toThrow(/password/);
    const shared = { a: { northbound: "unix:/a", southbound: "unix:/a", openvswitch: "unix:/o" }, b: { northbound: "unix:/b", openvswitch: "unix:/o" } };
    expect(read(JSON.stringify({ zones: shared }))).toEqual(shared);
  });

  it("may have its keys of an earlier release", () => {
    const former = {
      zones: { a: { northbound: "unix:/a", deadline: 5 }, deadline: "unix:/b" },
      hosts: { h: { deadline: 6 } },
      clusters: { c: { deadline: 7 } },
    };
    writeFileSync(join(folder, "targets.yaml"), JSON.stringify(former));
    expect(readAllTargets({ file: "targets.yaml", environment: {}, folder })).toEqual({
      zones: { a: { northbound: "unix:/a", timeout: 5 }, deadline: { northbound: "unix:/b" } },
      hosts: { h: { timeout: 6 } },
      clusters: { c: { timeout: 7 } },
    });
    expect(read("{}", { PULUMI_OVN_ZONES: '{"a":{"northbound":"unix:/a","deadline":5}}' })).toEqual({ a: { northbound: "unix:/a", timeout: 5 } });
  });

  it("is found in the project's folder, and at the path in the environment", () => {
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
    expect(read(text, { PULUMI_OVN_ZONES: "zones.json" })).toEqual(expected);
    expect(() => read(text, { PULUMI_OVN_ZONES: join(folder, "nothing.json") })).toThrow("PULUMI_OVN_ZONES names a file that can't be read: ENOENT");
    expect(readTargets({ oldZones: true, environment: { PULUMI_OVN_ZONES: '{"a":"unix:/a"}' }, folder })).toEqual({ a: { northbound: "unix:/a" } });
  });

  it("names clusters, with zones or without", () => {
    expect(clusters("zones: { a: unix:/a }\nclusters: { prod: { kubeconfig: ~/x, context: admin, timeout: 5 }, here: {} }")).toEqual({
      prod: { kubeconfig: "~/x", context: "admin", timeout: 5 },
      here: {},
    });
    expect(clusters("clusters: { pod: { inCluster: true } }")).toEqual({ pod: { inCluster: true } });
    expect(read("clusters: { pod: { inCluster: true } }")).toEqual({});
  });

  it("may be missing; then there are no zones", () => {
    expect(readTargets({ environment: {}, folder })).toEqual({});
    expect(readAllTargets({ environment: {}, folder })).toEqual({ zones: {}, hosts: {}, clusters: {} });
  });

  it.each([
    ["", /^targets.yaml is empty; write "zones: { NAME: unix:\/run\/ovn\/ovnnb_db.sock }" into it$/],
    ["# zones:\n", /^targets.yaml is empty/],
    ["zones:\n\tnode1: unix:/x\n", /^targets.yaml is not YAML at line 2, column 1 \(TAB_AS_INDENT\): a TAB indents the line; indent with spaces$/],
    ["zones\n  node1: unix:/x\n", /^targets.yaml is not YAML at line 1, column 1 \(MULTILINE_IMPLICIT_KEY\): is a ":" missing, or the space after it\?/],
    ["zones:\n  a: unix:/x\n  b unix:/y\n", /^targets.yaml is not YAML at line 3, column 3 \(MISSING_CHAR\): is a ":" missing, or the space after it\?/],
    ["zones:\n  a unix:/x\n", 'targets.yaml: zones: must be an object, not a text; is a ":" missing, or the space after it? Write "NAME: VALUE"'],
    ["not: [yaml", /^targets.yaml is not YAML at line 1, column 11/],
    ["zones: { a: /run/nb.sock }", 'targets.yaml: zones.a: endpoint "/run/nb.sock": it must start with unix:, tcp:, ssl: or exec:'],
    ["zones: { a: { northbound: unix:/x, tsl: {} } }", 'targets.yaml: zones.a: there is no setting "tsl"; did you mean "tls"?'],
    ["zones: { a: { northbound: 5 } }", "targets.yaml: zones.a.northbound: must be a text, not a number"],
    ["zones: { a: { timeout: 0 } }", "targets.yaml: zones.a.timeout: must be greater than 0"],
    ["zones: { a: { deadline: 0 } }", "targets.yaml: zones.a.timeout: must be greater than 0"],
    ["zones: { a: { deadline: 5, timeout: 6 } }", 'targets.yaml: zones.a: there is no setting "deadline"'],
    ["zones: [1]", "targets.yaml: zones: must be an object, not a list"],
    ["zone: {}", 'targets.yaml: there is no setting "zone"; did you mean "zones"?'],
    ["hsots: {}", 'targets.yaml: there is no setting "hsots"; did you mean "hosts"?'],
    ["hosts: { a: { comand: ssh } }", 'targets.yaml: hosts.a: there is no setting "comand"; did you mean "command"?'],
    ["hosts: { a: { tls: { privatekey: k } } }", 'targets.yaml: hosts.a.tls: there is no setting "privatekey"; did you mean "privateKey"?'],
    ["zones: { a: { tls: { privatekey: k } } }", 'targets.yaml: zones.a.tls: there is no setting "privatekey"; did you mean "privateKey"?'],
    [
      "hosts: { a: { openvswitch: /run/db.sock } }",
      'targets.yaml: hosts.a.openvswitch: endpoint "/run/db.sock": it must start with unix:, tcp:, ssl: or exec:',
    ],
    ["hosts: { a: { command: [] } }", "targets.yaml: hosts.a.command: must have at least one entry"],
    ["hosts: { a: { command: ' ' } }", "targets.yaml: hosts.a.command: is empty; leave it out where programs run on this machine"],
    ["hosts: { a: { timeout: 0 } }", "targets.yaml: hosts.a.timeout: must be greater than 0"],
    ["hosts: { a: ssh a }", "targets.yaml: hosts.a: must be an object, not a text"],
    ["clusters: { a: { kubeconfig: x, inCluster: true } }", "targets.yaml: clusters.a: inCluster needs no kubeconfig and no context"],
    ["clusters: { a: { inCluster: false } }", "targets.yaml: clusters.a.inCluster: must be true"],
    ["clusters: { a: { token: s3cret } }", 'targets.yaml: clusters.a: there is no setting "token"'],
    ["clusters: { a: { timeout: 0 } }", "targets.yaml: clusters.a.timeout: must be greater than 0"],
    ['zones: { a: "tcp:fd00::1:6641" }', "zones.a"],
  ])("refuses %s", (text, message) => {
    expect(() => read(text)).toThrow(message);
  });

  it("names hosts: words of a command, or one text that is split at white space", () => {
    const file = "hosts:\n  a: { openvswitch: unix:/a, command: ssh  -p 22 a, timeout: 3 }\n  b: { command: [sshpass, -p, 'se cret', ssh, b] }\n  c: {}\n";
    writeFileSync(join(folder, "targets.yaml"), file);
    expect(readAllTargets({ file: "targets.yaml", environment: { PULUMI_OVN_ZONES: '{"z":"unix:/z"}' }, folder })).toEqual({
      zones: { z: { northbound: "unix:/z" } },
      hosts: { a: { openvswitch: "unix:/a", command: ["ssh", "-p", "22", "a"], timeout: 3 }, b: { command: ["sshpass", "-p", "se cret", "ssh", "b"] }, c: {} },
      clusters: {},
    });
  });

  it.each(['"', "'", "`", "$", "\\", "|", "&", ";", "<", ">", "(", ")", "{", "}", "*", "?", "~", "#"])(
    "refuses a command that only a shell could run, without showing it: %s",
    (character) => {
      const message = "targets.yaml: hosts.a.command: has characters that only a shell would interpret, and none does: write it as a list of words";
      expect(() => read(JSON.stringify({ hosts: { a: { command: `ssh s3cret${character}` } } }))).toThrow(new Error(message));
      expect(() => read(JSON.stringify({ hosts: { a: { command: ["ssh", `s3cret${character}`] } } }))).not.toThrow();
    },
  );

  it("is not quoted in the error if it can't be parsed", () => {
    expect(() => read('zones: { a: "exec:ssh --token s3cret')).toThrow(expect.not.objectContaining({ message: expect.stringContaining("s3cret") }));
  });

  it("if deleted, is refused with the setting that names it, and with what a refresh can do", () => {
    const message = (environment: NodeJS.ProcessEnv) => {
      try {
        readTargets({ file: "gone.yaml", environment, folder });
      } catch (error) {
        return `${(error as { code: string }).code}: ${(error as Error).message}`;
      }
      return "";
    };
    expect(message({})).toMatch(
      /^OVN_TARGETS: the file of targets "gone.yaml", named by the stack's configuration ovn:targets, can't be read: ENOENT.*need --run-program, or PULUMI_OVN_TARGETS$/,
    );
    expect(message({ PULUMI_OVN_TARGETS: "/nowhere/t.yaml" })).toMatch(
      /^OVN_TARGETS: the file of targets "\/nowhere\/t.yaml", named by the environment variable PULUMI_OVN_TARGETS, can't be read/,
    );
  });

  it("replaces ovn:zones, which is refused", () => {
    expect(() => readTargets({ oldZones: true, environment: {}, folder })).toThrow(
      "ovn:zones in the stack's configuration is not used: it would put endpoints into the state. Move it to a file of targets with: npx --no-install pulumi-ovn targets.",
    );
    expect(zonesOf({ a: "unix:/a" }, "ovn:zones")).toEqual({ a: { northbound: "unix:/a" } });
  });
});

describe("Connections", () => {
  const connections = new Connections({ node1: { northbound: "unix:/nowhere/nb.sock" }, node2: { northbound: "unix:/b" } });

  it("list the zones of the targets in the error about an unknown zone", () => {
    expect(() => connections.zone("nodee1")).toThrow('zone "nodee1" is not configured; the targets have node1, node2');
    expect(() => connections.zone("constructor")).toThrow('zone "constructor" is not configured');
    expect(() => new Connections({}).zone("a")).toThrow(
      'zone "a" is not configured: there are no targets; write a file with "zones: { a: unix:/run/ovn/ovnnb_db.sock }" and name it: pulumi config set ovn:targets FILE',
    );
  });

  it("name the missing setting of a database", () => {
    expect(() => connections.endpoints("node1", "OVN_Southbound")).toThrow(
      'zone "node1" has no southbound endpoint, which OVN_Southbound rows need; set zones.node1.southbound in the file of targets',
    );
  });

  it("connect again after a failure", async () => {
    const first = connections.get("node1", "OVN_Northbound");
    await expect(first).rejects.toMatchObject({ code: "OVSDB_CONNECTION" });
    expect(connections.get("node1", "OVN_Northbound")).not.toBe(first);
    await connections.close();
  });
});

describe("hosts", () => {
  const connections = new Connections(
    { node1: { northbound: "unix:/n" }, both: { openvswitch: "unix:/zone" } },
    { host1: { openvswitch: "unix:/h" }, host2: {}, both: { openvswitch: "unix:/host" } },
  );

  it("are found by name; an unknown host is refused with the nearest name", () => {
    expect(connections.host("host2")).toEqual({});
    expect(() => connections.host("hots1")).toThrow(
      expect.objectContaining({ code: "OVN_HOST", message: 'host "hots1" is not configured; the targets have host1, host2, both; did you mean "host1"?' }),
    );
    expect(() => connections.host("toString")).toThrow('host "toString" is not configured');
    expect(() => new Connections({}).host("a")).toThrow(
      'host "a" is not configured: the targets have no hosts; write "hosts: { a: { openvswitch: tcp:a:6640, command: ssh a } }" into the file of targets',
    );
  });

  it("serve rows of Open vSwitch only", () => {
    expect(connections.endpoints("host1", "Open_vSwitch")).toBe("unix:/h");
    expect(connections.endpoints("both", "Open_vSwitch")).toBe("unix:/zone");
    expect(() => connections.endpoints("host1", "OVN_Northbound")).toThrow('zone "host1" is not configured; the targets have node1, both');
    expect(() => connections.endpoints("host2", "Open_vSwitch")).toThrow(
      expect.objectContaining({
        code: "OVN_HOST",
        message: 'host "host2" has no openvswitch endpoint, which Open_vSwitch rows need; set hosts.host2.openvswitch in the file of targets',
      }),
    );
    expect(() => connections.endpoints("node1", "Open_vSwitch")).toThrow('zone "node1" has no openvswitch endpoint');
    expect(describeZone("host1", "Open_vSwitch", connections)).toBe('host "host1" (unix:/h)');
    expect(describeZone("both", "Open_vSwitch", connections)).toBe('zone "both" (unix:/zone)');
  });

  it("have commands, of which errors show only the program", () => {
    expect(describeCommand({})).toBe("this machine");
    expect(describeCommand({ command: ["run-there"] })).toBe('"run-there"');
    expect(describeCommand({ command: ["sshpass", "-p", "s3cret", "ssh"] })).toBe('"sshpass ..."');
    expect(withoutArguments("ssh: s3cret of --token=s3cret-2: s3cret-2 is wrong, -p too", ["ssh", "-p", "s3cret", "--token=s3cret-2"])).toBe(
      "ssh: ... of ...: ... is wrong, -p too",
    );
  });
});
