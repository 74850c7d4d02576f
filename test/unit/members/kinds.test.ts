import { expandLayer2Network, kinds, type Layer2NetworkArgs, planLayer2Network, type RowKind, type RowSet, STAGES, TOPOLOGIES } from "@pulumi-ovn/provider";
import { referenceTo } from "@pulumi-ovn/provider/testing";
import { completed, MemberLists, UNKNOWN } from "@pulumi-ovn/provider/tools";
import { dual } from "../topology/networks";

const all = Object.values(kinds) as unknown as RowKind<never>[];
const taking = all.filter(({ fromMembers }) => fromMembers);

it("are the kinds of a network that grow with it; each can be found without its list", () => {
  expect(taking.map(({ name, fromMembers, extent }) => [name, fromMembers!.argument, extent !== undefined])).toEqual([
    ["Layer2Gateway", "nodes", true],
    ["RemoteChassis", "chassis", true],
    ["WorkloadPorts", "ports", true],
  ]);
});

const management = { management: { acl: true }, networkId: 7, masquerade: { hostFlows: true } };
const variants: Layer2NetworkArgs[] = [undefined, ...STAGES].flatMap((upgrade) =>
  TOPOLOGIES.flatMap((topology) =>
    [{}, management, { ...management, gatewayMode: "local" as const }].map((options) => {
      const nodes = Object.fromEntries(Object.entries(dual.nodes).map(([name, node]) => [name, { ...node, topology }]));
      return { ...dual, ...options, nodes, tunnelKeys: [5, 6], ...(upgrade && { upgrade }) };
    }),
  ),
);

it("have all their tables in the extent, in every stage of an upgrade", () => {
  const found = new Map(taking.map(({ name }) => [name, new Set<string>()]));
  let plans = 0;
  for (const args of variants) {
    let zones;
    try {
      ({ zones } = expandLayer2Network(args));
    } catch {
      continue; // a stage that is of the other topology
    }
    plans++;
    for (const { gateway, workloads, remoteChassis } of Object.values(zones)) {
      const sets: [string, RowSet][] = [
        ["Layer2Gateway", kinds.Layer2Gateway.render(kinds.Layer2Gateway.schema.parse(gateway)).set],
        ["WorkloadPorts", kinds.WorkloadPorts.render(kinds.WorkloadPorts.schema.parse(workloads)).set],
        ["RemoteChassis", kinds.RemoteChassis.render(kinds.RemoteChassis.schema.parse(remoteChassis)).set],
      ];
      for (const [name, set] of sets) for (const { table } of set.rows) found.get(name)!.add(table);
    }
  }
  expect(plans).toBeGreaterThan(20);
  for (const { name, extent } of taking) expect([name, [...found.get(name)!].sort()]).toEqual([name, [...extent!.tables].sort()]);
});

