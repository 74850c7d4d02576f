import type { OvsdbClient, Row } from "@pulumi-ovn/ovsdb-client";
import { z } from "zod";
import { ArgumentError } from "../../kit/arguments/errors";
import { nearest } from "../../kit/arguments/nearest";
import { accepted, argumentNames } from "../../kit/arguments/validate";
import { notObject } from "../../kit/arguments/wording";
import { messageIn } from "../../targets/message-in";
import { describeZone } from "../../backends/rows/backend";
import type { Connections } from "../../targets/connections";
import { LookupError } from "./errors";
import { mapOf, namesIn, notFound, requestedKey, rowNamed, rowsNamed, uuidOf } from "./rows";
import type { DatapathInfo, LookupArgs, PortInfo, RouterInfo, SwitchInfo } from "./types";

export { LookupError } from "./errors";
export type * from "./types";

/** Finds a switch by its name. Throws a LookupError if no switch, or more than one, has the name. */
export function lookupSwitch(targets: Connections, args: LookupArgs): Promise<SwitchInfo> {
  return inZone("getSwitch", targets, args, async (client) => {
    const row = await rowNamed(client, "Logical_Switch", args.name, ["name", "ports", "other_config", "external_ids"]);
    const otherConfig = mapOf(row, "other_config");
    return { ...(await datapath(client, targets, args, row, "logical-switch", "Logical_Switch_Port", otherConfig)), otherConfig };
  });
}

/** Finds a router by its name. Throws a LookupError if no router, or more than one, has the name. */
export function lookupRouter(targets: Connections, args: LookupArgs): Promise<RouterInfo> {
  return inZone("getRouter", targets, args, async (client) => {
    const row = await rowNamed(client, "Logical_Router", args.name, ["name", "ports", "options", "external_ids"]);
    const options = mapOf(row, "options");
    return { ...(await datapath(client, targets, args, row, "logical-router", "Logical_Router_Port", options)), options };
  });
}

const PORTS = [
  {
    kind: "switch",
    table: "Logical_Switch_Port",
    parent: "Logical_Switch",
    columns: ["name", "type", "addresses", "dynamic_addresses", "options", "external_ids"],
  },
  { kind: "router", table: "Logical_Router_Port", parent: "Logical_Router", columns: ["name", "mac", "networks", "options", "external_ids"] },
] as const;

/** Finds a switch's or router's port by its name. Throws a LookupError if no port has the name, or if both kinds have one. */
export function lookupPort(targets: Connections, args: LookupArgs): Promise<PortInfo> {
  return inZone("getPort", targets, args, async (client) => {
    const found = await Promise.all(PORTS.map(async (side) => ({ ...side, row: (await rowsNamed(client, side.table, args.name, side.columns))[0] })));
    const [side, other] = found.flatMap((one) => (one.row ? [{ ...one, row: one.row }] : []));
    if (!side) throw notFound("port", args.name, (await Promise.all(PORTS.map(({ table }) => namesIn(client, table)))).flat());
    if (other)
      throw new LookupError(
        "OVN_NOT_FOUND",
        `a switch port and a router port are called "${args.name}": ${[side, other].map(({ row }) => uuidOf(row)).join(", ")}; rename one`,
      );
    const uuid = uuidOf(side.row);
    const [parent] = await client.select(side.parent, { where: [["ports", "includes", [uuid]]], columns: ["name"] });
    if (!parent) throw new LookupError("OVN_NOT_FOUND", `port "${args.name}" was deleted during the lookup`);
    const options = mapOf(side.row, "options");
    return {
      uuid,
      name: args.name,
      on: { kind: side.kind, uuid: uuidOf(parent), name: parent["name"] as string },
      ...addressesOf(side.row),
      tunnelKey: (await southboundKey(targets, args.zone, "Port_Binding", { logical_port: args.name })) ?? requestedKey(options),
      options,
      externalIds: mapOf(side.row, "external_ids"),
    };
  });
}

