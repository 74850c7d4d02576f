import { ArgumentError } from "../arguments/errors";
import { allocate } from "../topology/keys";
import { tunnelKeyPoolSchema } from "../topology/tunnel-key-pool";
import type { Checked, Differences, Handler, Properties } from "./handler";
import { hasUnknown, sameJson, UNKNOWN } from "../arguments/unknown";
import { validate } from "../arguments/validate";

/**
 * Hands out tunnel keys and remembers them in the stack's state: a key once given stays with its owner for as long as
 * the owner is in the list, whatever comes and goes around it. It writes to no database.
 */
export class TunnelKeyPoolHandler implements Handler {
  check(olds: Properties, news: Properties): Checked {
    const { owner: _owner, keys: _keys, __provider: _provider, redact: _redact, ...given } = news;
    const failures = validate(tunnelKeyPoolSchema, given);
    const inputs = { ...given, owner: news.owner };
    if (failures.length > 0) return { inputs, failures };
    if (hasUnknown(given)) return { inputs: { ...inputs, keys: UNKNOWN }, failures };
    const { owners, range, fixed } = tunnelKeyPoolSchema.parse(given);
    const held = (hasUnknown(olds.keys) ? {} : (olds.keys ?? {})) as Record<string, number[]>;
    try {
      return { inputs: { ...inputs, keys: allocate({ held: { ...held, ...fixed }, wanted: owners, range }) }, failures };
    } catch (error) {
      if (error instanceof ArgumentError) return { inputs, failures: error.failures };
      throw error;
    }
  }

  diff(olds: Properties, news: Properties): Differences {
    const { __provider: _old, ...before } = olds;
    const { __provider: _new, ...after } = news;
    return { changes: !sameJson(before, after), replaces: [], deleteBeforeReplace: false };
  }

  create(inputs: Properties): Promise<{ id: string; outs: Properties }> {
    return Promise.resolve({ id: "tunnel-keys", outs: inputs });
  }

  read(props: Properties): Promise<{ props: Properties; inputs: Properties }> {
    return Promise.resolve({ props, inputs: props });
  }

  update(_olds: Properties, news: Properties): Promise<{ outs: Properties }> {
    return Promise.resolve({ outs: news });
  }

  delete(): Promise<void> {
    return Promise.resolve();
  }
}
