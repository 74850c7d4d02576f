import { z } from "zod";

/** A checked intent, as the state has it. Its key in the state is its text. */
export interface Intent {
  /** Names of workloads, sorted. */
  readonly from: readonly string[];
  /** Names of workloads, sorted; or an address. */
  readonly to: readonly string[] | string;
  readonly reach: boolean;
  readonly protocol: "icmp" | "tcp" | "udp" | "sctp";
  readonly port?: number | undefined;
  readonly family?: 4 | 6 | undefined;
  /** Accepted source addresses. */
  readonly sourceAddress?: readonly string[] | undefined;
  /** Accepted nodes. */
  readonly byNode?: readonly string[] | undefined;
}

const list = z.array(z.string());

/** Intents of a network in its state, keyed by text. */
export const intentsSchema = z.record(
  z.string(),
  z.object({
    from: list,
    to: z.union([list, z.string()]),
    reach: z.boolean(),
    protocol: z.enum(["icmp", "tcp", "udp", "sctp"]),
    port: z.number().optional(),
    family: z.union([z.literal(4), z.literal(6)]).optional(),
    sourceAddress: list.optional(),
    byNode: list.optional(),
  }),
);

/** Intents by their text. */
export type Intents = Readonly<Record<string, Intent>>;
