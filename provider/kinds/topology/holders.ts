import type { Failures } from "../../kit/arguments/failures";

/** Values of a resource's arguments that only one of them may have. */
export class Holders {
  private readonly holders = new Map<string, string>();

  constructor(private readonly failures: Failures) {}

  /** Takes a value. Returns whether the value was free; otherwise adds a failure at `path`. A function as `path` is called only then. */
  take(what: string, value: string | number, holder: string, path: string | (() => string)): boolean {
    const key = `${what} ${value}`;
    const other = this.holders.get(key);
    if (other === undefined) this.holders.set(key, holder);
    else this.failures.add(typeof path === "string" ? path : path(), "duplicate", `${key} is already used by ${other}`);
    return other === undefined;
  }
}
