import type { DesiredRow } from "@pulumi-ovn/provider";
import type { Network } from "../network";
import type { StackResource } from "../../stack/resource";
import { kindOf, renderedRows } from "../../stack/rendering";
import type { ZoneSnapshot } from "../snapshot";
import type { Finding } from "./finding";

/** Resources of a network that have rows on what its zones share. */
const KINDS = new Set(["Layer2Switch", "Layer2Gateway", "WorkloadPorts"]);

/** A key that a row of the network asks for; the switch or router itself has no `datapath`. */
interface Requested {
  readonly zone: string;
  readonly name: string;
  readonly datapath: string | undefined;
  readonly key: number;
}

/**
 * Keys that rows of other owners use: northd would give our row another key, and packets from other zones would be misdelivered.
 * A row that a stage removes releases its key in the same transaction, so keys of the network's own rows are free.
 */
export function keyFindings(network: Network, before: readonly StackResource[], after: readonly StackResource[], zones: readonly ZoneSnapshot[]): Finding[] {
  const own = new Set([...before, ...after].flatMap((resource) => rowsOf(network, resource)).map(({ zone, name }) => `${zone} ${name}`));
  const taken = new Map(
    zones.flatMap(({ zone, datapaths, ports }) => [
      ...datapaths.map(({ name, tunnelKey }) => [id(zone, undefined, tunnelKey), name] as const),
      ...ports.map(({ name, datapath, tunnelKey }) => [id(zone, datapath, tunnelKey), name] as const),
    ]),
  );
  return after
    .flatMap((resource) => rowsOf(network, resource))
    .flatMap(({ zone, name, datapath, key }): Finding[] => {
      const holder = taken.get(id(zone, datapath, key));
      if (holder === undefined || own.has(`${zone} ${holder}`)) return [];
      const what = datapath === undefined ? "datapath" : `port of ${datapath}`;
      return [
        {
          gate: "keys",
          where: `zone ${zone}`,
          problem: `${name} needs key ${key}, and another ${what}, ${holder}, has it`,
          remedy: "give one of the two another key: tunnelKeys, switchPortKey or a workload's tunnelKey in the stack",
        },
      ];
    });
}

function rowsOf(network: Network, resource: StackResource): Requested[] {
  if (resource.parent !== network.urn || !KINDS.has(kindOf(resource))) return [];
  const zone = String(resource.inputs.zone);
  return (renderedRows(resource)?.rows ?? []).flatMap((row): Requested[] => {
    const { name, options, other_config } = row.columns;
    const key = Number(requestedKey(options) ?? requestedKey(other_config));
    const datapath = datapathOf(row, network);
    return typeof name === "string" && Number.isInteger(key) && datapath !== null ? [{ zone, name, datapath, key }] : [];
  });
}

/** null: of a router that is not the network's transit router. */
function datapathOf({ table, parent }: DesiredRow, { switchName, transitRouter }: Network): string | undefined | null {
  if (table === "Logical_Switch" || table === "Logical_Router") return undefined;
  if (parent?.table === "Logical_Switch") return switchName;
  return parent?.table === "Logical_Router" && "key" in parent.row ? transitRouter : null;
}

function requestedKey(column: unknown): unknown {
  return (column as { readonly map?: Readonly<Record<string, unknown>> } | null | undefined)?.map?.["requested-tnl-key"];
}

function id(zone: string, datapath: string | undefined, key: number): string {
  return `${zone} ${datapath ?? ""} ${key}`;
}
