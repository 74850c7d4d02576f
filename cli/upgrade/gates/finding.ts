/** Reason of a gate against the next step. */
export interface Finding {
  /** Name of the gate, stable. */
  readonly gate: GateName;
  /** The zone, node or command. */
  readonly where: string;
  readonly problem: string;
  /** Remedy. */
  readonly remedy: string;
}

export type GateName = "release" | "zones" | "keys" | "workloads" | "drift" | "pending" | "caught-up" | "agreement" | "join-addresses" | "probe";
