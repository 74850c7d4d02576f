import { z } from "zod";
import { ip, ips, names, name, schemaOf, whole } from "../topology/fields";

/** A statement about the packets of a network, for `expect`. `pulumi-ovn simulate` checks it before and after a plan. */
export interface IntentArgs {
  /** Workloads that send: a name, a list of names, or labels. */
  from: string | string[] | IntentLabels;
  /** Workloads that receive, or an address outside of the network. Every pair of a sender and a receiver is checked. */
  to: string | string[] | IntentLabels | IntentAddress;
  /** True: the first packet of a connection arrives, and its reply returns. False: it does not arrive. Exactly one of `reach` and `blocked` is required. */
  reach?: boolean;
  /** The opposite of `reach`. */
  blocked?: boolean;
  /** "icmp" is an echo request of the address's family, as ping sends it. Default: "icmp". */
  protocol?: IntentProtocol;
  /** Destination port, 1 to 65535. Required with tcp, udp and sctp. */
  port?: number;
  /** IP family. Default: every family that sender and receiver have in common. */
  family?: 4 | 6;
  /** Source address that an address outside sees; of a list, one of them. Not for a `Vpc`. Default: any. */
  sourceAddress?: string | string[];
  /** Node (host of a `Vpc`) by which packets to an address outside leave; of a list, one of them. Default: any. */
  byNode?: string | string[];
}

export type IntentProtocol = "icmp" | "tcp" | "udp" | "sctp";

/** All workloads that have these labels; `{ labels: {} }` is every workload. */
export interface IntentLabels {
  labels: Record<string, string>;
}

export interface IntentAddress {
  /** An IPv4 or IPv6 address outside of the network's subnets. */
  address: string;
}

const labels = z.strictObject({ labels: z.record(z.string(), z.string()) });
const address = z.strictObject({ address: ip });
const SOME = "a workload's name, a list of names, or { labels: { ... } }";

export const intentSchema = schemaOf<IntentArgs>()(
  z.strictObject({
    from: z.union([name, names, labels], { error: expected(SOME) }),
    to: z.union([name, names, labels, address], { error: expected(`${SOME}, or { address: "203.0.113.9" }`) }),
    reach: z.boolean().optional(),
    blocked: z.boolean().optional(),
    protocol: z.enum(["icmp", "tcp", "udp", "sctp"]).default("icmp"),
    port: whole({ first: 1, last: 65_535 }, "port").optional(),
    family: z.union([z.literal(4), z.literal(6)], { error: expected("4 or 6") }).optional(),
    sourceAddress: z.union([ip, ips], { error: expected("an address, or a list of addresses") }).optional(),
    byNode: z.union([name, names], { error: expected("a node's name, or a list of names") }).optional(),
  }),
);

export type IntentSpec = z.output<typeof intentSchema>;

/** The forms that are possible. A missing value has the default message. */
function expected(forms: string) {
  return ({ input }: { readonly input?: unknown }) => (input === undefined ? undefined : `expected ${forms}`);
}
