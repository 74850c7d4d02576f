import { describeEndpoint } from "@pulumi-ovn/ovsdb-client";
import { adoptFailures, managersOf } from "../../kit/arguments/adopt";
import type { Failure } from "../../kit/arguments/errors";
import { UNKNOWN } from "../../kit/arguments/unknown";
import type { Backend, Ensured, Live, Previous, Properties, Subject } from "../contract/backend";
import type { Rendered } from "./kind";
import type { Connections } from "../../targets/connections";
import { lookFailures, targetFailures } from "../../targets/failures";
import { adoption } from "./adopt/adoption";
import { type EnsureOptions, ensureRows, removeOwned, removeRows } from "./engine";
import { RowError } from "./errors";
import { expose, movedExposed } from "./live/exposed";
import { foreignUuids, redirected } from "./set/references";
import type { Target } from "./live/target";
import type { Extent } from "./marks/extent";
import { hideRows } from "./hide";
import { rowUuid } from "../../kit/identity";
import { impactOf } from "./plan/impact";
import { setDigest } from "./lines/digest";
import { missingSets, planSets } from "./live/match-sets";
import { type Folding, setLines, type RowLines } from "./lines";
import { adoptionKey, type Adopted } from "./set/resolve";
import { readRows } from "./live";
import type { LocalReference, RowSet } from "./set";
import type { DatabaseName } from "../../targets/database";

/**
 * Rows of one of a zone's OVSDB databases. Properties in addition to a kind's own:
 * - `uuid`, `uuids`: of rows that others refer to
 * - `adopt`, `adopted`, `adoption`: see `adoption.ts`
 */
export class RowBackend implements Backend<Rendered> {
  readonly target = "zone";
  readonly arguments = ["adopt"];
  readonly located = ["uuid", "uuids", "adopted", "adoption"];
  readonly unknown = { uuid: UNKNOWN, uuids: UNKNOWN };

  /** @param extent where rows are searched, in addition to known ones */
  constructor(
    private readonly database: DatabaseName,
    private readonly extent?: Extent,
  ) {}

  failures(properties: Properties, targets: Connections): Failure[] {
    return [...adoptFailures(properties), ...targetFailures({ path: "zone", code: "zone" }, properties.zone, (name) => targets.endpoints(name, this.database))];
  }

  describe({ zone }: Properties, targets: Connections): string {
    return describeZone(String(zone ?? ""), this.database, targets);
  }

  lines({ set }: Rendered, properties: Properties = {}): RowLines {
    return setLines(set, foldingOf(properties));
  }

  hide(desired: Rendered, twin: Rendered): Rendered {
    return { ...desired, set: hideRows(desired.set, twin.set) };
  }

  digest({ set }: Rendered): string {
    return setDigest(set);
  }

  impact({ set: before }: Rendered, { set: after }: Rendered): Failure[] {
    return impactOf(before, after);
  }

  id(urn: string, inputs: Properties): string {
    return (inputs.uuid ?? rowUuid(urn, "", "")) as string;
  }

