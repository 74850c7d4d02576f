import { z } from "zod";
import { mac, name, portKey, requiredIps } from "../../fields";

export interface NetworkWorkloadArgs {
  /** The node that the workload is on, a key of `nodes`. */
  node: string;
  /** The workload's chassis: the node's own, or one of its `additionalChassis`. Default: the node's own. */
  chassis?: string;
  /** Addresses inside the subnets, without masks, at most one per family. */
  addresses: string[];
  /** Default: derived from the first address, IPv4 before IPv6. */
  mac?: string;
  /**
   * Port key, equal in every zone, 1 to 32767. Default: 10 + the position of the first address in its subnet; from the 32758th address on a key is
   * required.
   */
  tunnelKey?: number;
  /** Name of the port, and the interface's `iface-id`. Default: the workload's name. */
  portName?: string;
  /** Drop packets from addresses other than the workload's. Default: true. */
  portSecurity?: boolean;
  /** Labels by which intents select workloads. Default: none. */
  labels?: Record<string, string>;
  /** A live migration in progress. See docs/how-to/live-migration.md. Default: none. */
  migration?: NetworkMigrationArgs;
}

export interface NetworkMigrationArgs {
  /** Destination node, or the current one. */
  to: string;
  /** Destination chassis: that of `to`, or one of its `additionalChassis`. Default: the node's own. */
  chassis?: string;
  /**
   * "rarp": the new copy gets no packets until the guest sends a RARP there, as QEMU does. Default: not held back. (ovn-nb(5),
   * options:activation-strategy)
   */
  activation?: "rarp";
}

export const workload = z.strictObject({
  node: name,
  chassis: name.optional(),
  addresses: requiredIps,
  mac: mac.optional(),
  tunnelKey: portKey.optional(),
  portName: name.optional(),
  portSecurity: z.boolean().default(true),
  labels: z.record(z.string(), z.string()).optional(),
  migration: z.strictObject({ to: name, chassis: name.optional(), activation: z.enum(["rarp"]).optional() }).optional(),
});
