import { difference, type Dump, NO_DIFFERENCE, tablesOf } from "../support/dump";
import { Workspace } from "../support/workspace";
import { TestZones } from "../support/zones";

jest.setTimeout(600_000);

interface Choice {
  /** Pulumi's name of the switch. */
  readonly name?: string;
  readonly zone?: string;
  readonly mtu?: number;
  /** Options of the resource "other", which is left out without them. */
  readonly other?: object;
  readonly otherSubnet?: string;
  readonly switchMark?: string;
}

const program = ({ name = "sw", zone = "node1", mtu = 1400, other, otherSubnet = "10.0.0.0/24", switchMark = "1" }: Choice = {}) => `
const sw = new ovn.Layer2Switch("${name}", { zone: "${zone}", name: "l2", subnets: ["203.203.0.0/16"], tunnelKey: 5, externalIds: { mark: "${switchMark}" } }, { aliases: [{ name: "sw" }], ignoreChanges: ["externalIds"] });
new ovn.TransitRouter("tr", { zone: "${zone}", name: "tr", tunnelKey: 6, switch: sw.uuid, switchName: "l2", gateway: { addresses: ["203.203.0.1/16"] }, gatewayMtu: ${mtu} });
${other ? `new ovn.Layer2Switch("other", { zone: "node1", name: "other", subnets: ["${otherSubnet}"] }, ${JSON.stringify(other)});` : ""}
`;

const urn = (kind: string, name: string) => `urn:pulumi:dev::trial::pulumi-nodejs:dynamic/ovn:${kind}::${name}`;

let zones: TestZones;
let workspace: Workspace;
beforeAll(async () => {
  zones = await TestZones.start(["node1", "node2"]);
  workspace = await Workspace.create(program({ other: {} }), zones.config);
});
afterAll(async () => {
  await workspace?.[Symbol.asyncDispose]();
  await zones?.stop();
});

/** Runs an update that has to do so much, and returns what it did to the rows. */
async function up(expected: Record<string, number>, ...args: string[]): Promise<{ before: Dump; after: Dump; rows: ReturnType<typeof difference> }> {
  const before = await zones.northbound();
  expect(await workspace.changes("up", "--yes", "--skip-preview", ...args)).toEqual(expected);
  const after = await zones.northbound();
  return { before, after, rows: difference(before, after) };
}

