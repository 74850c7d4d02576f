import { formatIp, parseIp } from "../../../kit/address";
import { ArgumentError } from "../../../kit/arguments/errors";
import type { NodeObject } from "../facts";

export const PRIMARY_KEY = "k8s.ovn.org/node-primary-ifaddr";

/**
 * Addresses under which a node could be its own neighbor, if the nodes of a cluster are neighbors of each other: the
 * addresses that ovn-kubernetes has found, and those that the kubelet reports. Values that cannot be read are ignored.
 */
export function ownAddresses({ metadata, status }: NodeObject): ReadonlySet<string> {
  const known = (status?.addresses ?? []).map(({ address }) => address);
  return new Set([...primary(metadata.annotations?.[PRIMARY_KEY]), ...known].flatMap(asAddress));
}

/** `{"ipv4":"172.18.0.2/16","ipv6":"fc00:f853:ccd:e793::2/64"}`. */
function primary(text = "{}"): string[] {
  try {
    const found: unknown = JSON.parse(text);
    return Object.values(found ?? {})
      .filter((value) => typeof value === "string")
      .map((value) => value.split("/")[0]!);
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

function asAddress(text: string): string[] {
  try {
    return [formatIp(parseIp(text))];
  } catch (error) {
    if (error instanceof ArgumentError) return [];
    throw error;
  }
}
