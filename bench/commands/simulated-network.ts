import { expandLayer2Network, networkResources, typeToken } from "@pulumi-ovn/provider";
import { Connections } from "@pulumi-ovn/provider/targets";
import { handlers, isError } from "@pulumi-ovn/provider/tools";
import { largeNetwork } from "./large-network";

/** Output of `pulumi preview --json --show-sames`: an ACL in each zone of a network changes, so that a workload loses its ssh access. */
export async function previewOfChangedAcl(zones: number, workloads: number): Promise<string> {
  const network = largeNetwork(zones, workloads);
  const names = Object.keys(network.nodes);
  const targets = new Connections(Object.fromEntries(names.map((name) => [name, { northbound: `unix:${name}-nb`, southbound: `unix:${name}-sb` }])));
  const states = async (priority: number) => {
    const rules = names.map((zone) => ({ kind: "NorthboundRows", name: `rules-${zone}`, args: { zone, entries: aclsOf(priority) } }));
    return await Promise.all([...networkResources(network.name, expandLayer2Network(network)), ...rules].map((each) => stateOf(each, targets)));
  };
  const [before, after] = [await states(1000), await states(1002)];
  const steps = after.map((newState, index) => {
    const oldState = before[index]!;
    const same = JSON.stringify(oldState.inputs) === JSON.stringify(newState.inputs);
    return { op: same ? "same" : "update", urn: newState.urn, oldState, newState };
  });
  return JSON.stringify({ steps });
}

function aclsOf(priority: number): object {
  const acl = (own: number, match: string, action: string) => ({
    table: "ACL",
    columns: { direction: "to-lport", priority: own, match, action },
    parent: { table: "Logical_Switch", row: "blue_ovn_layer2_switch", column: "acls" },
  });
  const ssh = 'outport == "vm2" && tcp.dst == 22';
  return { admin: acl(1001, `ip4.src == 10.1.1.0 && ${ssh}`, "allow-related"), drop: acl(priority, ssh, "drop") };
}

interface Declared {
  readonly kind: string;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

async function stateOf({ kind, name, args }: Declared, targets: Connections) {
  const type = typeToken(kind);
  const urn = `urn:pulumi:dev::net::${type}::${name}`;
  const { inputs, diagnostics } = await handlers[kind]!.check({ urn, secrets: [], targets, olds: {}, news: args });
  const wrong = diagnostics.find(isError);
  if (wrong !== undefined) throw new Error(`${urn}: ${wrong.message}`);
  return { urn, type, inputs };
}
