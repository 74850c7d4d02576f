import { randomBytes } from "node:crypto";
import { ArgumentError, type Failure } from "../arguments/errors";
import type { Rendered, RowKind, ZoneArgs } from "../kind";
import { ensureRows, removeRows, type Target } from "../rows/engine";
import { readRows } from "../rows/read";
import { rowUuid } from "../rows/identity";
import type { LiveState } from "../rows/drift";
import { adoptionKey, type Adopted } from "../rows/resolve";
import { setDigest, setLines } from "../rows/lines";
import type { DatabaseName, LocalReference } from "../rows/rowset";
import type { Connections } from "../zones/connections";
import { adoption, adoptFailures, managersOf } from "./adoption";
import type { Checked, Differences, Handler, Properties } from "./handler";
import { inResource, resourceOf } from "./report";
import { hasUnknown, sameJson, UNKNOWN } from "../arguments/unknown";
import { validate } from "../arguments/validate";

/**
 * Properties beside a kind's own arguments:
 * - `owner`: the URN under which the resource was made; kept for life, so that renames change no row
 * - `rows`: one line for each row, for people; only in the inputs
 * - `digest`: equal for equal row sets; what `diff` compares
 * - `revision`: another value each time that rows were written, also the same ones again; only in the outputs
 * - `drift`: what a refresh found to differ; only in the outputs, and only then
 * - `uuid`, `uuids`: of the rows that others refer to
 * - `adopt`, `adopted`, `adoption`: see `adoption.ts`
 * - `redact`: names of the arguments that hold a secret, so no line may show them
 */
const OWN = new Set(["owner", "rows", "digest", "revision", "drift", "uuid", "uuids", "redact", "adopt", "adopted", "adoption", "__provider"]);

/** As many drifted rows are named; the digest tells of all. */
const MOST_DRIFTED = 20;

/** Stands for the lines of rows that would show a secret. */
const HIDDEN = { hidden: "the arguments hold a secret" };

/** Serves any kind that consists of rows. */
export class RowHandler<Args extends ZoneArgs> implements Handler {
  constructor(private readonly kind: RowKind<Args>) {}

