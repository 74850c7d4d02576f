import type { BgpExposureArgs, RowSet } from "@pulumi-ovn/provider";
import { GuestSandbox } from "@pulumi-ovn/sandbox";

/** Writes rows as resources do, one after the other. */
const WRITE = `
const { connect } = require("./ovsdb-client"), { ensureRows, removeRows } = require("./provider/dist/rows");
(async () => {
  const { endpoint, writes } = JSON.parse(require("fs").readFileSync(0));
  const client = await connect(endpoint, { database: "OVN_Northbound" });
  for (const { owner, set, gone } of writes) await (gone ? removeRows({ client, owner }, set) : ensureRows({ client, owner }, set, {}));
  await client.close();
})();
`;

const EXPOSE = `
const { BgpExposure: bgpExposure } = require("./provider/dist").kinds, { Connections } = require("./provider/dist/targets");
(async () => {
  const { zones, args } = JSON.parse(require("fs").readFileSync(0));
  const targets = new Connections(zones), spec = bgpExposure.schema.parse(args);
  console.log(JSON.stringify(bgpExposure.render(spec, await bgpExposure.observe(spec, { targets })).set));
  await targets.close();
})();
`;

export interface RowWrite {
  readonly owner: string;
  readonly set: RowSet;
  /** Whether the rows are removed. Default: they are written. */
  readonly gone?: boolean;
}

/** A sandbox of one host in a guest, whose zone resources write to. */
export class GuestZone extends GuestSandbox {
  /** Endpoint of the host's zone or switch, as the guest reaches it. */
  endpoint(database: "ovnnb_db" | "ovnsb_db" | "db"): string {
    return `unix:${this.folder}/node1/${database}.sock`;
  }

  async write(...writes: readonly RowWrite[]): Promise<void> {
    await this.node(["-e", WRITE], { endpoint: this.endpoint("ovnnb_db"), writes });
  }

  /** The rows of an exposure with mode "agent" of the host. */
  async exposure(args: Partial<BgpExposureArgs>): Promise<RowSet> {
    const zones = { node1: { northbound: this.endpoint("ovnnb_db"), southbound: this.endpoint("ovnsb_db") } };
    const input = { zones, args: { zone: "node1", mode: "agent", name: "all", chassis: ["node1"], asNumber: 64513, ...args } };
    return JSON.parse(await this.node(["-e", EXPOSE], input)) as RowSet;
  }
}
