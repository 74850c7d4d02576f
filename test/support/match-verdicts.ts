import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { connect } from "@pulumi-ovn/ovsdb-client";
import { binaries } from "@pulumi-ovn/sandbox";
import { runProgram, standalone } from "./ovsdb-server";

/**
 * Sets of the Southbound database that expressions are judged in, by the names that expressions have for them. A member with a mask
 * is first: OVN 25.03 aborts when it compares bits by < with a set whose further members have masks.
 */
export const matchSets = {
  addressSets: { as4: ["10.0.0.0/24", "10.0.1.1", "nonsense"], as6: ["fd00::/64", "fd01::1"], macs: ["00:00:00:00:00:01"], single: ["10.0.0.9"], empty: [] },
  portGroups: { pg1: ["p1", "p2"], nobody: [] },
};

/** The datapath's key, with which northd begins the names of its port groups. */
const DATAPATH = 7;

/** A refusal in the log of ovn-trace; expressions can have several lines. */
const ENTRY = /^\d{4}-\d\d-\d\dT[\d:.]+Z\|\d+\|\w+\|WARN\|/m;
const REFUSAL = ": parsing expression failed (";

/** OVN's own verdicts: a Southbound database without northd, and ovn-trace, which reports every flow that it can't parse. */
export async function matchVerdicts() {
  const server = await standalone({ schema: (await binaries()).schema("ovn-sb.ovsschema") });
  const client = await connect(server.endpoint, { database: "OVN_Southbound" });
  const insert = (table: string, row: object, name?: string) => ({ op: "insert" as const, table, row: row as never, ...(name && { "uuid-name": name }) });
  const set = (members: readonly string[]) => ["set", members];
  return {
    /** OVN's objection to each expression. Accepted expressions are left out. */
    async refusals(expressions: readonly string[]): Promise<Map<string, string>> {
      const flows = [...new Set(expressions)].map((match, index) =>
        insert("Logical_Flow", { logical_datapath: ["named-uuid", "dp"], pipeline: "ingress", table_id: 0, priority: index % 65536, match, actions: "next;" }),
      );
      await client.transact([
        ...["Logical_Flow", "Datapath_Binding", "Address_Set", "Port_Group"].map((table) => ({ op: "delete" as const, table, where: [] })),
        insert(
          "Datapath_Binding",
          {
            tunnel_key: DATAPATH,
            external_ids: [
              "map",
              [
                ["name", "sw"],
                ["logical-switch", "11111111-1111-1111-1111-111111111111"],
              ],
            ],
          },
          "dp",
        ),
        ...Object.entries(matchSets.addressSets).map(([name, addresses]) => insert("Address_Set", { name, addresses: set(addresses) })),
        ...Object.entries(matchSets.portGroups).map(([name, ports]) => insert("Port_Group", { name: `${DATAPATH}_${name}`, ports: set(ports) })),
        ...flows,
      ]);
      const log = join(server.folder, "trace.log");
      await rm(log, { force: true });
      await runProgram("ovn-trace", [`--db=${server.endpoint}`, "-vconsole:off", `--log-file=${log}`, "sw", 'inport == "p1"'], server.folder);
      const entries = (await readFile(log, "utf8")).split(ENTRY).filter((entry) => entry.includes(REFUSAL));
      return new Map(
        entries.map((entry) => {
          const at = entry.lastIndexOf(REFUSAL);
          return [
            entry.slice(0, at),
            entry
              .slice(at + REFUSAL.length)
              .trimEnd()
              .slice(0, -1),
          ];
        }),
      );
    },
    async remove() {
      await client.close();
      await server.remove();
    },
  };
}
