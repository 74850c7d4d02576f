import { ArgumentError, type Failure } from "../errors";
import type { Rendered, RowKind, ZoneArgs } from "../kind";
import { ensureRows, readRows, removeRows, type Target } from "../rows/engine";
import { rowUuid } from "../rows/identity";
import { rowLines, setDigest } from "../rows/lines";
import type { DatabaseName } from "../rows/rowset";
import type { Connections } from "../zones/connections";
import type { Checked, Differences, Handler, Properties } from "./handler";
import { inResource, resourceOf } from "./report";
import { hasUnknown, sameJson, UNKNOWN } from "./unknown";
import { validate } from "./validate";

/**
 * Properties beside a kind's own arguments:
 * - `owner`: the URN under which the resource was made; kept for life, so that renames change no row
 * - `rows`: one line for each row, for people; only in the inputs
 * - `digest`: equal for equal row sets; what `diff` compares
 * - `drift`: what a refresh found to differ; only in the outputs, and only then
 * - `uuid`: of the row that others refer to
 * - `redact`: a secret is among the arguments, so no line may show them
 */
const OWN = new Set(["owner", "rows", "digest", "drift", "uuid", "redact", "__provider"]);

/** Stands for the lines of rows that would show a secret. */
const HIDDEN = { hidden: "the arguments hold a secret" };

/** Serves any kind that consists of rows. */
export class RowHandler<Args extends ZoneArgs> implements Handler {
  constructor(private readonly kind: RowKind<Args>) {}

  check(olds: Properties, news: Properties, connections: Connections): Checked {
    const owner = typeof olds.owner === "string" ? olds.owner : (news.owner as string);
    const given = this.#given(news);
    const failures = [...validate(this.kind.schema, given), ...zoneFailures(given.zone, this.kind.database, connections)];
    const inputs = { ...given, owner, ...(news.redact === true ? { redact: true } : {}) };
    if (failures.length > 0) return { inputs, failures };
    if (hasUnknown(given)) return { inputs: { ...inputs, rows: UNKNOWN, digest: UNKNOWN, uuid: UNKNOWN }, failures };
    try {
      const rendered = this.#render(given);
      const rows = news.redact === true ? HIDDEN : rowLines(rendered.set.rows);
      return { inputs: { ...inputs, ...rendered.outputs, rows, digest: setDigest(rendered.set), uuid: primaryUuid(rendered, owner) }, failures };
    } catch (error) {
      if (error instanceof ArgumentError) return { inputs, failures: error.failures };
      throw error;
    }
  }

  diff(olds: Properties, news: Properties): Differences {
    const before = this.#given(olds);
    const after = this.#given(news);
    const replaces = ["zone", ...this.kind.replaceOnChange].filter(
      (name) => !hasUnknown(after[name]) && !sameJson(before[name], after[name]),
    );
    const changes = replaces.length > 0 || news.digest !== olds.digest || !sameJson(before, after);
    // The same zone's names and UUIDs are free for the new rows only once the old ones are gone.
    return { changes, replaces, deleteBeforeReplace: replaces.length > 0 && !replaces.includes("zone") };
  }

  create(inputs: Properties, connections: Connections): Promise<{ id: string; outs: Properties }> {
    return inResource(resourceOf(inputs, this.kind.database, connections), async () => {
      const rendered = this.#render(this.#given(inputs));
      await ensureRows(await this.#target(inputs, connections), rendered.set);
      return { id: inputs.uuid as string, outs: outputs(inputs) };
    });
  }

  read(props: Properties, connections: Connections): Promise<{ props: Properties; inputs: Properties } | undefined> {
    return inResource(resourceOf(props, this.kind.database, connections), async () => {
      const rendered = this.#render(this.#given(props));
      const state = await readRows(await this.#target(props, connections), rendered.set);
      if (!state) return undefined;
      const live = { ...outputs(props), digest: state.digest };
      const hidden = props.redact === true;
      const drifted = !hidden && Object.keys(state.drift).length > 0;
      return {
        props: drifted ? { ...live, drift: state.drift } : live,
        inputs: { ...live, rows: hidden ? HIDDEN : state.lines },
      };
    });
  }

  update(olds: Properties, news: Properties, connections: Connections): Promise<{ outs: Properties }> {
    return inResource(resourceOf(news, this.kind.database, connections), async () => {
      const rendered = this.#render(this.#given(news));
      const previous = this.#render(this.#given(olds));
      await ensureRows(await this.#target(news, connections), rendered.set, previous.set);
      return { outs: outputs(news) };
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
    return { client: await connections.get(properties.zone as string, this.kind.database), owner: properties.owner as string };
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

function primaryUuid({ primary }: Rendered, owner: string): string {
  return rowUuid(owner, primary.table, primary.key);
}

/** The lines are for the inputs, where previews and pull requests show them; outputs without them halve the state. */
function outputs(properties: Properties): Properties {
  const { rows: _lines, drift: _drift, __provider: _provider, ...outs } = properties;
  return outs;
}

