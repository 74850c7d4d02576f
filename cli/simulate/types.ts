/** The sender of a packet, as a question names it. */
type Sender =
  /** A logical switch port by name. */
  | { readonly kind: "workload"; readonly name: string }
  /** A physical network (`network_name` of a localnet port), at the gateway in this zone. */
  | { readonly kind: "outside"; readonly network: string; readonly zone: string };

/** The address that a packet is sent to. */
export type Receiver =
  | { readonly kind: "workload"; readonly name: string; readonly address: string }
  /** An address that the network translates: a floating address, or a load balancer's. */
  | { readonly kind: "published"; readonly address: string }
  /** An address outside. */
  | { readonly kind: "outside"; readonly address: string };

/** `icmp` is an echo request, as ping sends it. */
export type Protocol = { readonly name: "icmp" } | { readonly name: "tcp" | "udp" | "sctp"; readonly port: number };

/** One connection: its first packet, and the reply. */
export interface Question {
  readonly from: Sender;
  /** Address of the sender. */
  readonly source: string;
  readonly to: Receiver;
  readonly family: 4 | 6;
  readonly protocol: Protocol;
}

/** A logical flow that a packet matched. */
export interface Step {
  readonly zone: string;
  /** Name of the logical switch or router. */
  readonly datapath: string;
  readonly pipeline: "ingress" | "egress";
  /** Number of the table in its pipeline. */
  readonly table: number;
  /** northd's name of the table, such as `ls_out_acl_eval`. */
  readonly stage: string;
  readonly match: string;
  readonly priority: number;
  /** First eight digits of the UUID of the flow's Northbound row. Undefined if the flow has no such row. */
  readonly hint: string | undefined;
  /** Whether several flows have this priority and match. Default: false. */
  readonly hasRivals?: boolean;
  /** Rule or resource of a host's flow, as reports name it. */
  readonly origin?: string;
}

/** End of a packet's path. */
export type Outcome =
  | { readonly kind: "delivered"; readonly zone: string; readonly port: string }
  /** Sent to a physical network. */
  | { readonly kind: "outside"; readonly zone: string; readonly network: string }
  | { readonly kind: "lost"; readonly zone: string; readonly why: string }
  /** The answer is not known. */
  | { readonly kind: "unknown"; readonly why: string };

/** A packet's path through all zones. */
export interface Path {
  readonly steps: readonly Step[];
  readonly outcome: Outcome;
  /** Addresses of the packet where it ends. */
  readonly source: string;
  readonly destination: string;
  /** Backends of the load balancers on the way, each as `ADDRESS:PORT`. */
  readonly backends: readonly string[];
  /** The router of a VPC that the packet passes, such as `the logical router of node1`. */
  readonly router?: string;
}

/** The answer to a question. */
export interface Answer {
  /** Whether the first packet arrives and the reply returns. Undefined if that is not known. */
  readonly reach: boolean | undefined;
  /** Path of the first packet. */
  readonly there: Path;
  /** Path of the reply. Undefined if the first packet does not arrive, or if nothing answers it in the network. */
  readonly back: Path | undefined;
  /** Parts of the answer that OVN's databases do not decide. */
  readonly unknowns: readonly string[];
}
