import { spawn } from "node:child_process";
import { access, constants } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { endsWithProcess } from "@pulumi-ovn/ovsdb-client";

/** Last transaction that wrote a row, as a database's file has it. */
export interface LoggedWrite {
  readonly time: string;
  /** Comment of the transaction, which ovn-nbctl and this package write. */
  readonly comment: string | undefined;
}

/** Folders of OVN's packages for databases. */
const FOLDERS = ["/var/lib/ovn", "/etc/ovn"];

/** Milliseconds for reading one file. */
const PATIENCE = 20_000;

const SOCKET = /^unix:(.*)\.(?:sock|ctl)$/;
const RECORD = /^record \d+: (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)(?:\.\d+)?(?: "(.*?)"?)?$/;
const ROW = /^ {2}table (\w+) (?:insert |delete )?row (?:".*" )?\(?([0-9a-f]{8})\)?/;
const COLUMN = /^ {4}(\w+)=/;

/** Key of `lastWrites` for a column, or for any change of the row. Logs have only the beginning of a UUID. */
export const logKey = (table: string, uuid: string, column = ""): string => `${table} ${uuid.slice(0, 8)} ${column}`;

/** The readable file of a database with a local socket: next to the socket, or in a folder of OVN's packages. Undefined if there is no such file. */
export async function databaseFile(endpoints: string): Promise<string | undefined> {
  const [, socket] = SOCKET.exec(endpoints) ?? [];
  if (socket === undefined) return undefined;
  const name = `${basename(socket)}.db`;
  for (const path of [dirname(socket), ...FOLDERS].map((folder) => join(folder, name))) {
    const isReadable = await access(path, constants.R_OK).then(
      () => true,
      () => false,
    );
    if (isReadable) return path;
  }
  return undefined;
}

/** Last writes of rows and columns by `logKey`, from `ovsdb-tool show-log`. Empty without ovsdb-tool, or if it can't read the file. */
export async function lastWrites(file: string): Promise<ReadonlyMap<string, LoggedWrite>> {
  const child = spawn("ovsdb-tool", ["show-log", "-mm", file], { stdio: ["ignore", "pipe", "ignore"], timeout: PATIENCE });
  endsWithProcess(child);
  const ended = new Promise<void>((resolve) => child.once("error", () => resolve()).once("close", () => resolve()));
  const writes = await readLog(createInterface({ input: child.stdout, crlfDelay: Infinity }));
  await ended;
  return writes;
}

/** Reads the output of `ovsdb-tool show-log -mm`. */
export async function readLog(lines: AsyncIterable<string> | Iterable<string>): Promise<ReadonlyMap<string, LoggedWrite>> {
  const writes = new Map<string, LoggedWrite>();
  let current: LoggedWrite | undefined;
  let row: RegExpExecArray | null = null;
  for await (const line of lines) {
    const record = RECORD.exec(line);
    if (record) current = { time: record[1]!, comment: record[2] };
    row = ROW.exec(line) ?? (record ? null : row);
    if (!row || !current) continue;
    const column = COLUMN.exec(line);
    writes.set(logKey(row[1]!, row[2]!, column?.[1]), current);
  }
  return writes;
}
