/** A stream of probes through a sandbox, all echoed. */
export interface Flow {
  readonly name: string;
  /** Kind of the flow, by which results are compared: workload to workload, out, in by a service, ... */
  readonly kind: "east-west" | "out" | "service" | "egress" | "join" | "control";
  readonly protocol: "udp" | "tcp" | "icmp";
  /** The namespace that sends. */
  readonly from: string;
  readonly to: string;
  /** For UDP and TCP: the echo port of the answering program, unless a load balancer leads there. */
  readonly port?: number;
  /** The hosts that its packets pass, there and back. */
  readonly over: readonly string[];
}

export interface Stage {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** Whether routers of a node are exchanged for others in it: see excess.ts. */
  readonly swap?: boolean;
}
