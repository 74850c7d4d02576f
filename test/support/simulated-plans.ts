import { Baseline, programs, reportOf, textReport } from "@pulumi-ovn/cli/testing";
import type { Layer2NetworkArgs } from "@pulumi-ovn/provider";
import { type Declared, partsOf, planBetween } from "./planned";

export const SWITCH = "blue_ovn_layer2_switch";

export const external = (last: number) => ({ addresses: [`172.18.0.${last}/24`], nextHops: ["172.18.0.1"] });

/** Three workloads on two nodes. */
export const network: Layer2NetworkArgs = {
  name: "blue",
  subnets: ["203.203.0.0/16"],
  tunnelKeys: { switch: 16715779, router: 16715780 },
  nodes: { node1: { id: 2, external: external(11) }, node2: { id: 3, external: external(12) } },
  workloads: {
    vm1: { node: "node1", addresses: ["203.203.0.21"] },
    vm2: { node: "node2", addresses: ["203.203.0.22"] },
    vm3: { node: "node2", addresses: ["203.203.0.23"] },
  },
};

/** Rows as NorthboundRows takes them. */
export type Entries = Record<string, { table: string; columns: Record<string, unknown>; references?: object; parent?: object }>;

export const acl = (priority: number, match: string, action: string, direction = "to-lport"): Entries[string] => ({
  table: "ACL",
  columns: { direction, priority, match, action },
  parent: { table: "Logical_Switch", row: SWITCH, column: "acls" },
});
export const policy = (priority: number, match: string, nexthops: readonly string[]): Entries[string] => ({
  table: "Logical_Router_Policy",
  columns: { priority, match, action: "reroute", nexthops },
  parent: { table: "Logical_Router", row: "blue_transit_router", column: "policies" },
});
export const balancer = (vips: Record<string, string>): Entries[string] => ({
  table: "Load_Balancer",
  columns: { name: "web", protocol: "tcp", vips },
  parent: { table: "Logical_Switch", row: SWITCH, column: "load_balancer" },
});

/** A network with rows of all its zones, and of single ones. */
export interface Stack {
  readonly network: Layer2NetworkArgs;
  readonly rules: Entries;
  readonly own: Record<string, Entries>;
}

export function declared({ network: args, rules: common, own: single }: Stack, suffix = ""): Declared[] {
  const zones = Object.keys(args.nodes);
  return [
    ...partsOf(args),
    ...zones
      .filter(() => Object.keys(common).length > 0)
      .map((zone) => ({ kind: "NorthboundRows", name: `rules-${zone}${suffix}`, args: { zone, entries: common } })),
    ...zones.filter((zone) => single[zone]).map((zone) => ({ kind: "NorthboundRows", name: `own-${zone}${suffix}`, args: { zone, entries: single[zone] } })),
  ];
}

/** Simulates plans from one stack in the tests of a file, on the same shadows. */
export function plansFrom(base: Stack) {
  const before = declared(base);
  let baseline: Baseline;
  beforeAll(async () => {
    baseline = await Baseline.create(await planBetween(before, before), programs);
  });
  afterAll(() => baseline[Symbol.asyncDispose]());
  const reported = async (after: readonly Declared[]): Promise<ReturnType<typeof reportOf>> => {
    const plan = await planBetween(before, after);
    return reportOf(plan, await baseline.simulate(plan));
  };
  return {
    reported,
    /** Titles and lines of the effects on packets. */
    effects: async (after: Declared[]): Promise<string[]> => {
      const report = await reported(after);
      expect(report.omissions).toEqual([]);
      const [, ...lines] = textReport({ ...report, impact: [], unknowns: [] }).split("\n");
      return lines.map((line) => line.trim()).filter((line) => line !== "" && !line.startsWith("Open connections") && line !== "Not known");
    },
    withRules: (change: Entries): Declared[] => declared({ ...base, rules: { ...base.rules, ...change } }),
  };
}

export const without = <T extends object>(object: T, ...names: string[]) =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
