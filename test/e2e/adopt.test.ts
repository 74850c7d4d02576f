import { difference, NO_DIFFERENCE } from "../support/dump";
import { Workspace } from "../support/workspace";
import { TestZones } from "../support/zones";

let zones: TestZones;
let workspace: Workspace;
beforeAll(async () => {
  zones = await TestZones.start(["node1"], { northd: false });
});
afterAll(async () => zones?.stop());
beforeEach(async () => {
  workspace = await Workspace.create("", zones.config);
  await nbctl(
    "ls-add",
    "blue",
    "--",
    "set",
    "logical_switch",
    "blue",
    "other_config:subnet=10.0.0.0/16",
    "other_config:theirs=1",
    "--",
    "lsp-add",
    "blue",
    "theirs",
    "--",
    "lsp-add",
    "blue",
    "k8s-blue",
    "--",
    "lsp-set-addresses",
    "k8s-blue",
    "0a:58:0a:00:00:99 10.0.0.2",
  );
  before = await zones.northbound();
});
afterEach(async () => {
  await workspace?.[Symbol.asyncDispose]();
  await nbctl("--all", "destroy", "Logical_Switch");
});
let before: Awaited<ReturnType<TestZones["northbound"]>>;

const nbctl = (...args: string[]) => zones.nbctl("node1", ...args);
const uuidOf = (name: string) => nbctl("get", name === "blue" ? "logical_switch" : "logical_switch_port", name, "_uuid");
const owner = async () => (await nbctl("--if-exists", "get", "logical_switch", "blue", 'external_ids:"pulumi-ovn:owner"')).replaceAll('"', "");

const MANAGEMENT = '{ name: "k8s-blue", addresses: ["10.0.0.2"] }';

/** A stack with the switch; `adopt`, more arguments and resource options as source text. */
function program({ adopt = "true", args = "", options = "", name = "blue", subnet = "10.0.0.0/16" } = {}): string {
  return `new ovn.Layer2Switch("${name}", { zone: "node1", name: "blue", subnets: ["${subnet}"], managementPort: ${MANAGEMENT}, ${adopt === "" ? "" : `adopt: ${adopt},`} ${args} }, { ${options} });`;
}

async function adopt(how: Parameters<typeof program>[0] = {}): Promise<void> {
  await workspace.write(program(how));
  await workspace.up();
}

