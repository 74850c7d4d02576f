import type { Failures } from "../../kit/arguments/failures";

/** Values that only one may have. */
export class Holders {
  private readonly holders = new Map<string, string>();

  constructor(private readonly failures: Failures) {}

  /** Whether the value was free; a failure at `path`, which may be told when it is needed, when it was not. */
  claim(what: string, value: string | number, holder: string, path: string | (() => string)): boolean {
    const key = `${what} ${value}`;
    const other = this.holders.get(key);
    if (other === undefined) this.holders.set(key, holder);
    else this.failures.add(typeof path === "string" ? path : path(), "duplicate", `${key} is already used by ${other}`);
    return other === undefined;
  }
}
