import { setTimeout } from "node:timers/promises";
import { type Connections, propagate } from "@pulumi-ovn/provider/targets";
import { CommandError } from "../command";
import { driftedResources } from "./drift";
import { agreementFindings } from "./gates/agreement";
import type { Finding } from "./gates/finding";
import { joinFindings } from "./gates/join-addresses";
import type { Network } from "./network";
import { nameOf } from "../stack/resource";
import type { Preview } from "../stack/preview";
import { resourcesAround } from "./scope";
import { readZone, type ZoneSnapshot } from "./snapshot";

/** Seconds in which zones may still disagree after every chassis has applied its changes. */
const SETTLING = 15;
/** Milliseconds between two readings. */
const LOOK = 500;

/** The zones of a network, as the gates see them. */
export class NetworkZones {
  constructor(
    readonly connections: Connections,
    private readonly network: Network,
  ) {
    for (const { name, zone } of network.nodes) {
      for (const database of ["OVN_Northbound", "OVN_Southbound"] as const) {
        try {
          this.connections.endpoints(zone, database);
        } catch (error) {
          throw new CommandError("OVN_ZONE", `node ${name}: ${(error as Error).message}`);
        }
      }
    }
  }

  /** The zone whose database keeps the lock of rollouts. */
  get first(): string {
    return this.network.nodes.map(({ zone }) => zone).sort()[0]!;
  }

  snapshots(): Promise<ZoneSnapshot[]> {
    return Promise.all(this.network.nodes.map(({ zone }) => readZone(this.connections, zone)));
  }

  /** Waits until each zone has applied its Northbound database. Zones that have not are findings. */
  async caughtUp(waitFor: "southbound" | "chassis", seconds: number): Promise<Finding[]> {
    const findings = await Promise.all(
      this.network.nodes.map(async ({ zone }): Promise<Finding[]> => {
        try {
          await propagate(this.connections, zone, waitFor, seconds * 1000);
          return [];
        } catch (error) {
          return [
            {
              gate: "caught-up",
              where: `zone ${zone}`,
              problem: (error as Error).message,
              remedy: "wait until the zone has applied its changes: the next write would reach chassis in different states",
            },
          ];
        }
      }),
    );
    return findings.flat();
  }

  /** Disagreements between the zones, after they had time to settle. */
  async disagreements(network: Network, seconds: number): Promise<Finding[]> {
    const until = Date.now() + Math.min(SETTLING, seconds) * 1000;
    for (;;) {
      const snapshots = await this.snapshots();
      const findings = [...agreementFindings(network, snapshots), ...joinFindings(network, snapshots)];
      if (findings.length === 0 || Date.now() > until) return findings;
      await setTimeout(LOOK);
    }
  }

  /** Drift of the network, and of resources on it. */
  async drift({ before, after }: Preview): Promise<Finding[]> {
    const drifted = await driftedResources(this.connections, resourcesAround(this.network, before), after);
    if (drifted.length === 0) return [];
    return [
      {
        gate: "drift",
        where: drifted.map(nameOf).sort().join(", "),
        problem: "live rows are not as the stack made them",
        remedy: '"pulumi preview --refresh --diff" shows which; "pulumi up --refresh" writes them again',
      },
    ];
  }
}
