import { compose, type Difference, differenceOf, jsonFormat, readPreview, textFormat } from "@pulumi-ovn/cli/diff";
import { countLines } from "@pulumi-ovn/cli/testing";
import { MOST_LINES } from "@pulumi-ovn/provider/testing";
import { UNKNOWN } from "@pulumi-ovn/provider/tools";
import { type FakeStep, inputsOf, network, networkPreview, root, stepOf, zoneNames } from "./support";

const read = (document: object) => differenceOf(readPreview(JSON.stringify(document), "it"));
const ofSteps = (...steps: FakeStep[]) => read({ steps: [root, ...steps] });
const NO_COUNTS = { added: 0, adopted: 0, changed: 0, removed: 0, recreated: 0, uncounted: 0 };
const SWITCH = { zone: "node1", name: "l2", subnets: ["203.203.0.0/16"], tunnelKey: 5 };
const switchOf = (change: object = {}) => inputsOf("Layer2Switch", "sw", { ...SWITCH, ...change });

describe("a further node in a network of ten", () => {
  it("adds its rows in each zone", async () => {
    const difference = read(await networkPreview(network(10), network(11)));
    expect(difference).toMatchObject({
      project: "trial",
      stack: "dev",
      failed: false,
      counts: { ...NO_COUNTS, zones: 11, added: 98 },
      diagnostics: [],
      others: [],
    });
    expect(difference.zones.map(({ zone }) => zone)).toEqual(zoneNames(11));
    for (const { counts, resources } of difference.zones.slice(0, 10)) {
      expect(counts).toEqual({ ...NO_COUNTS, added: 4 });
      expect(resources.map(({ kind, operation }) => `${kind} ${operation}`)).toEqual(["Layer2Gateway update", "WorkloadPorts update"]);
      expect(resources.flatMap(({ rows }) => rows).map(({ operation, table, row }) => `${operation} ${table} ${row}`)).toEqual([
        "add Logical_Router_Port trtor-GR_blue_node11",
        "add Logical_Router_Static_Route blue_transit_router 100.65.0.12",
        "add Static_MAC_Binding trtor-GR_blue_node11 100.88.0.25",
        "add Logical_Switch_Port vm11",
      ]);
    }
    const { counts, resources } = difference.zones[10]!;
    expect([counts.added, resources.map(({ kind, name, operation }) => `${kind} ${name} ${operation}`)]).toEqual([
      58,
      [
        "GatewayRouter blue-gateway-node11 create",
        "Layer2Gateway blue-topology-node11 create",
        "Layer2Switch blue-switch-node11 create",
        "WorkloadPorts blue-workloads-node11 create",
      ],
    ]);
  });

  it("adds the same rows in a network whose preview has counts", async () => {
    const preview = await networkPreview(network(30), network(31));
    const gateway = preview.steps.find(({ urn }) => urn.endsWith("blue-topology-node1"))!;
    expect(Object.values((gateway.newState as { inputs: { rows: object } }).inputs.rows)[0]).toMatch(/^\d+ rows, digest /);
    const difference = read(preview);
    expect(difference.counts).toEqual({ ...NO_COUNTS, zones: 31, hosts: 0, clusters: 0, added: 30 * 4 + 58 + 20 * 4 });
    expect(difference.zones[0]!.counts).toEqual({ ...NO_COUNTS, added: 4 });
  });
});

it("shows the changed columns of a changed row", async () => {
  const [before, after] = [await switchOf(), await switchOf({ subnets: ["203.204.0.0/16"], externalIds: { team: "a b" } })];
  expect(ofSteps(...stepOf("Layer2Switch", "sw", before, after)).zones).toEqual([
    {
      zone: "node1",
      counts: { ...NO_COUNTS, changed: 1 },
      resources: [
        {
          kind: "Layer2Switch",
          name: "sw",
          operation: "update",
          counts: { ...NO_COUNTS, changed: 1 },
          rows: [
            {
              operation: "change",
              table: "Logical_Switch",
              row: "l2",
              columns: [
                { column: "other_config:subnet", before: "203.203.0.0/16", after: "203.204.0.0/16" },
                { column: "external_ids:team", before: null, after: '"a b"' },
              ],
            },
          ],
        },
      ],
    },
  ]);
});

