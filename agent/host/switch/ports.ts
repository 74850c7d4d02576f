import { setTimeout as sleep } from "node:timers/promises";
import { type Condition, type Mutation, type Operation, type OvsdbClient, OvsdbError, printable, type WireRow, type WireValue } from "@pulumi-ovn/ovsdb-client";
import type { Problem, TaggedPort } from "@pulumi-ovn/provider/agent";
import type { LivePort, LivePorts } from "../live";
import { conflict } from "../problems";
import type { PortStep } from "../steps";

/** Key in `external_ids` of the agent's ports. */
const MARK = "pulumi-ovn-agent";

const marked: WireValue = ["map", [[MARK, "true"]]];
const COLUMNS = ["_uuid", "name", "tag", "external_ids"];

/** Milliseconds after which a round continues without the database. */
const READING = 2_000;

/** Reads the agent's ports, and others of the names that are wanted. */
export async function readPorts(client: OvsdbClient, wanted: readonly TaggedPort[]): Promise<LivePorts> {
  const rows = (where: readonly Condition[]): Operation => ({ op: "select", table: "Port", where, columns: COLUMNS });
  const [bridges, ...found] = await client.transact(
    [
      { op: "select", table: "Bridge", where: [], columns: ["name", "ports"] },
      rows([["external_ids", "includes", marked]]),
      ...wanted.map(({ name }) => rows([["name", "==", name]])),
      { op: "select", table: "Interface", where: [["type", "==", "internal"]], columns: ["name", "mac"] },
    ],
    { timeout: READING },
  );
  // An internal port has one interface, of its own name.
  const macs = new Map((found.pop()?.rows ?? []).map((row) => [String(row["name"]), typeof row["mac"] === "string" ? row["mac"] : null]));
  const bridgeOf = new Map((bridges?.rows ?? []).flatMap((row) => elementsOf(row["ports"]).map((uuid) => [uuid, String(row["name"])] as const)));
  const ports = new Map(
    found
      .flatMap((result) => result.rows ?? [])
      .map((row) => [uuidOf(row), portOf(row, bridgeOf.get(uuidOf(row)) ?? null, macs.get(String(row["name"])) ?? null)]),
  );
  return { bridges: (bridges?.rows ?? []).map((row) => String(row["name"])), ports: [...ports.values()] };
}

const uuidOf = (row: WireRow): string => (row["_uuid"] as readonly ["uuid", string])[1];

/** UUIDs of a set, which has no brackets on the wire if it has one element. */
function elementsOf(value: WireValue | undefined): string[] {
  const [kind, elements] = value as readonly [string, string | readonly (readonly [string, string])[]];
  return kind === "uuid" ? [elements as string] : (elements as readonly (readonly [string, string])[]).map(([, uuid]) => uuid);
}

function portOf(row: WireRow, bridge: string | null, mac: string | null): LivePort {
  const ids = (row["external_ids"] as readonly ["map", readonly (readonly [string, string])[]])[1];
  return {
    uuid: uuidOf(row),
    name: String(row["name"]),
    bridge,
    tag: typeof row["tag"] === "number" ? row["tag"] : null,
    mac,
    own: ids.some(([key]) => key === MARK),
  };
}

export interface PortsPlan {
  readonly made: readonly PortStep[];
  readonly removed: readonly PortStep[];
  readonly problems: readonly Problem[];
}

