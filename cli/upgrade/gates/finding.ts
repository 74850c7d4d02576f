/** What a gate has against going on. */
export interface Finding {
  /** Name of the gate, stable. */
  readonly gate: GateName;
  /** The zone, node or command. */
  readonly where: string;
  readonly problem: string;
  /** What to do. */
  readonly remedy: string;
}

export type GateName = "release" | "zones" | "keys" | "workloads" | "drift" | "pending" | "caught-up" | "agreement" | "join-addresses" | "probe";