it("shows the former name of a renamed row", async () => {
  const [resource] = ofSteps(...stepOf("Layer2Switch", "sw", await switchOf(), await switchOf({ name: "l3" }))).zones[0]!.resources;
  expect(resource!.rows).toEqual([
    {
      operation: "change",
      table: "Logical_Switch",
      row: "l3",
      renamedFrom: "l2",
      columns: [{ column: "other_config:interconn-ts", before: "l2", after: "l3" }],
    },
  ]);
});

describe("a resource that is renamed without an alias", () => {
  const deleted = async () => stepOf("Layer2Switch", "sw", await switchOf(), undefined);
  const created = async (name: string, change: object) =>
    stepOf("Layer2Switch", name, undefined, await inputsOf("Layer2Switch", name, { ...SWITCH, ...change }));

  it("recreates the rows of the deleted one, with a warning that names the alias", async () => {
    const difference = ofSteps(
      ...(await deleted()),
      ...(await created("other", { name: "l3", tunnelKey: 6 })),
      ...(await created("switch", { subnets: ["203.204.0.0/16"] })),
    );
    const message = 'recreates all rows of "sw", which is deleted; if it was renamed, set its option aliases: [{ name: "sw" }]';
    expect(difference.diagnostics).toEqual([{ severity: "warning", resource: "switch", message }]);
  });

  it("has no warning in another zone", async () => {
    expect(ofSteps(...(await deleted()), ...(await created("switch", { zone: "node2" }))).diagnostics).toEqual([]);
  });
});

it("shows that a row has another parent", async () => {
  const ports = (parent: string) =>
    inputsOf("WorkloadPorts", "ports", { zone: "node1", switch: parent, ports: { vm1: { addresses: ["203.203.0.17"], tunnelKey: 27 } } });
  const [resource] = ofSteps(...stepOf("WorkloadPorts", "ports", await ports("a"), await ports("b"))).zones[0]!.resources;
  expect(resource!.rows).toEqual([
    {
      operation: "change",
      table: "Logical_Switch_Port",
      row: "vm1",
      columns: [{ column: "(listed in)", before: "Logical_Switch a ports", after: "Logical_Switch b ports" }],
    },
  ]);
  const [made] = ofSteps(...stepOf("WorkloadPorts", "ports", undefined, await ports("a"))).zones[0]!.resources;
  expect(made!.rows[0]!.columns.map(({ column }) => column)).not.toContain("(listed in)");
});