/** Pure. A port of the agent is changed in place, so its device keeps its addresses and routes. */
export function planPorts(desired: readonly TaggedPort[], { bridges, ports }: LivePorts): PortsPlan {
  const problems: Problem[] = [];
  const made = desired.flatMap((wanted): PortStep[] => {
    const { name, bridge, tag, mac } = wanted;
    if (!bridges.includes(bridge)) {
      problems.push(missingBridge(bridge));
      return [];
    }
    const found = ports.find((port) => port.name === name);
    if (found === undefined) return [{ kind: "port", subject: name, appears: true, operations: insertion(wanted) }];
    if (!found.own) problems.push(conflict(`port ${name}`, `a port of this name in bridge ${found.bridge}`));
    if (!found.own || (found.bridge === bridge && found.tag === tag && found.mac === mac)) return [];
    const moves = found.bridge !== bridge;
    return [
      {
        kind: "port",
        subject: name,
        appears: moves,
        operations: [
          { op: "update", table: "Port", where: is("_uuid", ["uuid", found.uuid]), row: { tag } },
          { op: "update", table: "Interface", where: is("name", name), row: { mac } },
          ...(moves ? [without(found), mutateBridge(is("name", bridge), "insert", ["uuid", found.uuid])] : []),
        ],
      },
    ];
  });
  const surplus = ports.filter((port) => port.own && !desired.some(({ name }) => name === port.name));
  return { made, removed: surplus.map((port) => ({ kind: "port", subject: port.name, appears: false, operations: [without(port)] })), problems };
}

export const missingBridge = (bridge: string): Problem => ({
  code: "OVN_AGENT_NO_BRIDGE",
  subject: bridge,
  message: `there is no bridge ${bridge}: make it, or correct ovn-bridge-mappings`,
});

const is = (column: string, value: WireValue): Condition[] => [[column, "==", value]];
const mutateBridge = (where: readonly Condition[], mutator: Mutation[1], uuid: WireValue): Operation => ({
  op: "mutate",
  table: "Bridge",
  where,
  mutations: [["ports", mutator, ["set", [uuid as readonly ["uuid", string]]]]],
});
/** Deletes a port without a bridge, and its interface. */
const without = ({ uuid }: LivePort): Operation => mutateBridge([["ports", "includes", ["uuid", uuid]]], "delete", ["uuid", uuid]);

function insertion({ name, bridge, tag, mac }: TaggedPort): Operation[] {
  return [
    { op: "insert", table: "Interface", "uuid-name": "interface", row: { name, type: "internal", mac } },
    { op: "insert", table: "Port", "uuid-name": "port", row: { name, tag, interfaces: ["named-uuid", "interface"], external_ids: marked } },
    mutateBridge(is("name", bridge), "insert", ["named-uuid", "port"]),
  ];
}

/** Milliseconds until the switch is asked once more whether it has taken a change. */
const AGAIN = [10, 20, 50, 100, 200, 400, 800];

/** Numbers the change. The switch confirms this number when it has applied the change. (ovs-vswitchd.conf.db(5), next_cfg and cur_cfg) */
const NUMBERED: Operation[] = [
  { op: "mutate", table: "Open_vSwitch", where: [], mutations: [["next_cfg", "+=", 1]] },
  { op: "select", table: "Open_vSwitch", where: [], columns: ["next_cfg"] },
];

/** Writes, and waits until the switch has created the device of a new or moved port, or reports an error. */
export async function writePort(client: OvsdbClient, { operations, subject, appears }: PortStep): Promise<Problem | undefined> {
  try {
    const comment: Operation = { op: "comment", comment: `pulumi-ovn agent: port ${subject}` };
    if (!appears) {
      await client.transact([...operations, comment]);
      return undefined;
    }
    const written = await client.transact([...operations, comment, ...NUMBERED]);
    const number = Number(written.at(-1)!.rows![0]!["next_cfg"]);
    for (const pause of AGAIN) {
      const [taken, found] = await client.transact([
        { op: "select", table: "Open_vSwitch", where: [], columns: ["cur_cfg"] },
        { op: "select", table: "Interface", where: is("name", subject), columns: ["error"] },
      ]);
      const error = found.rows[0]?.["error"];
      if (Number(taken.rows[0]?.["cur_cfg"]) >= number)
        return typeof error === "string"
          ? { code: "OVN_AGENT_SWITCH", subject, message: `the switch can't make port ${subject}: ${printable(error)}` }
          : undefined;
      await sleep(pause);
    }
    return undefined;
  } catch (error) {
    return switchProblem(subject, error);
  }
}

/** Throws errors that are not failures of the database. */
export function switchProblem(subject: string, error: unknown): Problem {
  if (!(error instanceof OvsdbError)) throw error;
  return { code: "OVN_AGENT_SWITCH", subject, message: `Open vSwitch's database: ${printable(error.message)}` };
}
