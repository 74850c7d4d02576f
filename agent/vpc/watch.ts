import { dirname } from "node:path";
import type { OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { isKeptName } from "@pulumi-ovn/provider/agent";
import { watchFolder } from "../host/folder";

/** Monitored columns: those that updates write, and the switch's state of them. Counters are left out. */
const TABLES = {
  Open_vSwitch: { columns: ["bridges"] },
  Bridge: { columns: ["name", "ports", "fail_mode", "protocols", "datapath_type", "external_ids"] },
  Port: { columns: ["name", "interfaces", "tag", "vlan_mode", "protected", "external_ids"] },
  Interface: { columns: ["name", "type", "options", "ofport", "ofport_request", "error", "link_state", "bfd", "bfd_status"] },
} as const;

/** Milliseconds after its start at which a bridge may take flows. */
const SWITCH_READS = [0, 200, 1_000];

/**
 * Reports changes of the database and of the folder of updates, and starts of ovs-vswitchd, which has no flows after a start. A start
 * is visible because ovs-vswitchd creates the sockets of its bridges next to the database's socket. If the database is not reached
 * through its socket, the next round detects the start.
 */
export async function watchHost(client: OvsdbClient, folder: string, onChange: () => void, signal: AbortSignal): Promise<void> {
  const monitor = await client.monitor(TABLES, { signal });
  monitor.subscribe({ changed: onChange, failed: onChange });
  const started = () => {
    for (const pause of SWITCH_READS) setTimeout(onChange, pause).unref();
  };
  const ends = [watchFolder(folder, (name) => isKeptName(name) && onChange(), onChange)];
  if (client.endpoint.startsWith("unix:"))
    ends.push(watchFolder(dirname(client.endpoint.slice("unix:".length)), (name) => name.endsWith(".mgmt") && started(), started));
  signal.addEventListener("abort", () => ends.forEach((end) => end()), { once: true });
}