describe("replacements and deletions", () => {
  it("move a resource from one zone to the other", async () => {
    const difference = ofSteps(...stepOf("Layer2Switch", "sw", await switchOf(), await switchOf({ zone: "node2" })));
    expect(
      difference.zones.map(({ zone, resources: [resource] }) => [zone, resource!.operation, resource!.otherZone, resource!.replaceReasons, resource!.counts]),
    ).toEqual([
      ["node1", "move-out", "node2", ["zone"], { ...NO_COUNTS, removed: 1 }],
      ["node2", "move-in", "node1", ["zone"], { ...NO_COUNTS, added: 1 }],
    ]);
  });

  it("count rows that are recreated", async () => {
    const state = { type: "pulumi-nodejs:dynamic/ovn:Layer2Switch", inputs: await switchOf() };
    const [step] = stepOf("Layer2Switch", "sw", undefined, await switchOf());
    const changed = { ...state, inputs: await switchOf({ subnets: ["203.204.0.0/16"] }) };
    const difference = ofSteps({ ...step!, op: "replace", oldState: state, newState: changed, replaceReasons: ["__provider"] });
    expect(difference.zones[0]!.counts).toEqual({ ...NO_COUNTS, recreated: 1 });
    expect(difference.zones[0]!.resources[0]).toMatchObject({
      operation: "replace",
      replaceReasons: ["__provider"],
      rows: [{ columns: [{ column: "other_config:subnet" }] }],
    });
  });

  it("are one change, in any number and order of steps", async () => {
    const [replace] = stepOf("Layer2Switch", "sw", await switchOf(), await switchOf({ zone: "node2" }));
    const { oldState, newState, ...rest } = replace!;
    const steps = [{ ...rest, op: "create-replacement", oldState, newState }, replace!, { ...rest, op: "delete-replaced", oldState, newState: null }];
    const expected = ofSteps(replace!);
    for (const order of [steps, steps.toReversed(), [steps[2]!, steps[0]!]]) expect(ofSteps(...order)).toEqual(expected);
  });

  it("show the deletion that an interrupted replacement has left", async () => {
    const [gone] = stepOf("Layer2Switch", "sw", await switchOf(), undefined);
    const [update] = stepOf("Layer2Switch", "sw", await switchOf({ zone: "node2" }), await switchOf({ zone: "node2", tunnelKey: 6 }));
    const difference = ofSteps({ ...gone!, oldState: { ...gone!.oldState, delete: true, outputs: { revision: "r" } } }, update!);
    expect(difference.zones.map(({ zone, counts, resources: [resource] }) => [zone, counts.removed, counts.changed, resource!.operation])).toEqual([
      ["node1", 1, 0, "delete"],
      ["node2", 0, 1, "update"],
    ]);
  });

  describe("of a resource that an interrupted replacement has left", () => {
    const set = (...names: string[]) =>
      inputsOf("NorthboundRows", "rows", { zone: "node1", entries: Object.fromEntries(names.map((name) => [name, entry(name)])) });
    const entry = (name: string) => ({ table: "Logical_Switch", columns: { name } });
    /** The deletion of the leftover, together with the step of its replacement. The step is "same" if the replacement does not change. */
    const withLeftover = async (leftover: string[], before: string[], after: string[] | undefined, state: object = {}) => {
      const [gone] = stepOf("NorthboundRows", "rows", await set(...leftover), undefined);
      const own = stepOf("NorthboundRows", "rows", await set(...before), after && (await set(...after)));
      const same = { ...gone!, op: "same", newState: { ...gone!.oldState, inputs: await set(...before) } };
      const oldState = { ...gone!.oldState, delete: true, outputs: { revision: "r" }, ...state };
      return ofSteps({ ...gone!, oldState }, ...(own.length > 0 ? own : [{ ...same, oldState: same.newState }]));
    };
    it("are shown as the engine reports them, separately from a replacement in this update", async () => {
      const [gone] = stepOf("NorthboundRows", "rows", await set("a", "x"), undefined);
      const old = { ...gone!.oldState, outputs: { revision: "now" } };
      const wanted = { ...gone!.oldState, inputs: await set("a") };
      const leftover = { ...gone!, op: "delete-replaced", oldState: { ...old, delete: true, outputs: { revision: "r" } } };
      expect(removed(ofSteps(leftover, { ...gone!, op: "same", oldState: wanted, newState: wanted }))).toEqual([["delete", 1, ["x"]]]);
      const steps = [
        { ...gone!, op: "create-replacement", oldState: { ...old, delete: true }, newState: wanted },
        { ...gone!, op: "replace", oldState: { ...old, delete: true }, newState: wanted },
        { ...gone!, op: "delete-replaced", oldState: { ...old, delete: true } },
      ];
      for (const some of [steps, [steps[0]!, steps[2]!], [steps[1]!, steps[2]!]]) expect(removed(ofSteps(...some))).toEqual([["replace", 1, ["x"]]]);
      expect(removed(ofSteps(leftover, ...steps))).toEqual([
        ["forget", 0, []],
        ["replace", 1, ["x"]],
      ]);
    });

    const removed = ({ zones }: Difference) =>
      zones.flatMap(({ resources }) =>
        resources.map(({ operation, counts, rows }) => [operation, counts.removed, rows.filter((row) => row.operation === "remove").map(({ row }) => row)]),
      );

    it("keep the replacement's rows, and count removed rows once", async () => {
      expect(removed(await withLeftover(["a", "b"], ["b", "c"], ["b", "c"]))).toEqual([["delete", 1, ["a"]]]);
      expect(removed(await withLeftover(["a", "b", "c"], ["b", "c"], ["c", "d"]))).toEqual([
        ["delete", 1, ["a"]],
        ["update", 1, ["b"]],
      ]);
      expect(removed(await withLeftover(["a", "b", "x"], ["b"], ["a", "b"]))).toEqual([
        ["delete", 1, ["x"]],
        ["update", 0, []],
      ]);
      expect(removed(await withLeftover(["a", "b"], ["b", "c"], undefined))).toEqual([
        ["delete", 1, ["a"]],
        ["delete", 2, ["b", "c"]],
      ]);
    });

    it("are only forgotten if all rows stay", async () => {
      const difference = await withLeftover(["a"], ["a"], ["a", "b"]);
      expect(removed(difference)).toEqual([
        ["forget", 0, []],
        ["update", 0, []],
      ]);
      expect(compose(textFormat(false)(difference), 0)).toContain("NorthboundRows rows forgotten by the stack; its rows stay\n");
    });

    it("are reported as hidden if the replacement's rows are hidden", async () => {
      const [gone] = stepOf("NorthboundRows", "rows", await set("a"), undefined);
      const [update] = stepOf("NorthboundRows", "rows", await set("a"), { ...(await set("b")), rows: UNKNOWN, digest: UNKNOWN });
      const [leftover] = ofSteps({ ...gone!, oldState: { ...gone!.oldState, delete: true, outputs: { revision: "r" } } }, update!).zones[0]!.resources;
      expect(leftover).toMatchObject({ operation: "delete", untold: "unknown", counts: { ...NO_COUNTS, uncounted: 1 } });
    });

    it("remove all rows without a revision, or if the stack forgets the replacement", async () => {
      expect(removed(await withLeftover(["a"], ["a"], ["a"], { outputs: {} }))).toEqual([["delete", 1, ["a"]]]);
      const [gone] = stepOf("NorthboundRows", "rows", await set("a"), undefined);
      const leftover = { ...gone!, oldState: { ...gone!.oldState, delete: true, outputs: { revision: "r" } } };
      const retained = { ...gone!, oldState: { ...gone!.oldState, retainOnDelete: true } };
      expect(removed(ofSteps(leftover, retained))).toEqual([
        ["delete", 1, ["a"]],
        ["forget", 0, []],
      ]);
    });
  });

  it("leave rows unchanged if the stack only forgets them", async () => {
    const [gone] = stepOf("Layer2Switch", "sw", await switchOf(), undefined);
    const forgotten = { zone: "node1", counts: NO_COUNTS, resources: [{ kind: "Layer2Switch", name: "sw", operation: "forget", counts: NO_COUNTS, rows: [] }] };
    expect(ofSteps({ ...gone!, oldState: { ...gone!.oldState, retainOnDelete: true } }).zones).toEqual([forgotten]);
    expect(ofSteps({ ...gone!, op: "remove-pending-replace" }).zones).toEqual([forgotten]);
    const [moved] = stepOf("Layer2Switch", "sw", await switchOf(), await switchOf({ zone: "node2" }));
    expect(ofSteps({ ...moved!, oldState: { ...moved!.oldState, retainOnDelete: true } }).counts).toEqual({
      ...NO_COUNTS,
      zones: 2,
      hosts: 0,
      clusters: 0,
      added: 1,
    });
  });
});

