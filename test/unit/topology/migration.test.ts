import fc from "fast-check";
import { expandLayer2Network, kinds, type Layer2NetworkArgs, type NetworkWorkloadArgs } from "@pulumi-ovn/provider";
import { rowsOf } from "./helpers";
import { dual } from "./networks";

const withVm1 = (change: Partial<NetworkWorkloadArgs>): Layer2NetworkArgs => ({
  ...dual,
  workloads: { ...dual.workloads, vm1: { ...dual.workloads!.vm1!, ...change } },
});

/** The port of vm1 as each zone has it: type, chassis it asks for, what it waits for. */
function places(args: Layer2NetworkArgs): Record<string, string> {
  return Object.fromEntries(
    Object.entries(expandLayer2Network(args).zones).map(([zone, { workloads }]) => {
      const { type, options } = rowsOf(kinds.WorkloadPorts, workloads)["Logical_Switch_Port vm1"] as { type: string; options: Record<string, string> };
      const { "requested-chassis": chassis, "activation-strategy": activation = "" } = options;
      return [zone, `${type || "local"} ${chassis} ${activation}`.trim()];
    }),
  );
}

const AT_HOME = { node1: "local node1", node2: "remote node1", node3: "remote node1" };
const MOVED = { node1: "remote node2", node2: "local node2", node3: "remote node2" };

describe("live migration", () => {
  test("in one step is a change of the node", () => {
    expect(places(dual)).toEqual(AT_HOME);
    expect(places(withVm1({ node: "node2" }))).toEqual(MOVED);
  });

  test("in stages is known only to the target's zone; the second change equals that of one step", () => {
    expect(places(withVm1({ migration: { to: "node2" } }))).toEqual({ ...AT_HOME, node2: "local node1,node2" });
    expect(places(withVm1({ migration: { to: "node2", activation: "rarp" } }))).toEqual({ ...AT_HOME, node2: "local node1,node2 rarp" });
    expect(places(withVm1({ node: "node2" }))).toEqual(MOVED);
  });

  test("is undone by the former arguments", () => {
    expect(expandLayer2Network(withVm1({ migration: undefined } as Partial<NetworkWorkloadArgs>))).toEqual(expandLayer2Network(dual));
  });

  test("uses the chassis' names", () => {
    const nodes = { ...dual.nodes, node2: { ...dual.nodes.node2!, chassis: "c2" } };
    expect(places({ ...withVm1({ migration: { to: "node2" } }), nodes }).node2).toBe("local node1,c2");
  });

  test("within a zone of several chassis is known only to that zone, in stages or in one step", () => {
    const nodes = { ...dual.nodes, node1: { ...dual.nodes.node1!, additionalChassis: { h2: {}, h3: {} } } };
    const at = (change: Partial<NetworkWorkloadArgs>) => places({ ...withVm1(change), nodes });
    const elsewhere = (chassis: string) => ({ node2: `remote ${chassis}`, node3: `remote ${chassis}` });
    expect(at({})).toEqual(AT_HOME);
    expect(at({ chassis: "node1" })).toEqual(AT_HOME);
    expect(at({ migration: { to: "node1", chassis: "h2" } })).toEqual({ ...AT_HOME, node1: "local node1,h2" });
    expect(at({ chassis: "h2" })).toEqual({ node1: "local h2", ...elsewhere("h2") });
    expect(at({ chassis: "h2", migration: { to: "node1", chassis: "h3", activation: "rarp" } })).toEqual({ node1: "local h2,h3 rarp", ...elsewhere("h2") });
    expect(at({ chassis: "h3", migration: { to: "node1" } })).toEqual({ node1: "local h3,node1", ...elsewhere("h3") });
  });

  test("between zones of several chassis is known to the target's zone; the others use the source until the end", () => {
    const nodes = {
      ...dual.nodes,
      node1: { ...dual.nodes.node1!, additionalChassis: { h2: {} } },
      node2: { ...dual.nodes.node2!, additionalChassis: { h5: {} } },
    };
    const at = (change: Partial<NetworkWorkloadArgs>) => places({ ...withVm1(change), nodes });
    expect(at({ chassis: "h2", migration: { to: "node2", chassis: "h5" } })).toEqual({ node1: "local h2", node2: "local h2,h5", node3: "remote h2" });
    expect(at({ chassis: "h2", migration: { to: "node2" } })).toEqual({ node1: "local h2", node2: "local h2,node2", node3: "remote h2" });
    expect(at({ node: "node2", chassis: "h5" })).toEqual({ node1: "remote h5", node2: "local h5", node3: "remote h5" });
  });

  test("affects other resources of the workload, unless it stays on its node", () => {
    const nodes = { ...dual.nodes, node1: { ...dual.nodes.node1!, additionalChassis: { h2: {} } } };
    const placesOf = (change: Partial<NetworkWorkloadArgs>) => {
      const { node, chassis, migratesTo } = expandLayer2Network({ ...withVm1(change), nodes }).workloads.vm1!;
      return [node, chassis, migratesTo];
    };
    expect(placesOf({})).toEqual(["node1", undefined, undefined]);
    expect(placesOf({ migration: { to: "node3" } })).toEqual(["node1", undefined, "node3"]);
    expect(placesOf({ migration: { to: "node1", chassis: "h2" } })).toEqual(["node1", undefined, undefined]);
    expect(placesOf({ chassis: "h2" })).toEqual(["node1", "h2", undefined]);
  });

  test("changes one port in the target's zone at its start, and one port in every zone at its end", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("node1", "node2", "node3"),
        fc.constantFrom("node1", "node2", "node3"),
        fc.constantFrom(undefined, "move"),
        (from, to, upgrade) => {
          fc.pre(from !== to);
          const all = (change: Partial<NetworkWorkloadArgs>) => {
            const zones = Object.entries(expandLayer2Network({ ...withVm1(change), ...(upgrade && { upgrade }) } as Layer2NetworkArgs).zones);
            return new Map(
              zones.flatMap(([zone, plan]) =>
                Object.entries({ ...plan, ...rowsOf(kinds.WorkloadPorts, plan.workloads), workloads: "" }).map(([key, value]) => [
                  `${zone} ${key}`,
                  JSON.stringify(value),
                ]),
              ),
            );
          };
          const changed = (a: Map<string, string>, b: Map<string, string>) =>
            [...new Set([...a.keys(), ...b.keys()])].filter((key) => a.get(key) !== b.get(key));
          const [before, under, after] = [all({ node: from }), all({ node: from, migration: { to } }), all({ node: to })];
          expect(changed(before, under)).toEqual([`${to} Logical_Switch_Port vm1`]);
          expect(changed(under, after).sort()).toEqual(["node1", "node2", "node3"].map((zone) => `${zone} Logical_Switch_Port vm1`));
        },
      ),
      { numRuns: 30 },
    );
  });
});
