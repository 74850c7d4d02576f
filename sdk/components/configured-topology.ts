import { ArgumentError, notObject, STAGES, type Topology, TOPOLOGIES, type UpgradeStage } from "@pulumi-ovn/provider";
import * as pulumi from "@pulumi/pulumi";
import { isLater } from "../plain";

/** The entry of a network in the stack configuration `ovn:topology`. */
interface ConfiguredTopology {
  /** Topology, keyed by node. Other nodes keep the program's topology. */
  readonly nodes?: Readonly<Record<string, Topology>>;
  /** Stage of the network's upgrade. It overrides the program's stage: if an entry has no stage, the network has none. */
  readonly upgrade?: UpgradeStage;
}

/**
 * The arguments of a network with the settings of the stack's configuration. `ovn:topology` contains the topology of the nodes and
 * the stage of an upgrade, keyed by the name of the `Layer2Network`. Each stage is a change of a file in Git, by hand or by
 * `pulumi-ovn upgrade`. The program stays unchanged.
 */
export function withConfiguredTopology<Args extends { readonly nodes: Readonly<Record<string, object>>; readonly upgrade?: unknown }>(
  name: string,
  args: Args,
): Args {
  const networks = new pulumi.Config("ovn").getObject<Readonly<Record<string, unknown>>>("topology");
  const entry = networks && Object.hasOwn(networks, name) ? networks[name] : undefined;
  // Nodes that are not an object are refused with the other arguments.
  if (entry === undefined || isLater(args.nodes) || notObject(args.nodes) !== undefined) return args;
  const { nodes = {}, upgrade } = checked(name, entry, Object.keys(args.nodes));
  const { upgrade: _program, ...rest } = args;
  return {
    ...rest,
    ...(upgrade !== undefined && { upgrade }),
    nodes: Object.fromEntries(
      Object.entries(args.nodes).map(([node, given]) => [node, Object.hasOwn(nodes, node) ? { ...given, topology: nodes[node] } : given]),
    ),
  } as Args;
}

function checked(name: string, entry: unknown, known: readonly string[]): ConfiguredTopology {
  const at = `ovn:topology.${name}`;
  if (!isObject(entry)) throw ArgumentError.of(at, "type", "is an object with nodes and upgrade");
  const { nodes = {}, upgrade, ...others } = entry;
  const failures = Object.keys(others).map((key) => ({
    path: `${at}.${key}`,
    code: "unknown-argument",
    message: "there is no such setting; there are nodes and upgrade",
  }));
  if (upgrade !== undefined && !STAGES.includes(upgrade as UpgradeStage))
    failures.push({ path: `${at}.upgrade`, code: "stage", message: `${JSON.stringify(upgrade)} is not a stage: see docs/reference/upgrade-rows.md` });
  if (!isObject(nodes)) failures.push({ path: `${at}.nodes`, code: "type", message: "is an object: topologies by the names of nodes" });
  else {
    for (const [node, topology] of Object.entries(nodes)) {
      if (!known.includes(node))
        failures.push({ path: `${at}.nodes.${node}`, code: "unknown-node", message: `the network has no such node; it has ${known.join(", ")}` });
      if (!TOPOLOGIES.includes(topology as Topology))
        failures.push({
          path: `${at}.nodes.${node}`,
          code: "topology",
          message: `${JSON.stringify(topology)} is not a topology: there are gateway and transit`,
        });
    }
  }
  if (failures.length > 0) throw new ArgumentError(failures);
  return entry as ConfiguredTopology;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