describe("unknown and secret values", () => {
  it("are reported for rows that depend on unknown resources", async () => {
    const after = { ...(await switchOf()), rows: UNKNOWN, digest: UNKNOWN };
    const { zones, counts } = ofSteps(...stepOf("Layer2Switch", "sw", await switchOf(), after));
    expect([counts.uncounted, zones[0]!.resources[0]!.untold, zones[0]!.resources[0]!.rows]).toEqual([1, "unknown", []]);
  });

  it("may be the zone; a formerly known one is shown", async () => {
    const after = { ...(await switchOf()), zone: UNKNOWN, rows: UNKNOWN, digest: UNKNOWN };
    expect(ofSteps(...stepOf("Layer2Switch", "sw", undefined, after)).zones.map(({ zone }) => zone)).toEqual(["(not known yet)"]);
    const [step] = stepOf("Layer2Switch", "sw", await switchOf(), after);
    expect(ofSteps({ ...step!, op: "update" }).zones.map(({ zone }) => zone)).toEqual(["node1"]);
  });

  it("hide the rows of a change, and no others", async () => {
    const secret = async (change: object = {}) => ({
      ...(await switchOf({ tunnelKey: 5, externalIds: { token: "hunter2" }, redact: [["externalIds", "token"]], ...change })),
      externalIds: { token: "[secret]" },
    });
    const resourceOf = async (change: object) => ofSteps(...stepOf("Layer2Switch", "sw", await secret(), await secret(change))).zones[0]!.resources[0];
    // Other changes are shown.
    const columns = [{ column: "other_config:requested-tnl-key", before: "5", after: "6" }];
    const row = { operation: "change", table: "Logical_Switch", row: "l2", columns };
    expect(await resourceOf({ tunnelKey: 6 })).toEqual({
      kind: "Layer2Switch",
      name: "sw",
      operation: "update",
      counts: { ...NO_COUNTS, changed: 1 },
      rows: [row],
    });
    // Nothing that may be shown changes, or nothing may be shown.
    const untold = { kind: "Layer2Switch", name: "sw", operation: "update", counts: { ...NO_COUNTS, uncounted: 1 }, rows: [], untold: "secret" };
    expect(await resourceOf({ externalIds: { token: "hunter3" } })).toEqual(untold);
    expect(await resourceOf({ tunnelKey: 6, redact: ["tunnelKey"] })).toEqual(untold);
    // A secret that is one no more: the lines of before are hidden still.
    const [step] = stepOf("Layer2Switch", "sw", await secret({ redact: ["tunnelKey"] }), await switchOf());
    expect(ofSteps(step!).zones[0]!.resources[0]).toMatchObject({ rows: [], untold: "secret" });
  });
});

