import { ArgumentError, type Failure, notObject, unsendable } from "@pulumi-ovn/provider";
import * as pulumi from "@pulumi/pulumi";
import { isLater } from "./plain";

/**
 * A defect of the program. The message stays as it is: Pulumi prefixes an output's error with `error serializing property "..."`, once for each
 * resource that waits for the output.
 */
export class ProgramError extends pulumi.RunError {
  constructor(
    text: string,
    /** Errors in arguments, if they are the reason. */
    readonly failures: readonly Failure[] = [],
  ) {
    super(text);
    Object.defineProperty(this, "message", { get: () => text, set: () => undefined });
    // If Pulumi does not recognize the error's class, it prints the stack trace, with lines of compiled code.
    this.stack = text;
  }
}

/** All errors in the arguments of a component. */
class Refusal extends ProgramError {
  constructor(what: string, failures: readonly Failure[]) {
    const lines = failures.map(({ path, code, message }) => `  ${path}: ${message} [${code}]`);
    super(`${what} can't be made from these arguments:\n${lines.join("\n")}`, failures);
  }
}

export function refusal(what: string, failures: readonly Failure[]): ProgramError {
  return new Refusal(what, failures);
}

/** Refuses what was found wrong already, together with what the call refuses. */
export function refusingToo<T>(what: string, found: readonly Failure[], call: () => T): T {
  if (found.length === 0) return call();
  try {
    call();
  } catch (error) {
    throw error instanceof Refusal ? new Refusal(what, [...error.failures, ...found]) : error;
  }
  throw refusal(what, found);
}

/** Refuses names and texts that Pulumi would drop or change silently on the way to the provider. */
export function refuseUnsendable(what: string, args: object): void {
  const failures = unsendable(args, (object) => (pulumi.Resource.isInstance(object) ? "is a resource; give the output of it that is meant" : undefined));
  if (failures.length > 0) throw refusal(what, failures);
}

/**
 * Name of a resource in errors. Refuses arguments that are not an object before they are read, for programs without a compiler. `OvnResource`
 * calls it, as does a constructor that reads its arguments earlier.
 *
 * @param kind name of the class
 */
export function named(kind: string, name: string, args: unknown): string {
  const what = `${kind} "${name}"`;
  if (isLater(args)) throw refusal(what, [{ path: "args", code: "invalid_type", message: LATER }]);
  const message = notObject(args);
  if (message !== undefined) throw refusal(what, [{ path: "args", code: args === undefined ? "required" : "invalid_type", message }]);
  return what;
}

const WHOLE = "can't be an output or a promise as a whole";
const LATER = `${WHOLE}; each argument can`;

/** Refuses whole outputs and promises as arguments of a function whose twin takes them. */
export function refuseLater(what: string, twin: string, args: unknown): void {
  if (!isLater(args)) return;
  const failure = { path: "args", code: "invalid_type", message: `${WHOLE}; use ${twin}` };
  const { code, message } = new ArgumentError([failure]);
  throw new ProgramError(`${code}: ${what}: ${message}`, [failure]);
}

/** Runs a pure function over a component's arguments; what it has against them ends the program. */
export function orRefuse<T>(what: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw error instanceof ArgumentError ? refusal(what, error.failures) : error;
  }
}
