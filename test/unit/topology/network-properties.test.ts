import fc from "fast-check";
import { expandLayer2Network, kinds, type Layer2NetworkArgs, type NetworkWorkloadArgs, type RowKind, type ZoneArgs } from "@pulumi-ovn/provider";
import { dual } from "./networks";

const nodeName = (id: number) => `n${id}`;
const address = (offset: number) => `203.203.${offset >> 8}.${offset & 255}`;

/** Networks of 2 to 5 nodes and some workloads, in the order in which the numbers were drawn. */
const networks: fc.Arbitrary<Layer2NetworkArgs> = fc
  .record({
    ids: fc.uniqueArray(fc.integer({ min: 1, max: 32_757 }), { minLength: 2, maxLength: 5 }),
    offsets: fc.uniqueArray(fc.integer({ min: 3, max: 32_757 }), { minLength: 1, maxLength: 6 }),
    places: fc.infiniteStream(fc.nat()),
  })
  .map(({ ids, offsets, places }) => ({
    ...dual,
    nodes: Object.fromEntries(
      ids.map((id, index) => [
        nodeName(id),
        {
          id,
          tunnelAddresses: [`198.18.0.${index + 1}`],
          external: { addresses: [`172.18.0.${index + 10}/24`, `fc00::${index + 10}/64`], nextHops: ["172.18.0.1", "fc00::1"] },
        },
      ]),
    ),
    workloads: Object.fromEntries(
      offsets.map((offset): [string, NetworkWorkloadArgs] => {
        const node = nodeName(ids[places.next().value! % ids.length]!);
        return [`vm${offset}`, { node, addresses: [address(offset), `2010:100:200::${offset.toString(16)}`] }];
      }),
    ),
  }));

/** Every row of every zone, by zone, kind, table and key. */
function allRows(args: Layer2NetworkArgs): Map<string, string> {
  const rows = Object.entries(expandLayer2Network(args).zones).flatMap(([zone, plan]) =>
    [
      ...rowsIn("switch", kinds.Layer2Switch, plan.switch),
      ...rowsIn("gateway", kinds.GatewayRouter, plan.gatewayRouter),
      ...rowsIn("topology", kinds.Layer2Gateway, plan.gateway),
      ...(plan.workloads ? rowsIn("workloads", kinds.WorkloadPorts, plan.workloads) : []),
      ...(plan.remoteChassis ? rowsIn("chassis", kinds.RemoteChassis, plan.remoteChassis) : []),
    ].map(([key, row]): [string, string] => [`${zone}|${key}`, row]),
  );
  return new Map(rows);
}

function rowsIn<Args extends ZoneArgs>(title: string, kind: RowKind<Args>, args: unknown): [string, string][] {
  return kind.render(kind.schema.parse(args)).set.rows.map((row) => [`${title}|${row.table} ${row.key}`, JSON.stringify(row)]);
}

const reversed = <Value>(map: Readonly<Record<string, Value>>): Record<string, Value> => Object.fromEntries(Object.entries(map).reverse());
const without = <Value>(map: Readonly<Record<string, Value>>, key: string): Record<string, Value> =>
  Object.fromEntries(Object.entries(map).filter(([name]) => name !== key));

/** Rows that only one of two networks has, and rows that both have with different values. */
function differences(a: Map<string, string>, b: Map<string, string>): { only: string[]; changed: string[] } {
  const keys = [...new Set([...a.keys(), ...b.keys()])];
  return { only: keys.filter((key) => a.has(key) !== b.has(key)), changed: keys.filter((key) => a.has(key) && b.has(key) && a.get(key) !== b.get(key)) };
}

