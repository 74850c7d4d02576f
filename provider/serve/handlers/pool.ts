import type { ZodType } from "zod";
import { asErrors } from "../../kit/arguments/diagnostics";
import { ArgumentError } from "../../kit/arguments/errors";
import { hasUnknown, sameJson, UNKNOWN } from "../../kit/arguments/unknown";
import { validate } from "../../kit/arguments/validate";
import type {
  CheckRequest,
  CheckResponse,
  CreateRequest,
  DiffRequest,
  DiffResponse,
  ExistingRequest,
  Handler,
  Properties,
  ReadResponse,
  UpdateRequest,
} from "./handler";

/** The values that a pool assigns, and their holders. */
export interface Pool<Spec, Given> {
  readonly schema: ZodType<Spec>;
  /** The output that holds what each owner has. */
  readonly output: string;
  readonly id: string;
  /** Throws ArgumentError when there is not enough. */
  readonly allocate: (spec: Spec, assigned: Given) => Given;
}

/** Assigns unique values and keeps them in the stack's state: an owner keeps its value while it is in the list. Writes to no database. */
export class PoolHandler<Spec, Given extends object> implements Handler {
  constructor(private readonly pool: Pool<Spec, Given>) {}

  check({ olds, news }: CheckRequest): Promise<CheckResponse> {
    const { output } = this.pool;
    const { [output]: _given, ...args } = news;
    const failures = validate(this.pool.schema, args);
    if (failures.length > 0) return Promise.resolve({ inputs: args, diagnostics: asErrors(failures) });
    if (hasUnknown(args)) return Promise.resolve({ inputs: { ...args, [output]: UNKNOWN }, diagnostics: [] });
    return Promise.resolve(this.#allocated(args, (hasUnknown(olds[output]) ? {} : (olds[output] ?? {})) as Given));
  }

  #allocated(args: Properties, assigned: Given): CheckResponse {
    const { schema, output, allocate } = this.pool;
    try {
      return { inputs: { ...args, [output]: allocate(schema.parse(args), assigned) }, diagnostics: [] };
    } catch (error) {
      if (error instanceof ArgumentError) return { inputs: args, diagnostics: asErrors(error.failures) };
      throw error;
    }
  }

  diff({ olds, news }: DiffRequest): DiffResponse {
    return { changes: !sameJson(olds, news), replaces: [], deleteBeforeReplace: false };
  }

  create({ news }: CreateRequest): Promise<{ id: string; outs: Properties }> {
    return Promise.resolve({ id: this.pool.id, outs: news });
  }

  read({ olds }: ExistingRequest): Promise<ReadResponse> {
    return Promise.resolve({ props: olds, inputs: olds });
  }

  update({ news }: UpdateRequest): Promise<{ outs: Properties }> {
    return Promise.resolve({ outs: news });
  }

  delete(): Promise<void> {
    return Promise.resolve();
  }
}
