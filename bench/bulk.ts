import { type DesiredRow, ensureRows, type RowSet } from "@pulumi-ovn/provider/rows";
import type { Operation } from "@pulumi-ovn/ovsdb-client";
import { startCentral } from "@pulumi-ovn/sandbox";
import { timed } from "./measure";
import type { Benchmark } from "./report";
import { northbound, target } from "./rows";

const PORTS = 50_000;
/** One resource with so many ports that have nothing but a name. */
function barePorts(): RowSet {
  const self = { table: "Logical_Switch", key: "switch" };
  const rows = Array.from({ length: PORTS }, (_, index): DesiredRow => ({
    table: "Logical_Switch_Port",
    key: `vm${index}`,
    columns: { name: `vm${index}` },
    parent: { table: "Logical_Switch", row: self, column: "ports" },
  }));
  return { database: "OVN_Northbound", rows: [{ ...self, columns: { name: "l2" } }, ...rows] };
}

const seconds = (value: number): string => `${(value / 1000).toFixed(2)} s`;

/** Each contender has a database of its own; the clock starts when the connection stands. */
async function inNewDatabase(run: (client: Awaited<ReturnType<typeof northbound>>) => Promise<unknown>): Promise<number> {
  await using central = await startCentral({ northd: false });
  const client = await northbound(central);
  await client.getSchema();
  const time = await timed(() => run(client));
  await client.close();
  return time;
}

/** The same rows without any of the engine's guards, so many in one transaction. */
async function plain(size: number): Promise<number> {
  return inNewDatabase(async (client) => {
    const [created] = await client.transact([{ op: "insert", table: "Logical_Switch", row: { name: "l2" } }]);
    const uuid = (created as { uuid: readonly ["uuid", string] }).uuid;
    for (let start = 0; start < PORTS; start += size) {
      const inserts = Array.from({ length: size }, (_, index): Operation => ({ op: "insert", table: "Logical_Switch_Port", "uuid-name": `p${index}`, row: { name: `vm${start + index}` } }));
      const members = inserts.map((_, index) => ["named-uuid", `p${index}`] as const);
      await client.transact([...inserts, { op: "mutate", table: "Logical_Switch", where: [["_uuid", "==", uuid]], mutations: [["ports", "insert", ["set", members]]] }]);
    }
  });
}

export const bulk: Benchmark = {
  name: "bulk",
  title: "50,000 ports in bulk",
  method: "One resource with 50,000 rows, guards and owner marks included, beside plain inserts of the same ports without them.",
  async run() {
    const set = barePorts();
    const ours = await inNewDatabase((client) => ensureRows(target(client, "bench"), set));
    const slices = await plain(200);
    const whole = await plain(PORTS);
    return [
      { what: "against one transaction", ours: seconds(ours), peer: seconds(whole), ratio: (ours / whole).toFixed(2), goal: "below 1", met: ours < whole },
      { what: "against 200 rows each", ours: seconds(ours), peer: seconds(slices), ratio: (ours / slices).toFixed(2), goal: "at most 1.3 s", met: ours <= 1300 },
    ];
  },
};