describe("lines instead of arguments", () => {
  it("show drift, which arguments do not contain", async () => {
    const inputs = await switchOf({ externalIds: { "a b": "c" } });
    const rows = inputs.rows as Record<string, string>;
    const live = Object.fromEntries(Object.entries(rows).map(([label, text]) => [label, text.replace("203.203.0.0/16", "9.9.9.0/24")]));
    const [step] = stepOf("Layer2Switch", "sw", { ...inputs, digest: "drift-x", rows: live }, inputs);
    expect(ofSteps(step!).zones[0]!.resources[0]!.rows).toEqual([
      { operation: "change", table: "Logical_Switch", row: "l2", columns: [{ column: "other_config:subnet", before: "9.9.9.0/24", after: "203.203.0.0/16" }] },
    ]);
  });

  it("are shown for a kind or arguments that this release does not know", () => {
    const later = (kind: string, digest: string, text: string) => ({
      type: `pulumi-nodejs:dynamic/ovn:${kind}`,
      inputs: { zone: "z", digest, name: 7, rows: { "Table a": text, "Table b": "x=[]" } },
    });
    for (const kind of ["LaterKind", "Layer2Switch"]) {
      const difference = ofSteps({
        op: "update",
        urn: `urn:pulumi:dev::trial::pulumi-nodejs:dynamic/ovn:${kind}::a::b`,
        oldState: later(kind, "1", "x=1"),
        newState: later(kind, "2", "x=2 y=[]"),
      });
      expect(difference.zones[0]!.resources[0]).toMatchObject({
        kind,
        name: "a::b",
        rows: [{ operation: "change", table: "Table", row: "a", columns: [{ column: "x", before: "1", after: "2" }] }],
      });
    }
  });

  it("are replaced by counts if they are missing; rows of a table that is counted on one side are not new", async () => {
    const ports = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`vm${index}`, { addresses: [`203.203.1.${index}`], tunnelKey: 100 + index }]));
    const of = async (count: number) => ({
      ...(await inputsOf("WorkloadPorts", "ports", { zone: "node1", switch: "l2", ports: ports(count) })),
      digest: `drift-${count}`,
    });
    const [few, many, more] = [await of(3), await of(MOST_LINES + 1), await of(MOST_LINES + 6)];
    const tables = (before: object, after: object) => {
      const { tables: found, rows, counts } = ofSteps(...stepOf("WorkloadPorts", "ports", before as never, after as never)).zones[0]!.resources[0]!;
      return { found, rows: rows.length, counts };
    };
    expect(tables(many, more)).toEqual({ found: [{ table: "Logical_Switch_Port", before: 65, after: 70 }], rows: 0, counts: { ...NO_COUNTS, uncounted: 1 } });
    expect(tables(few, many)).toEqual({ found: [{ table: "Logical_Switch_Port", before: 3, after: 65 }], rows: 0, counts: { ...NO_COUNTS, uncounted: 1 } });
    const drift = { "Logical_Switch_Port vm10": "type=remote instead of type=", "Logical_Switch_Port vm9": "missing", refused: 1 };
    const [found] = stepOf("WorkloadPorts", "ports", many as never, more as never);
    const drifted = ofSteps({ ...found!, oldState: { ...found!.oldState, outputs: { drift } } });
    expect(drifted.zones[0]!.resources[0]!.drift).toEqual([
      { row: "Logical_Switch_Port vm9", found: "missing" },
      { row: "Logical_Switch_Port vm10", found: "type=remote instead of type=" },
    ]);
    expect(compose(textFormat(false)(drifted), 0)).toContain(
      "\n      drift of Logical_Switch_Port vm9: missing\n      drift of Logical_Switch_Port vm10: type=remote instead of type=\n",
    );
    // Rows of their own say it.
    const [driftStep] = stepOf("WorkloadPorts", "ports", few as never, { ...few, digest: "drift-other" } as never);
    expect(ofSteps({ ...driftStep!, oldState: { ...driftStep!.oldState, outputs: { drift } } }).zones[0]!.resources[0]).not.toHaveProperty("drift");
    // Cut with the rows.
    const cut = JSON.parse(
      compose(
        jsonFormat({
          ...drifted,
          zones: drifted.zones.map((zone) => ({
            ...zone,
            resources: zone.resources.map((each) => ({ ...each, drift: [{ row: "x", found: "y".repeat(5000) }] })),
          })),
        }),
        2000,
      ),
    ) as typeof drifted;
    expect(cut.zones[0]!.resources[0]).toEqual(expect.not.objectContaining({ drift: expect.anything() }));
    expect(tables(many, { ...many, digest: "drift-other" })).toEqual({ found: undefined, rows: 0, counts: NO_COUNTS });
  });
});

