import type { Condition, OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { OWNER_KEY } from "../kit/identity";
import { rowsOf, select } from "./select";
import { requestedChassis } from "./requested-chassis";
import { listed } from "../kit/text/listed";

const MOST_NAMED = 5;

/**
 * Describes remote ports of a stack whose chassis is not in the zone's Southbound database: ovn-controller has no tunnel to send their
 * packets through, and drops them without a message. undefined when every one has its chassis.
 *
 * @param urn of any resource of the stack
 */
export async function missingChassis(northbound: OvsdbClient, southbound: OvsdbClient, urn: string): Promise<string | undefined> {
  const ofStack = `${urn.split("::", 2).join("::")}::`;
  const remote: Condition[] = [
    ["type", "==", "remote"],
    ["requested_chassis", "==", ["set", []]],
  ];
  // A router port without its chassis is not remote for northd, so the Southbound database does not show what it asks for.
  const [[routerPorts], [switchPorts, chassis]] = await Promise.all([
    northbound.transact([select("Logical_Router_Port", [["peer", "==", ["set", []]]], ["name", "options", "external_ids"])]),
    southbound.transact([select("Port_Binding", remote, ["logical_port", "options", "external_ids"]), select("Chassis", [], ["name", "hostname"])]),
  ]);
  // northd learns of a chassis a moment later than the database does.
  const existing = new Set(rowsOf(chassis).flatMap(({ name, hostname }) => [name, hostname]));
  const missing = [...rowsOf(routerPorts), ...rowsOf(switchPorts)].flatMap(({ name, logical_port: port = name, options, external_ids: ids }) => {
    if (!valueIn(ids, OWNER_KEY)?.startsWith(ofStack)) return [];
    const absent = requestedChassis(valueIn(options, "requested-chassis")).filter((chassis) => !existing.has(chassis));
    return absent.map((chassis) => ({ port: String(port), chassis }));
  });
  if (missing.length === 0) return undefined;
  const ports = listed([...new Set(missing.map(({ port }) => port))].sort(), MOST_NAMED);
  const names = listed([...new Set(missing.map(({ chassis }) => `"${chassis}"`))].sort(), MOST_NAMED);
  return `no chassis ${names} in its Southbound database: packets to remote ports ${ports} are dropped; set tunnelAddresses of the nodes, or start what writes these chassis (ovn-ic, ovn-kubernetes)`;
}

/** Value of a key in a map in wire format. */
function valueIn(map: unknown, key: string): string | undefined {
  const [, pairs] = map as [string, readonly (readonly [string, string])[]];
  return pairs.find(([name]) => name === key)?.[1];
}