async function datapath(
  client: OvsdbClient,
  targets: Connections,
  { zone }: LookupArgs,
  row: Row,
  mark: string,
  table: string,
  config: Readonly<Record<string, string>>,
): Promise<DatapathInfo> {
  const uuid = uuidOf(row);
  const wanted = new Set(row["ports"] as readonly string[]);
  const results =
    wanted.size === 0
      ? []
      : await client.transact([...wanted].map((port) => ({ op: "select", table, where: [["_uuid", "==", ["uuid", port]]], columns: ["name"] }) as const));
  const names = results.map(({ rows = [] }) => rows[0]?.["name"] as string | undefined);
  const ports = [...wanted].flatMap((port, index): [string, string][] => (names[index] === undefined ? [] : [[names[index], port]]));
  return {
    uuid,
    name: row["name"] as string,
    tunnelKey: (await southboundKey(targets, zone, "Datapath_Binding", [["external_ids", "includes", new Map([[mark, uuid]])]])) ?? requestedKey(config),
    ports: Object.fromEntries(ports.sort(([a], [b]) => (a < b ? -1 : 1))),
    externalIds: mapOf(row, "external_ids"),
  };
}

/** The key that northd has given; undefined where it has not yet, or where nothing leads to the Southbound database. */
async function southboundKey(targets: Connections, zone: string, table: string, where: object): Promise<number | undefined> {
  if (targets.zone(zone).southbound === undefined) return undefined;
  const client = await targets.get(zone, "OVN_Southbound");
  const [binding] = await client.select(table, { where: where as never, columns: ["tunnel_key"] });
  return binding && Number(binding["tunnel_key"]);
}

const MAC = /^[0-9a-f]{2}(?::[0-9a-f]{2}){5}$/i;

function addressesOf(row: Row): Pick<PortInfo, "type" | "macs" | "addresses"> {
  if (row["mac"] !== undefined) return { type: "", macs: [row["mac"] as string], addresses: [...(row["networks"] as readonly string[])].sort() };
  const words = [...(row["addresses"] as readonly string[]), (row["dynamic_addresses"] as string | null) ?? ""]
    .flatMap((text) => text.split(/\s+/))
    .filter((word) => word.includes(":") || word.includes("."));
  const unique = [...new Set(words)];
  return { type: row["type"] as string, macs: unique.filter((word) => MAC.test(word)), addresses: unique.filter((word) => !MAC.test(word)) };
}

/** Adds to every error what was looked up, and where. */
async function inZone<T>(what: string, targets: Connections, args: LookupArgs, ask: (client: OvsdbClient) => Promise<T>): Promise<T> {
  const { zone, name } = judged(what, args);
  try {
    return await ask(await targets.get(zone, "OVN_Northbound"));
  } catch (error) {
    const { code = "OVN_INTERNAL", message } = error as Error & { code?: string };
    const zoneText = describeZone(zone, "OVN_Northbound", targets);
    const text = error instanceof LookupError ? message.slice(`${code}: `.length) : messageIn(zoneText, error as Error);
    throw new LookupError(code, `${what} "${name}" in ${zoneText}: ${text}`, { cause: error });
  }
}

const schema: z.ZodType<LookupArgs> = z.strictObject({ zone: z.string().min(1), name: z.string().min(1) });
const NAMES = argumentNames(schema);

/** A program that no compiler has checked may give anything. */
function judged(what: string, args: unknown): LookupArgs {
  try {
    const message = notObject(args);
    if (message !== undefined) throw ArgumentError.of("args", "required", message);
    return accepted(schema, suspicious(args as LookupArgs));
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    throw new LookupError(error.code, `${what}: ${error.message}`, { cause: error, failures: error.failures });
  }
}

/** Zone and name, and further arguments that may stand for one of them: the compiler lets an object with more than these pass. */
function suspicious(args: LookupArgs): object {
  const { zone, name, ...further } = args as LookupArgs & Readonly<Record<string, unknown>>;
  const incomplete = zone === undefined || name === undefined;
  const kept = Object.entries(further).filter(([key, value]) => value !== undefined && (incomplete || nearest(key, NAMES) !== undefined));
  return { zone, name, ...Object.fromEntries(kept) };
}
