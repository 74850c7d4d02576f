import type { OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import type { Lines, Subject } from "../../contract/backend";
import { RowBackend } from "../../rows/backend";
import { rowsOf, select, uuidIn } from "../../../targets/select";
import { rowLabel } from "../../rows/set/words";
import type { DesiredRow, RowSet } from "../../rows/set";
import { MISSING } from "../../rows/marks/surplus";

/** Differences between a host's rows and a row set. */
export interface RowDrift {
  /** Names of bridges and ports that do not exist, sorted. */
  readonly missing: readonly string[];
  /** Rows of bridges, ports and interfaces that differ, by label. */
  readonly changed: Lines;
  /** Names of bridges, and of ports that the switch makes, that rows of another owner have. */
  readonly taken: readonly string[];
}

const ROWS = new RowBackend("Open_vSwitch");

/** Compares rows, except leftovers of an interrupted run. A workload's port is correct on its bridge, even if a hypervisor attached it. */
export async function rowDrift(subject: Subject, set: RowSet): Promise<RowDrift> {
  const host = subject.properties.host as string;
  const live = await ROWS.read({ ...subject, properties: { ...subject.properties, zone: host } }, { set });
  const labelled = new Map(set.rows.map((row) => [rowLabel(row), row]));
  const drift: Lines = live ? live.drift : Object.fromEntries([...labelled.keys()].map((label) => [label, MISSING]));
  const own = Object.entries(drift).flatMap(([label, how]) => (labelled.has(label) ? [{ label, how, row: labelled.get(label)! }] : []));
  const missing = [...new Set(own.flatMap(({ how, row }) => (how === MISSING ? [nameOf(row)] : [])))].sort();
  const others = missing.length === 0 ? new Map<string, string | undefined>() : await otherRows(await subject.targets.get(host, "Open_vSwitch"), missing);
  const workloads = new Map(set.rows.flatMap((row) => (row.table === "Interface" && row.columns["type"] === undefined ? [[nameOf(row), row] as const] : [])));
  const bridges = new Map(set.rows.flatMap((row) => (row.table === "Port" ? [[nameOf(row), bridgeOf(row)] as const] : [])));
  const elsewhere = [...others].flatMap(([name, bridge]) =>
    workloads.has(name) && bridge !== bridges.get(name) ? [[`Port ${name}`, `on bridge ${bridge}, not on ${bridges.get(name)}`] as const] : [],
  );
  return {
    missing: missing.filter((name) => !others.has(name)),
    changed: Object.fromEntries([...own.flatMap(({ label, how }) => (how === MISSING ? [] : [[label, how] as const])), ...elsewhere]),
    taken: [...others.keys()].filter((name) => !workloads.has(name)),
  };
}

/** Names that rows have, with the bridge of a port. */
async function otherRows(client: OvsdbClient, names: readonly string[]): Promise<Map<string, string | undefined>> {
  const tables = ["Bridge", "Port"];
  const results = await client.transact(names.flatMap((name) => tables.map((table) => select(table, [["name", "==", name]], ["_uuid"]))));
  const found = names.flatMap((name, index) => {
    const [bridge, port] = tables.map((_, at) => rowsOf(results[index * tables.length + at])[0]);
    return bridge || port ? [{ name, port: port && uuidIn(port) }] : [];
  });
  if (found.length === 0) return new Map();
  const bridges = await client.transact(
    found.map(({ port = "" }) => select("Bridge", port === "" ? [["name", "==", ""]] : [["ports", "includes", ["uuid", port]]], ["name"])),
  );
  return new Map(found.map(({ name }, index) => [name, rowsOf(bridges[index])[0]?.["name"] as string | undefined]));
}

/** Bridges, ports and interfaces have their name as key. */
const nameOf = (row: DesiredRow): string => row.columns["name"] as string;

function bridgeOf({ parent }: DesiredRow): string | undefined {
  const row = parent?.row as { readonly name?: string; readonly key?: string } | undefined;
  return row?.name ?? row?.key;
}
