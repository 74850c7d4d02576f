import { rowKind } from "@pulumi-ovn/provider";
import { adoptionKey, isMark, isSendableName, type Properties } from "@pulumi-ovn/provider/tools";
import { entryOf, given, listOf, numberOf, textOf } from "../cells";
import type { Row } from "../database";
import { matchArgs, Mismatch } from "../match";
import { derivedMac } from "./layer2-switch";
import { matchesOf, type Recognizer, rowOf } from "./recognizer";

/** Ports with addresses and a key of their own, on switches that were recognized before. */
export const workloadPorts: Recognizer = (zone) =>
  matchesOf(zone, "Layer2Switch").flatMap((match) => {
    const row = rowOf(match, "Logical_Switch");
    const taken = new Set(zone.matches.flatMap(({ pairs }) => pairs.map((pair) => pair.row.uuid)));
    const args = (ports: Readonly<Record<string, Properties>>) => ({ zone: zone.name, switch: row.uuid, ports });
    // One port that is special must not keep the others out.
    const good = zone.database.inside(row, "ports").flatMap((port): [string, Properties][] => {
      const entry = taken.has(port.uuid) ? undefined : portArgs(port);
      if (!entry) return [];
      try {
        matchArgs(zone.database, rowKind("WorkloadPorts"), args(Object.fromEntries([entry])), taken, { [adoptionKey(port.table, entry[0])]: port.uuid });
        return [entry];
      } catch (error) {
        if (error instanceof Mismatch) return [];
        throw error;
      }
    });
    if (good.length === 0) return [];
    return [{ kind: "WorkloadPorts", row, variants: () => [args(Object.fromEntries(good.sort(([a], [b]) => (a < b ? -1 : 1))))] }];
  });

function portArgs(port: Row): [string, Properties] | undefined {
  const [mac, ...addresses] = listOf(port, "addresses")[0]?.split(" ") ?? [];
  const tunnelKey = numberOf(entryOf(port, "options", "requested-tnl-key"));
  if (addresses.length === 0 || tunnelKey === undefined) return undefined;
  const remote = textOf(port, "type") === "remote";
  const ids = port.columns.external_ids;
  const kept = ids instanceof Map ? [...ids].filter(([key]) => isSendableName(String(key)) && !isMark(String(key))) : [];
  const entry = {
    addresses,
    tunnelKey,
    ...given({
      mac: derivedMac(addresses) === mac ? undefined : mac,
      remote: remote ? true : undefined,
      chassis: entryOf(port, "options", "requested-chassis")?.split(","),
      portSecurity: !remote && listOf(port, "port_security").length === 0 ? false : undefined,
      dhcpv4Options: textOf(port, "dhcpv4_options"),
      dhcpv6Options: textOf(port, "dhcpv6_options"),
      externalIds: kept.length > 0 ? Object.fromEntries(kept) : undefined,
    }),
  };
  return [textOf(port, "name") ?? "", entry];
}