it("shows changes in rows of others", async () => {
  const of = (bridge: string) => inputsOf("NodeLocalBridge", "bridge", { zone: "node1", bridge });
  const { rows } = ofSteps(...stepOf("NodeLocalBridge", "bridge", await of("br-a"), await of("br-b"))).zones[0]!.resources[0]!;
  expect(rows.filter(({ table }) => table === "Open_vSwitch")).toEqual([
    { operation: "change", table: "Open_vSwitch", row: ". external_ids:ovn-bridge-mappings:locnet", columns: [{ column: "", before: "br-a", after: "br-b" }] },
  ]);
});

it("shows which rows are adopted, added, changed and shared", async () => {
  const entries = Object.fromEntries(["a", "b", "c", "d"].map((name) => [name, { table: "Logical_Switch", columns: { name } }]));
  const adopting = {
    ...(await inputsOf("NorthboundRows", "rows", { zone: "node1", entries })),
    adoption: {
      adopted: { "Logical_Switch a": "as it is" },
      added: { "Logical_Switch b": "made" },
      changed: { "Logical_Switch c": { before: 'other_config:mcast_snoop="x y"', after: "other_config:vlan-passthru=true" } },
      shared: { "Logical_Switch d": "with its owners" },
    },
  };
  const difference = ofSteps(...stepOf("NorthboundRows", "rows", undefined, adopting));
  const [resource] = difference.zones[0]!.resources;
  expect(resource!.counts).toEqual({ ...NO_COUNTS, added: 1, adopted: 2, changed: 1 });
  expect(resource!.rows.filter(({ operation }) => operation !== "add")).toEqual([
    { operation: "adopt", adoption: "adopted", table: "Logical_Switch", row: "a", columns: [] },
    {
      operation: "change",
      adoption: "adopted",
      table: "Logical_Switch",
      row: "c",
      columns: [
        { column: "other_config:mcast_snoop", before: '"x y"', after: null },
        { column: "other_config:vlan-passthru", before: null, after: "true" },
      ],
    },
    { operation: "adopt", adoption: "shared", table: "Logical_Switch", row: "d", columns: [] },
  ]);
  expect(compose(textFormat(false)(difference), 0)).toBe(`trial/dev: 1 zone, 4 rows: 1 added, 2 adopted, 1 changed

zone node1: 4 rows: 1 added, 2 adopted, 1 changed
  NorthboundRows rows (new)
    = Logical_Switch a (adopted)
    + Logical_Switch b
    ~ Logical_Switch c (adopted)
      - other_config:mcast_snoop="x y"
      + other_config:vlan-passthru=true
    = Logical_Switch d (shared with its owners)
`);
  expect(countLines([resource!], "zone")).toEqual(["NorthboundRows rows (new): Logical_Switch 1 added, 2 adopted, 1 changed"]);
});