describe("adoption", () => {
  it("shows in the preview what it will change, and takes over the rows under their UUIDs", async () => {
    const uuids = [await uuidOf("blue"), await uuidOf("k8s-blue")];
    await workspace.write(`${program()} `.replace("new ovn", "const blue = new ovn") + "exports.uuid = blue.uuid;");
    const preview = await workspace.must("preview", "--diff", "--stack", "dev");
    expect(preview).toMatch(/^ +added +: \{\n +ACL blue from-management ip4: "made"\n +\}$/m);
    const blue = [
      /Logical_Switch blue +: \{/,
      /after : "other_config:mcast_flood_unregistered=true other_config:mcast_querier=false other_config:mcast_snoop=true"/,
      /before: ""/,
      /\}/,
    ];
    const port = [
      /Logical_Switch_Port k8s-blue: \{/,
      /after : "addresses=\\"0a:58:0a:00:00:02 10\.0\.0\.2\\""/,
      /before: "addresses=\\"0a:58:0a:00:00:99 10\.0\.0\.2\\""/,
      /\}/,
    ];
    const lines = [/^ +changed: \{/, ...blue, ...port, /\}$/].map(({ source }) => source);
    expect(preview).toMatch(new RegExp(lines.join("\\n +"), "m"));
    expect(preview).toContain(`"${uuids[0]}"`);
    expect(difference(before, await zones.northbound())).toEqual(NO_DIFFERENCE);

    expect(await workspace.changes("up", "--yes", "--skip-preview")).toEqual({ create: 2 });
    expect([await uuidOf("blue"), await uuidOf("k8s-blue")]).toEqual(uuids);
    expect(await nbctl("get", "logical_switch", "blue", "other_config:theirs")).toBe('"1"');
    expect((await workspace.state()).resources.find(({ type }) => type.endsWith(":Layer2Switch"))!.outputs.uuid).toBe(uuids[0]);
    expect(await workspace.changes("up", "--yes", "--skip-preview", "--refresh")).toEqual({ same: 2 });

    // The argument means nothing any more, so it may go.
    await workspace.write(program({ adopt: "" }));
    expect(await workspace.changes("up", "--yes", "--skip-preview")).toEqual({ same: 2 });
    expect([await uuidOf("blue"), await uuidOf("k8s-blue")]).toEqual(uuids);
  });

  it("changes and removes adopted rows as its own, and nothing of others", async () => {
    await adopt();
    const uuid = await uuidOf("blue");
    await workspace.write(program({ subnet: "10.0.0.0/15" }));
    expect(await workspace.changes("up", "--yes", "--skip-preview")).toEqual({ update: 1, same: 1 });
    expect(await nbctl("get", "logical_switch", uuid, "other_config:subnet")).toBe('"10.0.0.0/15"');

    const refused = await workspace.run("destroy", "--yes", "--skip-preview", "--stack", "dev");
    expect(refused.code).not.toBe(0);
    expect(refused.stdout).toMatch(/OVN_NOT_EMPTY: Layer2Switch "blue" in zone "node1" \(\S+\): Logical_Switch blue still holds Logical_Switch_Port "theirs"/);
    await nbctl("lsp-del", "theirs");
    await workspace.must("destroy", "--yes", "--skip-preview", "--stack", "dev");
    expect(await nbctl("show")).toBe("");
  });

  it("refuses to adopt rows that do not exist, and creates none", async () => {
    await nbctl("set", "logical_switch", "blue", "name=green");
    await workspace.write(program());
    const { code, stdout } = await workspace.run("preview", "--stack", "dev");
    expect([code === 0, stdout]).toEqual([
      false,
      expect.stringContaining('there is no Logical_Switch blue to adopt; leave out "adopt" to create it [OVN_NOT_FOUND]'),
    ]);
  });

  it("refuses rows of another manager until it is named", async () => {
    await nbctl("set", "logical_switch", "blue", "external_ids:k8s.ovn.org/network=blue");
    await workspace.write(program());
    const { code, stdout } = await workspace.run("up", "--yes", "--skip-preview", "--stack", "dev");
    expect([code === 0, stdout]).toEqual([
      false,
      expect.stringContaining(
        'Logical_Switch blue belongs to k8s.ovn.org/network=blue; to take it over, name that owner: adopt: { owners: ["k8s.ovn.org/network=blue"] } [OVN_FOREIGN_ROW]',
      ),
    ]);
    expect(await owner()).toBe("");
    await adopt({ adopt: '{ owners: ["k8s.ovn.org"] }' });
    expect(await owner()).toBe("urn:pulumi:dev::trial::pulumi-nodejs:dynamic/ovn:Layer2Switch::blue");
    expect(await nbctl("get", "logical_switch", "blue", 'external_ids:"k8s.ovn.org/network"')).toBe("blue");
  });

  it("gives rows to one stack of two, and to the other only when the first is named", async () => {
    await adopt();
    const first = await owner();
    await using other = await Workspace.create(program(), zones.config);
    await other.must("stack", "rename", "prod", "--stack", "dev");
    const refused = await other.run("up", "--yes", "--skip-preview", "--stack", "prod");
    expect(refused.stdout).toContain(
      `Logical_Switch blue belongs to ${first}; to take it over, name that owner: adopt: { owners: [\\"${first}\\"] } [OVN_FOREIGN_ROW]`.replaceAll('\\"', '"'),
    );
    expect(await owner()).toBe(first);
  });
});

describe("an adopted resource", () => {
  it("is protected like any other", async () => {
    await adopt({ options: "protect: true" });
    const uuid = await uuidOf("blue");
    await workspace.write("");
    expect((await workspace.run("up", "--yes", "--skip-preview", "--stack", "dev")).stdout).toMatch(/is protected/);
    expect(await uuidOf("blue")).toBe(uuid);
  });

  it("is given back untouched with retainOnDelete, and can be adopted again", async () => {
    await adopt({ options: "retainOnDelete: true" });
    const whole = await zones.northbound();
    await workspace.write("");
    expect(await workspace.changes("up", "--yes", "--skip-preview")).toEqual({ delete: 1, same: 1 });
    expect(difference(whole, await zones.northbound())).toEqual(NO_DIFFERENCE);
    // The mark of its former life is its own.
    await adopt();
    expect(difference(whole, await zones.northbound())).toEqual(NO_DIFFERENCE);
  });

  it("keeps what ignoreChanges names", async () => {
    await adopt();
    await workspace.write(program({ subnet: "10.0.0.0/15", options: 'ignoreChanges: ["subnets"]' }));
    expect(await workspace.changes("up", "--yes", "--skip-preview")).toEqual({ same: 2 });
    expect(await nbctl("get", "logical_switch", "blue", "other_config:subnet")).toBe('"10.0.0.0/16"');
  });

  it("keeps its rows and its owner mark under a new name with an alias", async () => {
    await adopt();
    const whole = await zones.northbound();
    await workspace.write(program({ name: "azure", options: 'aliases: [{ name: "blue" }]' }));
    expect(await workspace.changes("up", "--yes", "--skip-preview")).toEqual({ same: 2 });
    expect(difference(whole, await zones.northbound())).toEqual(NO_DIFFERENCE);
    await workspace.write(program({ name: "azure", subnet: "10.0.0.0/15" }));
    expect(await workspace.changes("up", "--yes", "--skip-preview")).toEqual({ update: 1, same: 1 });
    const changed = difference(whole, await zones.northbound());
    expect([changed.added, changed.removed, Object.values(changed.changed)]).toEqual([[], [], [["other_config"]]]);
  });
});