it("keeps rows through renames, lost state and Pulumi's options, and moves them between zones", async () => {
  await workspace.up();

  await workspace.write(program({ name: "renamed", other: {} }));
  expect((await up({ same: 4 })).rows).toEqual(NO_DIFFERENCE);

  // Lost state: the rows are found again, since their UUIDs derive from the resource's URN.
  await workspace.must("state", "delete", urn("TransitRouter", "tr"), "--yes", "--stack", "dev");
  expect((await up({ create: 1, same: 3 })).rows).toEqual(NO_DIFFERENCE);

  // Replaced at the same target: the replacement is made before the old one is deleted, and has the same rows.
  const replaced = await up({ replace: 1, same: 3 }, "--target-replace", urn("Layer2Switch", "other"));
  expect(replaced.rows).toEqual(NO_DIFFERENCE);

  // The provider decides what a change does: the option replaceOnChanges makes no replacement.
  await workspace.write(program({ name: "renamed", otherSubnet: "10.0.2.0/24", other: { replaceOnChanges: ["subnets"] } }));
  const changed = await up({ update: 1, same: 3 });
  expect([changed.rows.added, changed.rows.removed, Object.values(changed.rows.changed)]).toEqual([[], [], [["other_config"]]]);

  // A target: what else has changed in the program waits. An ignored argument changes nothing.
  await workspace.write(program({ name: "renamed", mtu: 1300, switchMark: "2", otherSubnet: "10.0.1.0/24", other: { protect: true } }));
  const targeted = await up({ update: 1, same: 3 }, "--target", urn("Layer2Switch", "other"));
  expect([targeted.rows.added, targeted.rows.removed, Object.values(targeted.rows.changed)]).toEqual([[], [], [["other_config"]]]);
  const rest = await up({ update: 1, same: 3 });
  expect([tablesOf(Object.keys(rest.rows.changed)), Object.values(rest.rows.changed)]).toEqual([["node1 Logical_Router_Port"], [["options"]]]);
  expect(await zones.nbctl("node1", "get", "logical_switch", "l2", "external_ids:mark")).toBe('"1"');

  // Protected: refused, and nothing of it is removed.
  await workspace.write(program({ name: "renamed", mtu: 1300 }));
  const refused = await workspace.run("up", "--yes", "--skip-preview", "--stack", "dev");
  expect([refused.code === 0, /cannot be deleted/.test(refused.stdout + refused.stderr)]).toEqual([false, true]);
  expect(difference(rest.after, await zones.northbound())).toEqual(NO_DIFFERENCE);

  // Retained: removed from the state, but not from the database.
  await workspace.write(program({ name: "renamed", mtu: 1300, otherSubnet: "10.0.1.0/24", other: { retainOnDelete: true } }));
  await workspace.up();
  await workspace.write(program({ name: "renamed", mtu: 1300 }));
  expect((await up({ same: 3, delete: 1 })).rows).toEqual(NO_DIFFERENCE);

  // Another zone: the rows are made there before they go here.
  await workspace.write(program({ name: "renamed", mtu: 1300, zone: "node2" }));
  const moved = await up({ replace: 2, same: 1 });
  const inZone = (zone: string, rows: readonly string[]) => tablesOf(rows.filter((row) => row.startsWith(`${zone} `))).map((row) => row.split(" ")[1]);
  const tables = ["Logical_Router", "Logical_Router_Port", "Logical_Switch", "Logical_Switch_Port"];
  expect([inZone("node2", moved.rows.added), inZone("node1", moved.rows.removed)]).toEqual([tables, tables]);
  expect([inZone("node1", moved.rows.added), inZone("node2", moved.rows.removed)]).toEqual([[], []]);
  const operations = (await workspace.operations()).filter(({ urn }) => urn.includes("TransitRouter")).map(({ op }) => op);
  expect(operations).toEqual(["create-replacement", "replace", "delete-replaced"]);

  await workspace.must("destroy", "--yes", "--skip-preview", "--stack", "dev");
  expect(await zones.nbctl("node2", "show")).toBe("");
  expect(await zones.nbctl("node1", "ls-list")).toMatch(/^\S+ \(other\)$/);
});

it("names the --target that an update lacks when a parent or a child is new or moves to another zone, and completes it without", async () => {
  const tr = ["--target", urn("TransitRouter", "tr")];
  const refused = async (...args: string[]) => {
    const { code, stdout, stderr } = await workspace.run(...args, "--stack", "dev");
    expect(code).not.toBe(0);
    return stdout + stderr;
  };
  await workspace.write(program());
  // Pulumi itself names a parent that the stack does not have yet.
  expect(await refused("preview", ...tr)).toContain(`depends on '${urn("Layer2Switch", "sw")}' which was was not specified in --target list`);
  await workspace.up();

  await workspace.write(program({ zone: "node2" }));
  const missing = await refused("up", "--yes", "--skip-preview", ...tr);
  expect(missing).toMatch(
    /OVN_PARENT_MISSING: TransitRouter "tr" in zone "node2" .*: its parent Logical_Switch \S+ does not exist; zone "node1" has it, because this operation leaves out its resource: add --target '/,
  );
  const [, named] = /add --target '([^']+)'/.exec(missing)!;
  await up({ replace: 2, same: 1 }, ...tr, "--target", named!);

  // A parent that moves without its child is made in its new zone, and can't be deleted in the former one.
  await workspace.write(program());
  expect(await refused("up", "--yes", "--skip-preview", "--target", urn("Layer2Switch", "sw"))).toContain(
    `of ${urn("TransitRouter", "tr")}, which would vanish with it; run "pulumi up" again, and with --target add --target '${urn("TransitRouter", "tr")}'`,
  );
  // Pulumi deletes what is left of both at the same time.
  await workspace.must("up", "--yes", "--skip-preview", "--stack", "dev");
  expect(await zones.nbctl("node2", "show")).toBe("");
  await workspace.must("destroy", "--yes", "--skip-preview", "--stack", "dev");
});
