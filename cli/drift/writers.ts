import type { Connections, DatabaseName } from "@pulumi-ovn/provider/targets";
import type { Trace } from "@pulumi-ovn/provider/tools";
import type { Target } from "../plan/target";
import { writersIn } from "./model";
import { databaseFile, lastWrites, logKey, type LoggedWrite } from "./log";

type Log = ReadonlyMap<string, LoggedWrite>;

const NO_LOG: Log = new Map();

/** Finds last writers of drifted parts. Reads the log of each database at most once. */
export class Writers {
  readonly #logs = new Map<string, Promise<Log>>();

  constructor(private readonly targets: Connections) {}

  async of(trace: Trace | undefined, target: Target | undefined, database: DatabaseName): Promise<string | undefined> {
    const marks = writersIn(trace);
    const write = trace?.row && target && target.kind !== "cluster" ? await this.#write(trace.row, target.name, database) : undefined;
    const logged = write && `${write.comment ?? "a transaction without a comment"}, ${write.time} UTC`;
    return [marks, logged].filter((each) => each !== undefined).join("; ") || undefined;
  }

  async #write({ table, uuid, columns }: NonNullable<Trace["row"]>, target: string, database: DatabaseName): Promise<LoggedWrite | undefined> {
    const endpoints = this.targets.endpoints(target, database);
    let log = this.#logs.get(endpoints);
    if (!log) {
      log = databaseFile(endpoints).then((file) => (file === undefined ? NO_LOG : lastWrites(file)));
      this.#logs.set(endpoints, log);
    }
    const writes = await log;
    const all = (columns.length > 0 ? columns : [undefined]).flatMap((column) => writes.get(logKey(table, uuid, column)) ?? []);
    return all.toSorted((a, b) => (a.time < b.time ? 1 : -1))[0];
  }
}
