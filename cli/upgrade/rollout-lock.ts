import type { Lock } from "@pulumi-ovn/ovsdb-client";
import type { Connections } from "@pulumi-ovn/provider/targets";
import { UpgradeError } from "./errors";

/**
 * Held while a rollout continues: a lock of the OVSDB server of a zone's Northbound database (RFC 7047 section 4.1.8), which
 * the server takes back when the connection ends, however it ends. Two rollouts of one network are refused, also from
 * different machines and stacks.
 */
export class RolloutLock {
  private constructor(
    private readonly lock: Lock,
    private readonly where: string,
  ) {}

  /** @param zone the same one for all rollouts of the network: its first by name */
  static async take(connections: Connections, zone: string, network: string): Promise<RolloutLock> {
    const client = await connections.get(zone, "OVN_Northbound");
    const name = `pulumi_ovn_upgrade_${idOf(network)}`;
    const lock = await client.lock(name);
    const where = `lock ${name} in the Northbound database of zone ${zone}`;
    if (!lock.held) {
      await lock.release();
      throw new UpgradeError("OVN_UPGRADE_LOCKED", `another upgrade of network ${network} is in progress: it holds ${where}; wait until it has ended`);
    }
    return new RolloutLock(lock, where);
  }

  /** Throws an UpgradeError when the lock went to another rollout, or can't be known to be ours. */
  require(): void {
    if (!this.lock.held) throw new UpgradeError("OVN_UPGRADE_LOCKED", `the connection with ${this.where} was lost; run again to go on`);
  }

  release(): Promise<void> {
    return this.lock.release();
  }
}

/** Valid lock name (`<id>` of RFC 7047 section 3.1), unique for each name: `a-b` is `a_2d_b`, and `a_b` is `a__b`. */
function idOf(name: string): string {
  return name.replace(/[^A-Za-z0-9]/gu, (letter) => (letter === "_" ? "__" : `_${letter.codePointAt(0)!.toString(16)}_`));
}