describe("a zone's part of a list", () => {
  const args: Layer2NetworkArgs = {
    ...dual,
    tunnelKeys: [5, 6],
    nodes: { ...dual.nodes, node1: { ...dual.nodes.node1!, zone: "a", additionalChassis: { h9: { tunnelAddresses: ["198.18.0.9"] }, h8: {} } } },
    workloads: {
      ...dual.workloads,
      vm9: { node: "node3", addresses: ["203.203.0.19", "2010:100:200::13"] },
      vm1: { ...dual.workloads!.vm1!, chassis: "h9", portSecurity: false, migration: { to: "node2", activation: "rarp" } },
    },
  };
  const { members, zones } = planLayer2Network(args);
  const whole = expandLayer2Network(args).zones;
  const lists = new MemberLists();
  const references = Object.fromEntries(
    Object.entries(members).map(([list, entries]) => {
      const reference = referenceTo(list, "blue-members", entries as never);
      lists.remember(reference, entries);
      return [list, reference];
    }),
  );

  const rowsOf = (kind: unknown, given: object) => {
    const { fromMembers, schema, render } = kind as RowKind<never>;
    return render(schema.parse(completed(fromMembers, given as never, lists)) as never).set.rows;
  };
  /** Rows from a copy that is not in any cache. */
  const plainRows = (kind: unknown, given: object | undefined) => {
    const { schema, render } = kind as RowKind<never>;
    return render(schema.parse(structuredClone(given)) as never).set.rows;
  };

  it.each(["a", "node2", "node3"])("equals the resource's own list: %s", (zone) => {
    const { gateway, workloads, remoteChassis } = zones[zone]!;
    expect(completed(kinds.Layer2Gateway.fromMembers, { ...gateway, members: references.nodes }, lists)).toEqual(whole[zone]!.gateway);
    expect(completed(kinds.WorkloadPorts.fromMembers, { ...workloads, members: references.workloads }, lists)).toEqual(whole[zone]!.workloads);
    expect(completed(kinds.RemoteChassis.fromMembers, { ...remoteChassis, members: references.chassis }, lists)).toEqual(whole[zone]!.remoteChassis);
  });

  it("has its own workloads as ports, others as remote ports, and a migrating one on both chassis", () => {
    expect(
      ["a", "node2", "node3"].map((zone) => {
        const { vm1, vm2 } = whole[zone]!.workloads!.ports;
        return [vm1!.remote, vm1!.chassis, vm1!.activation, vm1!.portSecurity, vm2!.remote, vm2!.chassis, vm2!.portSecurity];
      }),
    ).toEqual([
      [undefined, ["h9"], undefined, false, true, ["node2"], true],
      [undefined, ["h9", "node2"], "rarp", false, undefined, ["node2"], true],
      [true, ["h9"], undefined, false, true, ["node2"], true],
    ]);
    expect(Object.keys(whole.a!.remoteChassis!.chassis)).toEqual(["node2", "node3"]);
    expect(Object.keys(whole.node2!.remoteChassis!.chassis).sort()).toEqual(["h9", "node1", "node3"]);
  });

  it("results in equal rows whether a list is read once for all zones or by each zone", () => {
    for (const zone of ["a", "node2", "node3"]) {
      const { gateway, workloads, remoteChassis } = zones[zone]!;
      const own = whole[zone]!;
      for (const _time of ["first", "again"]) {
        expect(rowsOf(kinds.Layer2Gateway, { ...gateway, members: references.nodes })).toEqual(plainRows(kinds.Layer2Gateway, own.gateway));
        expect(rowsOf(kinds.WorkloadPorts, { ...workloads, members: references.workloads })).toEqual(plainRows(kinds.WorkloadPorts, own.workloads));
        expect(rowsOf(kinds.RemoteChassis, { ...remoteChassis, members: references.chassis })).toEqual(plainRows(kinds.RemoteChassis, own.remoteChassis));
      }
    }
  });

  it("results in other rows if a resource has another value for all nodes", () => {
    const { gateway } = zones.a!;
    const otherwise = [
      { network: "red" },
      { joinSubnets: ["100.66.0.0/16", "fd99::/64"] },
      { transitSubnets: ["100.89.0.0/16", "fd98::/64"] },
      { node: "node2" },
      { upgrade: "move", announceTo: "203.203.0.250" },
    ];
    const seen = new Set<string>();
    for (const more of [{}, ...otherwise, {}]) {
      const rows = rowsOf(kinds.Layer2Gateway, { ...gateway, ...more, members: references.nodes });
      expect(rows).toEqual(plainRows(kinds.Layer2Gateway, { ...whole.a!.gateway, ...more }));
      seen.add(JSON.stringify(rows));
    }
    expect(seen.size).toBe(otherwise.length + 1);
  });

  it("results in equal rows for the zones' common part", () => {
    const shared = (kind: RowKind<never>, [one, other]: [object, object], key: string) => {
      const [mine, theirs] = [one, other].map((given) => rowsOf(kind, given).find((row) => row.key === key)!);
      expect(mine).toBeDefined();
      expect(mine).toEqual(theirs);
    };
    const both = (part: "gateway" | "workloads" | "remoteChassis", members: string): [object, object] => [
      { ...zones.a![part], switch: "s", members },
      { ...zones.node2![part], switch: "s", members },
    ];
    shared(kinds.Layer2Gateway as never, both("gateway", references.nodes!), "trtor-GR_blue_node3");
    shared(kinds.WorkloadPorts as never, both("workloads", references.workloads!), "vm9");
    const [a, node2] = [
      { ...zones.a!.remoteChassis, members: references.chassis },
      { ...zones.node2!.remoteChassis, members: references.chassis },
    ];
    shared(kinds.RemoteChassis as never, [a, node2], "node3");
  });

  it("is undefined without the list, and unknown with an unknown reference or zone", () => {
    const from = kinds.WorkloadPorts.fromMembers;
    const { workloads } = zones.a!;
    expect(completed(from, { ...workloads, members: references.workloads }, new MemberLists())).toBeUndefined();
    expect(completed(from, { ...workloads, members: references.workloads }, undefined)).toBeUndefined();
    expect(completed(from, { ...workloads, members: UNKNOWN }, lists)).toEqual({ ...workloads, ports: UNKNOWN });
    expect(completed(from, { ...workloads, zone: UNKNOWN, members: references.workloads }, lists)).toEqual({ ...workloads, zone: UNKNOWN, ports: UNKNOWN });
  });

  it("is not changed if the resource has the list itself, or takes none", () => {
    const own = { zone: "a", ports: {} };
    expect(completed(kinds.WorkloadPorts.fromMembers, own, lists)).toBe(own);
    const other = { zone: "a", members: references.nodes };
    expect(completed((kinds.GatewayRouter as unknown as RowKind<never>).fromMembers, other, lists)).toBe(other);
  });
});
