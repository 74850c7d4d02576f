import { hash } from "node:crypto";
import { LONGEST_INTERFACE_NAME, macOfIp, parseIp } from "../../kit/address";

/**
 * Names of bridges and ports, at most 15 characters (Linux IFNAMSIZ), no two of them equal on a host:
 *
 * | what | name |
 * |---|---|
 * | bridge of a tier | `br-t<key>` |
 * | tunnel of a tier to a host | `t<key>-<host>`, or `u` and a hash of both where that is too long |
 * | patch port on the tier's bridge | `pt<key>` |
 * | patch port on the logical router's bridge | `pr<key>` |
 * | bridge of the logical router | `lr-<vpc>`, or `lr_` and a hash of the VPC's name |
 *
 * A tier's key is its own among all VPCs of a host, which the program checks; so names with the key need no other part.
 * Hashes have 72 bits in tunnels and 60 in bridges; `VpcBridges` refuses two that are equal all the same.
 */
export const tierBridge = (key: number): string => `br-t${key}`;
export const tierPatch = (key: number): string => `pt${key}`;
export const routerPatch = (key: number): string => `pr${key}`;

/** Letters that no shell, no ovs-vsctl and no flow syntax reads as something else. */
const SAFE = /^[A-Za-z][A-Za-z0-9_.]*(?:-[A-Za-z0-9_.]+)*$/;

export function tunnelPort(key: number, host: string): string {
  return readable(`t${key}-`, host) ?? `u${digest(`${key} ${host}`, LONGEST_INTERFACE_NAME - 1)}`;
}

export function routerBridge(vpc: string): string {
  return readable("lr-", vpc) ?? `lr_${digest(vpc, LONGEST_INTERFACE_NAME - 3)}`;
}

function readable(prefix: string, text: string): string | undefined {
  const name = prefix + text;
  return SAFE.test(text) && name.length <= LONGEST_INTERFACE_NAME ? name : undefined;
}

/** Base 36 has more than five bits a letter. */
function digest(text: string, length: number): string {
  return BigInt(`0x${hash("sha256", text, "hex")}`)
    .toString(36)
    .padStart(50, "0")
    .slice(-length);
}

/**
 * MAC of the logical router of a VPC on a host, the source of what it has routed. It is not the gateway's: other hosts
 * learn where a source is, and would look for the gateway there.
 */
export function routerMac(vpc: string, host: string): string {
  return `0e${hash("sha256", JSON.stringify([vpc, host]), "hex")
    .slice(0, 10)
    .replaceAll(/../g, ":$&")}`;
}

export function gatewayMacOf({ gatewayMac, gateways }: { readonly gatewayMac?: string | undefined; readonly gateways: readonly string[] }): string {
  return gatewayMac ?? macOfIp(parseIp(gateways.find((gateway) => !gateway.includes(":")) ?? gateways[0]!));
}

/** OpenFlow port numbers of ports with port security: above those that a switch gives by itself, below those that serve comparisons. */
const [FIRST_PORT, PORTS] = [32_768, 27_000];

/**
 * OpenFlow port numbers for interfaces of one bridge, by name: flows name a port before it is there, and know it again when it has
 * been away. A name has its number on every host but where two of a bridge meet.
 */
export function portNumbers(names: readonly string[]): Map<string, number> {
  const taken = new Map<number, string>();
  for (const name of names.toSorted()) {
    let index = Number.parseInt(hash("sha256", `port ${name}`, "hex").slice(0, 8), 16) % PORTS;
    while (taken.has(index)) index = (index + 1) % PORTS;
    taken.set(index, name);
  }
  return new Map([...taken].map(([index, name]) => [name, FIRST_PORT + index]));
}

/** Numbers of a host's interfaces with port security. Each tier has a bridge, and so numbers, of its own: names of two tiers never meet. */
export function securedNumbers({
  ports,
  portSecurity,
}: {
  readonly ports: Readonly<Record<string, string>>;
  readonly portSecurity: Readonly<Record<string, unknown>>;
}): Map<string, number> {
  const tiers = Map.groupBy(Object.keys(portSecurity), (port) => ports[port]);
  return new Map([...tiers.values()].flatMap((names) => [...portNumbers(names)]));
}

/** Conntrack zone of a VPC that asks for none, 1 to 65535. */
export function derivedZone(vpc: string): number {
  return (Number.parseInt(hash("sha256", `conntrack ${vpc}`, "hex").slice(0, 8), 16) % 65_535) + 1;
}
