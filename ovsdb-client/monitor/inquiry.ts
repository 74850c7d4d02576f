import { type OvsdbError, SchemaError } from "../errors";
import type { DatabaseSchema } from "../schema/schema";
import { Again } from "../session/again";
import { rpcError } from "../session/server";
import type { Copy } from "./copy";
import { type Contents, METHODS, type MonitorMethod, monitorParams, readContents } from "./request";

export type Answered = (result: unknown, error: unknown) => void;

/** For whom the contents are asked. */
export interface Inquirer {
  readonly id: string;
  readonly database: string;
  /** Named in errors. */
  readonly endpoint: string;
  readSchema(reply: unknown): DatabaseSchema;
  ask(method: string, params: readonly unknown[], answered: Answered, takesParts?: boolean): void;
  /** Takes the contents. */
  contents(contents: Contents): void;
  /** They will not come. */
  failed(error: OvsdbError): void;
}

const nothing = () => undefined;

/** Asks for the contents of a monitor's tables: by what the server understands, and until they are of the schema that it has. */
export class Inquiry {
  private version = 0;
  /** The request in progress is of no use: it was made for another schema. */
  private outdated = false;
  private readonly repeat = new Again(() => this.begin());

  constructor(
    private readonly inquirer: Inquirer,
    private readonly copy: Copy,
  ) {}

  /** The method in use; it depends on the server's age. */
  get method(): MonitorMethod {
    return METHODS[this.version]!;
  }

  /** The server reports a conversion before it answers later requests, so the next schema counts. */
  schemaChanged(): void {
    this.outdated = true;
  }

  /**
   * The schema is first, in one go: the contents are read by the types that the server has now.
   *
   * @param isCurrent the schema need not be asked for again
   */
  begin(isCurrent = false): void {
    const { method, copy } = this;
    const { id, database, ask, failed } = this.inquirer;
    let params: unknown[];
    try {
      params = monitorParams(method, database, id, copy.wanted, copy.since);
    } catch (error) {
      return failed(error as OvsdbError);
    }
    this.stop();
    this.outdated = false;
    const converted: Answered = (schema, error) => {
      if (error === undefined) this.convert(schema);
    };
    if (!isCurrent) ask("get_schema", [database], converted);
    ask(method, params, (result, error) => this.answer(method, result, error), true);
  }

  /** As `begin`, after a delay if the server has ended the last one soon. */
  again(): void {
    this.repeat.do();
  }

  /** Ends that delay. */
  stop(): void {
    this.repeat.stop();
  }

  private answer(method: MonitorMethod, result: unknown, error: unknown): void {
    const { id, endpoint, ask, contents, failed } = this.inquirer;
    if (this.outdated) {
      if (error === undefined) ask("monitor_cancel", [id], nothing);
      return this.again();
    }
    if (error === undefined) return contents(readContents(method, result));
    const problem = rpcError(method, error, endpoint);
    if (problem.error !== "unknown method" || this.version === METHODS.length - 1) return failed(problem);
    this.version++;
    this.begin();
  }

  private convert(reply: unknown): void {
    try {
      this.outdated = this.copy.convert(this.inquirer.readSchema(reply));
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error;
      this.inquirer.failed(error);
    }
  }
}
