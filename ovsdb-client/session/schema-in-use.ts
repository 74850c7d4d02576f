import { type OvsdbError, ProtocolError } from "../errors";
import { newCall } from "../rpc/call";
import { Shared } from "../rpc/shared";
import { knownSchema } from "../schema/known";
import type { DatabaseSchema } from "../schema/schema";
import type { Since } from "../schema/table";
import { rpcError } from "./server";
import type { Session } from "./session";

/** Schema of a session's database: read once per connection, and again after a conversion. */
export class SchemaInUse {
  private schema: Shared<DatabaseSchema> | undefined;

  constructor(
    private readonly session: Session,
    private readonly database: string,
    private readonly since: Since,
  ) {
    // Another server, or the same one after an upgrade, may have another schema.
    const forget = () => (this.schema = undefined);
    session.listeners.add({ disconnected: forget, schemaChanged: forget });
  }

  get(expires: number, signal: AbortSignal | undefined): Promise<DatabaseSchema> {
    const schema = this.schema ?? this.ask();
    return schema.wait(this.session.pending("get_schema", expires, signal));
  }

  /** Returns a function that reports whether the current schema is still the server's, as far as known. */
  watch(): () => boolean {
    const { schema } = this;
    return () => this.schema === schema;
  }

  /** Callers have timeouts; the call itself ends with the last one of them. */
  private ask(): Shared<DatabaseSchema> {
    const { session } = this;
    const forget = () => {
      if (this.schema === shared) this.schema = undefined;
    };
    const shared = new Shared<DatabaseSchema>(() => {
      forget();
      session.abort(call, undefined);
    });
    const fail = (error: OvsdbError) => {
      forget();
      shared.reject(error);
    };
    const reply = (result: unknown, error: unknown) => {
      let schema: DatabaseSchema;
      try {
        if (error !== undefined) throw rpcError("get_schema", error, session.endpoint);
        schema = knownSchema(result, this.since);
      } catch (problem) {
        if (problem instanceof ProtocolError) throw problem;
        return fail(problem as OvsdbError);
      }
      shared.resolve(schema);
    };
    const call = newCall("get_schema", [this.database], "read", Infinity, { reply, fail });
    this.schema = shared;
    session.send(call);
    return shared;
  }
}