  async locate(subject: Subject, olds: Properties, rendered: Rendered): Promise<Properties> {
    const found = await adoption(olds, managersOf(subject.properties), rendered, () => this.#target(subject));
    const adopted = found.adopted as Adopted | undefined;
    expose(subject.targets, subject.urn, rendered, adopted);
    planSets(subject.targets, subject.properties.zone as string, rendered.set);
    return { ...found, ...exposedUuids(rendered, subject.urn, adopted) };
  }

  async read(subject: Subject, rendered: Rendered): Promise<Live | undefined> {
    const found = await readRows(await this.#target(subject), rendered.set, this.extent, foldingOf(subject.properties));
    if (found?.moved === undefined) return found;
    const { moved, ...state } = found;
    const adopted = { ...(subject.properties.adopted as Adopted | undefined), ...moved };
    const located = { adopted, ...exposedUuids(rendered, subject.urn, adopted) };
    return { ...state, located, warnings: movedWarnings(moved, "the state has the new UUIDs now") };
  }

  async ensure(subject: Subject, { set }: Rendered, previous?: Previous<Rendered>): Promise<Ensured> {
    // Rows of a version that can't be rendered any more may be under other keys: a write that finds none of its own would leave them.
    const assume = !previous ? "absent" : previous.unchanged ? "unchanged" : "nothing";
    const target = await this.#target(subject);
    if (!previous) await subject.targets.refuseShared(subject.properties.zone as string, this.database);
    const { own, others } = await this.#ensured(target, subject.targets, set, { previous: previous?.desired?.set, assume, extent: this.extent });
    const next = "run `pulumi refresh`, which puts the new UUIDs into the state";
    const sets = this.database === "OVN_Northbound" ? await missingSets(target, subject.targets, subject.properties.zone as string, set) : [];
    return { properties: {}, warnings: [...movedWarnings(own, next), ...movedWarnings(others, next, " of other resources"), ...sets] };
  }

  /** Rows of other resources that these rows refer to may have moved, too, and the state of this resource has their former UUIDs. */
  async #ensured(target: Target, targets: Connections, set: RowSet, options: EnsureOptions): Promise<{ own: Adopted; others: object }> {
    const own = await ensureRows(target, set, options).catch((error: unknown) => {
      if (error instanceof RowError && BROKEN_REFERENCE.has(error.code)) return error;
      throw error;
    });
    const isWhole = !(own instanceof RowError);
    if (isWhole && Object.keys(own).length === 0) return { own, others: {} };
    const { client, call = {} } = target;
    const referred = [set, ...(options.previous ? [options.previous] : [])].flatMap((each) => [...foreignUuids(each)]);
    const moved = await movedExposed(targets, { client, schema: await client.getSchema(call), call }, referred);
    if (moved.size === 0) {
      if (isWhole) return { own, others: {} };
      throw own;
    }
    const to = (uuid: string) => moved.get(uuid) ?? uuid;
    const previous = options.previous && redirected(options.previous, to);
    const again = await ensureRows(target, redirected(set, to), { ...options, previous, assume: "nothing" });
    return { own: again, others: Object.fromEntries(moved) };
  }

  /** Puts the rows right that the state knows. An update that failed may have made others, which work. */
  async restore(subject: Subject, { set }: Rendered): Promise<void> {
    await ensureRows(await this.#target(subject), set, { previous: set, leavesOthers: true });
  }

  async remove(subject: Subject, rendered: Rendered | undefined): Promise<void> {
    const target = await this.#target(subject);
    if (rendered) return removeRows(target, rendered.set, this.extent);
    if (this.extent) return removeOwned(target, this.extent);
    throw new Error("a kind whose old arguments may not be known needs an extent");
  }

  async #target({ urn, properties, targets, former, signal }: Subject): Promise<Target> {
    return {
      client: await targets.get(properties.zone as string, this.database),
      owner: urn,
      managers: managersOf(properties) ?? [],
      ...(properties.adopted !== undefined && { adopted: properties.adopted as Adopted }),
      ...(former !== undefined && { former: { name: former, client: () => targets.get(former, this.database) } }),
      ...(signal && { call: { signal } }),
    };
  }
}

/** Codes of a write that refers to a row that does not exist. */
const BROKEN_REFERENCE: ReadonlySet<string> = new Set(["OVN_PARENT_MISSING", "OVN_REFERENCED"]);

function movedWarnings(moved: object, next: string, whose = ""): Failure[] {
  const rows = Object.keys(moved).length;
  if (rows === 0) return [];
  const what = `${rows} ${rows === 1 ? `row${whose} has another UUID` : `rows${whose} have other UUIDs`} than in the state, as after a restore from a backup`;
  return [{ path: "", code: "OVN_WARN_MOVED", message: `${what}; found by owner mark and name; ${next}` }];
}

/** If most rows come from a list, the list's own diff shows them. */
function foldingOf({ members }: Properties): Folding {
  return members === undefined ? "set" : "table";
}

/** Whether the targets tell how to reach a zone's database. */
export function zoneFailures(zone: string, database: DatabaseName, targets: Connections): Failure[] {
  return lookFailures({ path: "zone", code: "zone" }, () => targets.endpoints(zone, database));
}

/** A zone in errors, with the endpoints of its database where they are known. */
export function describeZone(zone: string, database: DatabaseName, targets: Connections): string {
  const unreachable = zoneFailures(zone, database, targets).length > 0;
  const what = Object.hasOwn(targets.zones, zone) || !Object.hasOwn(targets.hosts, zone) ? "zone" : "host";
  return `${what} "${zone}"${unreachable ? "" : ` (${describeEndpoint(targets.endpoints(zone, database))})`}`;
}

/** UUIDs for references of other resources. */
function exposedUuids({ primary, exposes }: Rendered, owner: string, adopted: Adopted = {}): Properties {
  const uuid = ({ table, key }: LocalReference) => adopted[adoptionKey(table, key)] ?? rowUuid(owner, table, key);
  return {
    ...(primary && { uuid: uuid(primary) }),
    ...(exposes && { uuids: Object.fromEntries(exposes.map((row) => [row.key, uuid(row)])) }),
  };
}