  async check(olds: Properties, news: Properties, connections: Connections): Promise<Checked> {
    const owner = typeof olds.owner === "string" ? olds.owner : (news.owner as string);
    const given = this.#given(news);
    const failures = [...validate(this.kind.schema, given), ...adoptFailures(news), ...zoneFailures(given.zone, this.kind.database, connections)];
    const inputs: Properties = { ...given, owner, ...pick(news, ["adopt", "redact"]) };
    if (failures.length > 0) return { inputs, failures };
    if (hasUnknown(given)) return { inputs: { ...inputs, rows: UNKNOWN, digest: UNKNOWN, uuid: UNKNOWN, uuids: UNKNOWN }, failures };
    try {
      const rendered = this.#render(given);
      const adopted = await adoption(olds, managersOf(news), rendered, () => this.#target(inputs, connections));
      const rows = Array.isArray(news.redact) ? HIDDEN : setLines(rendered.set);
      const computed = { rows, digest: setDigest(rendered.set), ...exposedUuids(rendered, owner, adopted.adopted as Adopted) };
      return { inputs: { ...inputs, ...rendered.outputs, ...adopted, ...computed }, failures };
    } catch (error) {
      if (error instanceof ArgumentError) return { inputs, failures: error.failures };
      return { inputs, failures: [adoptionFailure(error)] };
    }
  }

  diff(olds: Properties, news: Properties): Differences {
    const replaces = ["zone", ...this.kind.replaceOnChange].filter(
      (name) => !hasUnknown(news[name]) && !sameJson(olds[name], news[name]),
    );
    // The digest tells of every row: arguments in another order, or said in other words, change nothing.
    const changes = replaces.length > 0 || news.digest !== olds.digest;
    // The same zone's names and UUIDs are free for the new rows only once the old ones are gone.
    return { changes, replaces, deleteBeforeReplace: replaces.length > 0 && !replaces.includes("zone") };
  }

  create(inputs: Properties, connections: Connections): Promise<{ id: string; outs: Properties }> {
    return inResource(resourceOf(inputs, this.kind.database, connections), async () => {
      const rendered = this.#render(this.#given(inputs));
      await ensureRows(await this.#target(inputs, connections), rendered.set);
      return this.state(inputs);
    });
  }

  /** What the stack keeps of a resource whose rows are as these inputs say. */
  state(inputs: Properties): { id: string; outs: Properties } {
    return { id: (inputs.uuid ?? rowUuid(inputs.owner as string, "", "")) as string, outs: { ...outputs(inputs), revision: newRevision() } };
  }

  async read(props: Properties, connections: Connections): Promise<{ props: Properties; inputs: Properties } | undefined> {
    const state = await this.live(props, connections);
    if (!state) return undefined;
    const live = { revision: state.digest, ...outputs(props), digest: state.digest };
    const hidden = Array.isArray(props.redact);
    const drift = Object.entries(state.drift).slice(0, MOST_DRIFTED);
    const drifted = !hidden && drift.length > 0;
    return {
      props: drifted ? { ...live, drift: Object.fromEntries(drift) } : live,
      inputs: { ...live, rows: hidden ? HIDDEN : state.lines },
    };
  }

  /** The rows of a resource with these properties as the database has them; undefined when there is no trace of them. */
  live(props: Properties, connections: Connections): Promise<LiveState | undefined> {
    return inResource(resourceOf(props, this.kind.database, connections), async () => {
      const rendered = this.#render(this.#given(props));
      return readRows(await this.#target(props, connections), rendered.set);
    });
  }

  update(olds: Properties, news: Properties, connections: Connections): Promise<{ outs: Properties }> {
    return inResource(resourceOf(news, this.kind.database, connections), async () => {
      const rendered = this.#render(this.#given(news));
      const previous = this.#render(this.#given(olds));
      // After a refresh that found drift, the rows are not as the old arguments say.
      const assumption = olds.digest === setDigest(previous.set) ? "unchanged" : undefined;
      await ensureRows(await this.#target(news, connections), rendered.set, { previous: previous.set, assume: assumption });
      return { outs: { ...outputs(news), revision: newRevision() } };
    });
  }

  delete(props: Properties, connections: Connections): Promise<void> {
    return inResource(resourceOf(props, this.kind.database, connections), async () => {
      const rendered = this.#render(this.#given(props));
      await removeRows(await this.#target(props, connections), rendered.set);
    });
  }

  /** The kind's own arguments among the properties. */
  #given(properties: Properties): Properties {
    const computed = new Set(this.kind.outputs);
    return Object.fromEntries(Object.entries(properties).filter(([name]) => !OWN.has(name) && !computed.has(name)));
  }

  #render(given: Properties): Rendered {
    return this.kind.render(this.kind.schema.parse(given));
  }

  async #target(properties: Properties, connections: Connections): Promise<Target> {
    return {
      client: await connections.get(properties.zone as string, this.kind.database),
      owner: properties.owner as string,
      managers: managersOf(properties) ?? [],
      ...(properties.adopted !== undefined && { adopted: properties.adopted as Adopted }),
    };
  }
}

function zoneFailures(zone: unknown, database: DatabaseName, connections: Connections): Failure[] {
  if (typeof zone !== "string" || zone === "" || hasUnknown(zone)) return [];
  try {
    connections.endpoints(zone, database);
    return [];
  } catch (error) {
    return [{ path: "zone", code: "zone", message: (error as Error).message }];
  }
}

function adoptionFailure(error: unknown): Failure {
  const { code = "OVN_INTERNAL", message } = error as Error & { code?: string };
  return { path: "adopt", code, message };
}

/** What other resources refer to. */
function exposedUuids({ primary, exposes }: Rendered, owner: string, adopted: Adopted = {}): Properties {
  const uuid = ({ table, key }: LocalReference) => adopted[adoptionKey(table, key)] ?? rowUuid(owner, table, key);
  return {
    ...(primary && { uuid: uuid(primary) }),
    ...(exposes && { uuids: Object.fromEntries(exposes.map((row) => [row.key, uuid(row)])) }),
  };
}

function pick(properties: Properties, names: readonly string[]): Properties {
  return Object.fromEntries(names.flatMap((name) => (properties[name] === undefined ? [] : [[name, properties[name]]])));
}

function newRevision(): string {
  return randomBytes(6).toString("hex");
}

/** The lines are for the inputs, where previews and pull requests show them; outputs without them halve the state. */
function outputs(properties: Properties): Properties {
  const { rows: _lines, drift: _drift, adoption: _adoption, __provider: _provider, ...outs } = properties;
  return outs;
}

