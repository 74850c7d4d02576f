import type { Protocol, Question } from "../types";

/** The sender, as effects name it. */
export function fromText({ from }: Question): string {
  return from.kind === "workload" ? from.name : `outside, at ${from.zone}`;
}

/** The receiver, as effects name it. */
export function toText({ to }: Question): string {
  if (to.kind === "workload") return to.name;
  return to.kind === "outside" ? "outside" : to.address;
}

export function protocolText(protocol: Protocol): string {
  return protocol.name === "icmp" ? "icmp" : `${protocol.name} ${protocol.port}`;
}
