import type { Layer2GatewayNodeArgs } from "@pulumi-ovn/provider";
import { hasUnknown, sameJson } from "@pulumi-ovn/provider/tools";
import type { StackResource } from "../stack/resource";
import { argumentsOf, kindOf } from "../stack/rendering";

/** Arguments that stages change, of the kinds of a network whose resources they change. */
const OF_STAGES: Readonly<Record<string, readonly string[]>> = {
  GatewayRouter: ["snatOutsideOnly"],
  Layer2Gateway: ["upgrade", "announceTo"],
};

/** Whether something differs between two versions of a network's resource that no stage changes. */
export function differsBeyondStages(before: StackResource, after: StackResource): boolean {
  const staged = OF_STAGES[kindOf(after)];
  if (!staged) return true;
  const [old, wanted] = [argumentsOf(before) ?? {}, argumentsOf(after) ?? {}];
  const others = [...new Set([...Object.keys(old), ...Object.keys(wanted)])].filter((name) => !staged.includes(name));
  // An unknown value comes from another resource, whose own change is reported.
  return others.some(
    (name) => !hasUnknown(wanted[name]) && (name === "nodes" ? differentNodes(old.nodes as Nodes, wanted.nodes as Nodes) : !sameJson(old[name], wanted[name])),
  );
}

type Nodes = Readonly<Record<string, Layer2GatewayNodeArgs>>;

/** A stage changes topologies, and gives port keys where rows need them: those count where both versions have them. */
function differentNodes(before: Nodes, after: Nodes): boolean {
  const remaining = (nodes: Nodes, others: Nodes) =>
    Object.entries(nodes).map(([name, { topology: _topology, switchPortKey, ...node }]) => [
      name,
      { ...node, ...(others[name]?.switchPortKey !== undefined && { switchPortKey }) },
    ]);
  return !sameJson(Object.fromEntries(remaining(before, after)), Object.fromEntries(remaining(after, before)));
}