it("shows which rows a replaced resource adopts in addition to its own", async () => {
  const of = (...names: string[]) => {
    const entries = Object.fromEntries(names.map((name) => [name, { table: "Logical_Switch", columns: { name } }]));
    return inputsOf("NorthboundRows", "rows", { zone: "node1", entries });
  };
  const adoption = { adopted: { "Logical_Switch a": "as it is", "Logical_Switch b": "as it is" }, added: { "Logical_Switch c": "made" } };
  const [update] = stepOf("NorthboundRows", "rows", await of("a"), { ...(await of("a", "b", "c")), adoption });
  const { counts, rows } = ofSteps({ ...update!, op: "replace" }).zones[0]!.resources[0]!;
  expect(counts).toEqual({ ...NO_COUNTS, added: 1, adopted: 1, recreated: 1 });
  expect(rows.map(({ operation, row }) => `${operation} ${row}`)).toEqual(["adopt b", "add c"]);
  // A resource that stays: what a state keeps of its own create is past.
  expect(ofSteps(update!).counts).toMatchObject({ added: 2, adopted: 0, recreated: 0 });
});

it("shows what an earlier run left in an adopted row", async () => {
  const change = { before: 'mac="0a:00:00:00:00:01" options:mtu', after: 'mac="0a:00:00:00:00:02"' };
  const adopting = { ...(await switchOf()), adoption: { changed: { "Logical_Switch l2": change } } };
  const difference = ofSteps(...stepOf("Layer2Switch", "sw", undefined, adopting));
  expect(difference.zones[0]!.resources[0]!.rows[0]!.columns).toEqual([
    { column: "mac", before: '"0a:00:00:00:00:01"', after: '"0a:00:00:00:00:02"' },
    { column: "options:mtu", before: "", after: null },
  ]);
  expect(compose(textFormat(false)(difference), 0).split("\n").slice(4)).toEqual([
    "    ~ Logical_Switch l2 (adopted)",
    '      - mac="0a:00:00:00:00:01"',
    '      + mac="0a:00:00:00:00:02"',
    "      - options:mtu",
    "",
  ]);
});

it("does not show which rows are adopted if the arguments contain a secret", async () => {
  const adopting = { ...(await switchOf()), adoption: { hidden: "the arguments hold a secret" } };
  const [resource] = ofSteps(...stepOf("Layer2Switch", "sw", undefined, adopting)).zones[0]!.resources;
  expect(resource).toMatchObject({ counts: { ...NO_COUNTS, uncounted: 1 }, rows: [], untold: "secret" });
});

it("shows changes after a hidden adoption", async () => {
  const before = { ...(await switchOf()), adoption: { hidden: "the arguments hold a secret" } };
  const resourceOf = (after?: Record<string, unknown>) =>
    ofSteps(...stepOf("Layer2Switch", "sw", before, after)).zones.map(({ resources: [resource] }) => resource);
  const [deleted] = resourceOf();
  expect(deleted).toMatchObject({ operation: "delete", counts: { ...NO_COUNTS, removed: 1 }, rows: [{ operation: "remove", row: "l2" }] });
  expect(deleted).not.toHaveProperty("untold");
  const [updated] = resourceOf(await switchOf({ subnets: ["203.204.0.0/16"] }));
  expect(updated).not.toHaveProperty("untold");
  expect(updated).toMatchObject({
    operation: "update",
    counts: { ...NO_COUNTS, changed: 1 },
    rows: [{ operation: "change", columns: [{ column: "other_config:subnet", before: "203.203.0.0/16", after: "203.204.0.0/16" }] }],
  });
  const [again] = ofSteps({ ...stepOf("Layer2Switch", "sw", before, { ...before, digest: "other" })[0]!, op: "replace" }).zones[0]!.resources;
  expect(again).toMatchObject({ operation: "replace", counts: { ...NO_COUNTS, recreated: 1 } });
  const hidden = { ...(await switchOf({ zone: "node2" })), adoption: { hidden: "the arguments hold a secret" } };
  const [out, moved] = resourceOf(hidden);
  expect(out).toMatchObject({ operation: "move-out", counts: { ...NO_COUNTS, removed: 1 } });
  expect(moved).toMatchObject({ operation: "move-in", counts: { ...NO_COUNTS, uncounted: 1 }, rows: [], untold: "secret" });
});