describe("a network changes only where its arguments change", () => {
  test("has no changes for another order of nodes, workloads, subnets and addresses", () => {
    fc.assert(
      fc.property(networks, (args) => {
        const turned: Layer2NetworkArgs = {
          ...args,
          subnets: args.subnets.toReversed(),
          nodes: reversed(args.nodes),
          workloads: reversed(
            Object.fromEntries(Object.entries(args.workloads!).map(([name, workload]) => [name, { ...workload, addresses: workload.addresses.toReversed() }])),
          ),
        };
        expect(allRows(turned)).toEqual(allRows(args));
      }),
      { numRuns: 20 },
    );
  });

  test("changes only rows that name an added or removed node", () => {
    fc.assert(
      fc.property(networks, fc.nat(), (args, pick) => {
        const names = Object.keys(args.nodes);
        const gone = names[pick % names.length]!;
        const workloads = Object.fromEntries(
          Object.entries(args.workloads!).map(([name, workload]) => [name, { ...workload, node: names.find((other) => other !== gone)! }]),
        );
        const before = { ...args, workloads };
        const { only, changed } = differences(allRows(before), allRows({ ...before, nodes: without(args.nodes, gone) }));
        expect(changed).toEqual([]);
        const { id } = args.nodes[gone]!;
        const joins = [`100.65.${id >> 8}.${id & 255}`, `fd99::${id.toString(16)}`];
        const strangers = only.filter(
          (key) =>
            !key.startsWith(`${gone}|`) &&
            !key.includes(`_${gone}`) &&
            !key.includes(`|chassis|Chassis ${gone}`) &&
            !key.includes(`|chassis|Encap ${gone} `) &&
            !joins.some((join) => key.endsWith(` ${join}`)),
        );
        expect(strangers).toEqual([]);
      }),
      { numRuns: 20 },
    );
  });

  test("changes one row in each zone, and no key, for an added or removed workload", () => {
    fc.assert(
      fc.property(networks, fc.nat(), (args, pick) => {
        const names = Object.keys(args.workloads!);
        const gone = names[pick % names.length]!;
        const { only, changed } = differences(allRows(args), allRows({ ...args, workloads: without(args.workloads!, gone) }));
        expect(changed).toEqual([]);
        expect(only.sort()).toEqual(
          Object.keys(args.nodes)
            .map((zone) => `${zone}|workloads|Logical_Switch_Port ${gone}`)
            .sort(),
        );
      }),
      { numRuns: 20 },
    );
  });

  test("keeps a moved workload's addresses, MAC and port key, and changes only its host", () => {
    fc.assert(
      fc.property(networks, fc.nat(), (args, pick) => {
        const [name, workload] = Object.entries(args.workloads!)[pick % Object.keys(args.workloads!).length]!;
        const target = Object.keys(args.nodes).find((other) => other !== workload.node)!;
        const moved = { ...args, workloads: { ...args.workloads, [name]: { ...workload, node: target } } };
        const { only, changed } = differences(allRows(args), allRows(moved));
        expect(only).toEqual([]);
        expect(changed.sort()).toEqual(
          Object.keys(args.nodes)
            .map((zone) => `${zone}|workloads|Logical_Switch_Port ${name}`)
            .sort(),
        );
        expect({ ...expandLayer2Network(moved).workloads[name], node: workload.node }).toEqual(expandLayer2Network(args).workloads[name]);
      }),
      { numRuns: 20 },
    );
  });

  test("changes values, not rows, for another next hop or gateway address", () => {
    const changedHop = {
      ...dual,
      nodes: { ...dual.nodes, node2: { ...dual.nodes.node2!, external: { ...dual.nodes.node2!.external, nextHops: ["172.18.0.2", "fc00:f853:ccd:e793::1"] } } },
    };
    expect(differences(allRows(dual), allRows(changedHop))).toEqual({
      only: [],
      changed: ["node2|gateway|Logical_Router_Static_Route GR_blue_node2 0.0.0.0/0"],
    });
    const changedGateway = { ...dual, gatewayAddresses: ["203.203.0.9"] };
    expect(differences(allRows(dual), allRows(changedGateway))).toEqual({
      only: [],
      changed: ["node1", "node2", "node3"].map((zone) => `${zone}|topology|Logical_Router_Port trtos-blue_ovn_layer2_switch`),
    });
  });
});
