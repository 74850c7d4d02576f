import { hash } from "node:crypto";

/**
 * The cookie of a resource's flows: the first 64 bits of a hash of its identity (its URN), as ovs-ofctl(8) prints it.
 * Never 0, which flows without an owner have, nor all ones, which OpenFlow reserves.
 */
export function flowCookie(owner: string): string {
  const digits = hash("sha256", `flows\0${owner}`, "hex").slice(0, 16).replace(/^0+/, "");
  return digits === "" || digits === "f".repeat(16) ? "0x1" : `0x${digits}`;
}