it("counts existing rows in a resource's new zone as adopted, not as added", async () => {
  const adoption = (switches: string) => ({ adoption: { [switches]: { "Logical_Switch l2": "said" } } });
  const [before, after] = [
    { ...(await switchOf()), ...adoption("added") },
    { ...(await switchOf({ zone: "node2" })), ...adoption("adopted") },
  ];
  const difference = ofSteps(...stepOf("Layer2Switch", "sw", before, after));
  expect(difference.counts).toMatchObject({ added: 0, adopted: 1, removed: 1 });
  expect(difference.zones.map(({ zone, resources: [resource] }) => [zone, resource!.operation, resource!.rows.map(({ operation }) => operation)])).toEqual([
    ["node1", "move-out", ["remove"]],
    ["node2", "move-in", ["adopt"]],
  ]);
});

it("counts adopted rows as the stack's own once they are in the state", async () => {
  const adopting = { ...(await switchOf()), adoption: { adopted: { "Logical_Switch l2": "as it is" } } };
  const [resource] = ofSteps(...stepOf("Layer2Switch", "sw", adopting, undefined)).zones[0]!.resources;
  expect(resource!.counts).toEqual({ ...NO_COUNTS, removed: 1 });
});

it("lists each other resource in one line, with the properties that change", () => {
  const other = (op: string, type: string, name: string, before: object | null, after: object | null, more: object = {}): FakeStep => ({
    op,
    urn: `urn:pulumi:dev::trial::my:component:Thing$${type}::${name}`,
    oldState: before && { type, inputs: before },
    newState: after && { type, inputs: after },
    ...more,
  });
  const difference = ofSteps(
    other("update", "kubernetes:core/v1:ConfigMap", "map", { data: { a: 1 }, same: [1], __provider: "x" }, { data: { a: 2 }, same: [1], __provider: "y" }),
    other("replace", "kubernetes:core/v1:Pod", "pod", { image: 1, x: 1 }, { image: 2, x: 2 }, { replaceReasons: ["image"], diffReasons: ["image", "x"] }),
    other("create", "pulumi-nodejs:dynamic/ovn:Propagation", "wait", null, { zone: "node1" }),
    other("read", "kubernetes:core/v1:Node", "node", null, {}),
    other("refresh", "kubernetes:core/v1:Node", "node2", {}, { x: 1 }),
    other("same", "kubernetes:core/v1:Node", "node3", {}, {}),
    { ...root, op: "create" },
  );
  expect(difference.others).toEqual([
    { operation: "create", type: "Propagation", name: "wait", ovn: true, properties: [] },
    { operation: "update", type: "kubernetes:core/v1:ConfigMap", name: "map", ovn: false, properties: ["data"] },
    { operation: "replace", type: "kubernetes:core/v1:Pod", name: "pod", ovn: false, properties: ["image"] },
  ]);
});

it("shows each of the preview's warnings and errors once, errors first, without colours and stack traces", () => {
  const stack =
    "\u001b[31mError: boom\u001b[39m\n    at Object.<anonymous> (/home/me/index.js:12:7)\n    at node:internal/modules/cjs/loader:1929:14\n  at last\n";
  const diagnostics = [
    { severity: "warning", message: "warning: careful\n", urn: "urn:pulumi:dev::trial::t::a" },
    { severity: "info", message: "info: loading" },
    { severity: "warning", message: "warning: careful", urn: "urn:pulumi:dev::trial::t::a" },
    { severity: "error", message: `error: ${stack}` },
    { severity: "error", message: "error: \n" },
  ];
  const { diagnostics: found, failed } = read({ diagnostics });
  expect(failed).toBe(true);
  expect(found).toEqual([
    { severity: "error", message: "Error: boom\n  at last" },
    { severity: "warning", message: "careful", resource: "a" },
  ]);
  expect(read({ diagnostics: diagnostics.slice(0, 3) }).failed).toBe(false);
});

it("shows the provider's warnings, which are lines of its standard error", () => {
  const message = "warning: [runtime] sw: b [OVN_WARN_MTU]\n\nwarning: [runtime] sw: a [OVN_WARN_MTU]\nsomething else\n";
  expect(
    read({
      diagnostics: [
        { severity: "info#err", message, urn: "u" },
        { severity: "info", message: "warning: no" },
      ],
    }),
  ).toMatchObject({
    failed: false,
    diagnostics: [
      { severity: "warning", message: "sw: a [OVN_WARN_MTU]" },
      { severity: "warning", message: "sw: b [OVN_WARN_MTU]" },
    ],
  });
});
