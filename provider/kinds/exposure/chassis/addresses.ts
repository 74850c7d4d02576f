import { type Ip, type Prefix, contains, parseSubnet } from "../../../kit/address";
import { readable } from "../../../kit/address/readable";
import { memo } from "../../../kit/memo/memo";
import type { PortBinding } from "./snapshot/snapshot";

/**
 * Addresses of a port: prefixes of a router's port, single addresses of others, without link-local ones. An unchanged row is the same object in
 * the next snapshot, and is not read again.
 */
export const addressesOf: (port: PortBinding) => readonly Prefix[] = memo(read);

function read({ mac, externalIds }: PortBinding): Prefix[] {
  const texts = mac.flatMap((entry) => words(entry).slice(1));
  // Neutron keeps here what it has given to a port that may use any address.
  const kept = mac.some((entry) => words(entry)[0] === "unknown") ? words(externalIds["neutron:cidrs"] ?? "") : [];
  return [...texts, ...kept].flatMap(readable).filter((prefix) => !isLinkLocal(prefix));
}

export const macOf = ({ mac }: PortBinding): string | undefined =>
  mac
    .map((entry) => words(entry)[0]!)
    .find((word) => MAC.test(word))
    ?.toLowerCase();

export const words = (text: string): string[] => text.split(/\s+/).filter(Boolean);

const LINK_LOCAL = parseSubnet("fe80::/10");
export const isLinkLocal = (ip: Ip): boolean => contains(LINK_LOCAL, ip);

const MAC = /^[0-9a-fA-F]{2}(?::[0-9a-fA-F]{2}){5}$/;
