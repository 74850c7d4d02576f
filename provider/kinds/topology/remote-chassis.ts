import { defineKind } from "../define";
import { z } from "zod";
import type { Rendered } from "../../backends/rows/kind";
import type { DesiredRow } from "../../backends/rows/set";
import { Failures, propertyPath } from "../../kit/arguments/failures";
import { byName, common, inOrder, schemaOf } from "./fields";
import { Holders } from "./holders";
import { remoteChassisFromMembers } from "./members/chassis";
import { type RemoteChassisEntryArgs, remoteChassisEntry } from "./remote-chassis-entry";
import { keysOf } from "./routing";
import { type TopologyArgs, local, rowSet, textMap } from "./rows";
import { sortedEntries } from "../../kit/entries";

/**
 * Chassis of other zones in a zone's Southbound database, to which the zone's chassis create tunnels, if neither ovn-ic nor ovn-kubernetes
 * writes them. The own chassis need `ovn-is-interconn=true`. Several resources and stacks may name a chassis: they share the row, and the last
 * one deletes it.
 */
export interface RemoteChassisArgs extends TopologyArgs {
  /** Chassis by name, which is their `system-id`, in any order. */
  chassis: Record<string, RemoteChassisEntryArgs>;
}

const schema = schemaOf<RemoteChassisArgs>()(
  z.strictObject({
    ...common,
    chassis: byName(remoteChassisEntry),
  }),
);
type Spec = z.output<typeof schema>;

function render(args: Spec): Rendered {
  check(args);
  const entries = sortedEntries(args.chassis);
  const rows = entries.flatMap(([key, chassis]) => chassisRows(key, chassis));
  return { set: rowSet("OVN_Southbound", rows, args) };
}

function check({ chassis }: Spec): void {
  const failures = new Failures();
  if (Object.keys(chassis).length === 0) failures.add("chassis", "required", "needs at least one chassis");
  const holders = new Holders(failures);
  for (const [key, { addresses, encapsulation }] of sortedEntries(chassis)) {
    if (addresses.length === 0) failures.add(propertyPath(["chassis", key, "addresses"]), "required", "needs at least one address");
    addresses.forEach((address, index) => holders.take(`${encapsulation} address`, address, key, () => propertyPath(["chassis", key, "addresses", index])));
  }
  failures.throwIfAny();
}

function chassisRows(key: string, { addresses, encapsulation, hostname }: Spec["chassis"][string]): DesiredRow[] {
  const tunnels = inOrder(addresses);
  const keys = keysOf(`${key} ${encapsulation}`, tunnels);
  const encapsulations = tunnels.map(
    (ip, index): DesiredRow => ({
      table: "Encap",
      key: keys[index]!,
      columns: { type: encapsulation, ip, chassis_name: key, options: textMap({ csum: true }) },
      joint: { partOf: local("Chassis", key) },
    }),
  );
  const chassis: DesiredRow = {
    table: "Chassis",
    key,
    columns: { name: key, hostname: hostname ?? key, other_config: textMap({ "is-remote": true }), encaps: keys.map((encap) => local("Encap", encap)) },
    // Every network over the same hosts has the row. Networks may use different names for the host.
    joint: { firstDecides: ["hostname"] },
  };
  return [chassis, ...encapsulations];
}

/** Chassis of other zones in one zone's Southbound database. */
export const remoteChassis = defineKind({
  backend: "rows",
  name: "RemoteChassis",
  database: "OVN_Southbound",
  schema,
  render,
  outputs: [],
  fromMembers: remoteChassisFromMembers,
  extent: { tables: ["Chassis", "Encap"], joint: { tables: ["Chassis"], parts: ["Encap"] } },
});
