import { type DesiredRow, ensureRows, OWNER_KEY, type RowSet, rowUuid } from "@pulumi-ovn/provider/rows";
import type { Insert, Operation, WireRow, WireUuid } from "@pulumi-ovn/ovsdb-client";
import { startCentral } from "@pulumi-ovn/sandbox";
import { byTurns, type Taken } from "../kit/measure";
import { taken } from "../kit/processor";
import type { Benchmark, Result } from "../kit/report";
import { northbound, target } from "./rows";

const PORTS = 50_000;
const ROUNDS = 3;
const OWNER = "bench";

/** One resource with many ports that have only a name. */
function barePorts(): RowSet {
  const self = { table: "Logical_Switch", key: "switch" };
  const rows = Array.from(
    { length: PORTS },
    (_, index): DesiredRow => ({
      table: "Logical_Switch_Port",
      key: `vm${index}`,
      columns: { name: `vm${index}` },
      parent: { table: "Logical_Switch", row: self, column: "ports" },
    }),
  );
  return { database: "OVN_Northbound", rows: [{ ...self, columns: { name: "l2" } }, ...rows] };
}

const shown = ({ processor, clock }: Taken): string => `${(processor / 1000).toFixed(2)} s (clock ${(clock / 1000).toFixed(2)} s)`;

/** Runs a contender in its own database; the measurement begins when the connection is open. */
async function inNewDatabase(run: (client: Awaited<ReturnType<typeof northbound>>) => Promise<unknown>): Promise<Taken> {
  await using central = await startCentral({ northd: false });
  const client = await northbound(central);
  await client.getSchema();
  const time = await taken([central.pid("northbound")!], () => run(client));
  await client.close();
  return time;
}

/** Plain inserts without any of the engine's guards, so many in one transaction; `marked`: with the UUIDs and owner marks of the resource's rows. */
async function plain(size: number, marked: boolean): Promise<Taken> {
  const ids: WireRow = marked ? { external_ids: ["map", [[OWNER_KEY, OWNER]]] } : {};
  return inNewDatabase(async (client) => {
    const [created] = await client.transact([{ op: "insert", table: "Logical_Switch", row: { name: "l2", ...ids } }]);
    const uuid = (created as { uuid: readonly ["uuid", string] }).uuid;
    for (let start = 0; start < PORTS; start += size) {
      const ports = Array.from({ length: size }, (_, index) => port(start + index, index, marked));
      const inserts = ports.map(({ insert }): Operation => ({ ...insert, row: { ...insert.row, ...ids } }));
      await client.transact([
        ...inserts,
        {
          op: "mutate",
          table: "Logical_Switch",
          where: [["_uuid", "==", uuid]],
          mutations: [["ports", "insert", ["set", ports.map(({ reference }) => reference)]]],
        },
      ]);
    }
  });
}

function port(number: number, index: number, marked: boolean): { insert: Insert; reference: WireUuid } {
  const [name, uuid] = [`vm${number}`, marked ? rowUuid(OWNER, "Logical_Switch_Port", `vm${number}`) : `p${index}`];
  const insert: Insert = { op: "insert", table: "Logical_Switch_Port", ...(marked ? { uuid } : { "uuid-name": uuid }), row: { name } };
  return { insert, reference: [marked ? "uuid" : "named-uuid", uuid] };
}

export const bulk: Benchmark = {
  name: "bulk",
  title: "50,000 ports in bulk",
  method: `One resource with 50,000 rows, guards and owner marks; peers: plain inserts of the same ports. Medians of ${ROUNDS} rounds in turns in new databases, processor time of this process and the server.`,
  async run() {
    const set = barePorts();
    const ours = () => inNewDatabase((client) => ensureRows(target(client, OWNER), set));
    const contenders = [ours, () => plain(PORTS, false), () => plain(200, false), () => plain(200, true)];
    const [own, whole, slices, marked] = (await byTurns(ROUNDS, contenders)) as [Taken, Taken, Taken, Taken];
    const line = (what: string, peer: Taken, most: number): Result => {
      const ratio = own.processor / peer.processor;
      return { what, ours: shown(own), peer: shown(peer), ratio: ratio.toFixed(2), goal: `at most ${most}`, met: ratio <= most };
    };
    return [
      line("against one transaction", whole, 1.5),
      line("against 200 rows each", slices, 1.5),
      line("against the same with UUIDs and marks", marked, 1.5),
    ];
  },
};
