import type { ZodType } from "zod";
import { ArgumentError } from "../arguments/errors";
import { hasUnknown, sameJson, UNKNOWN } from "../arguments/unknown";
import { validate } from "../arguments/validate";
import type { Checked, Differences, Handler, Properties } from "./handler";

/** What a pool hands out, and to whom. */
export interface Pool<Spec, Given> {
  readonly schema: ZodType<Spec>;
  /** The output that holds what each owner has. */
  readonly output: string;
  readonly id: string;
  /** Throws ArgumentError when there is not enough. */
  readonly allocate: (spec: Spec, held: Given) => Given;
}

/**
 * Hands out what there is one of, and remembers it in the stack's state: what was once given stays with its owner for as
 * long as the owner is in the list, whatever comes and goes around it. It writes to no database.
 */
export class PoolHandler<Spec, Given extends object> implements Handler {
  constructor(private readonly pool: Pool<Spec, Given>) {}

  check(olds: Properties, news: Properties): Checked {
    const { schema, output, allocate } = this.pool;
    const { owner, [output]: _given, __provider: _provider, redact: _redact, ...args } = news;
    const failures = validate(schema, args);
    const inputs = { ...args, owner };
    if (failures.length > 0) return { inputs, failures };
    if (hasUnknown(args)) return { inputs: { ...inputs, [output]: UNKNOWN }, failures };
    const held = (hasUnknown(olds[output]) ? {} : (olds[output] ?? {})) as Given;
    try {
      return { inputs: { ...inputs, [output]: allocate(schema.parse(args), held) }, failures };
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
    return Promise.resolve({ id: this.pool.id, outs: inputs });
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
