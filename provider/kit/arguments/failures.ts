import { ArgumentError, type Failure } from "./errors";

export { propertyPath } from "./path";

/** Collects all failures, so that a user sees them together. */
export class Failures {
  readonly found: Failure[] = [];

  add(path: string, code: string, message: string): void {
    this.found.push({ path, code, message });
  }

  addAll(failures: readonly Failure[]): void {
    this.found.push(...failures);
  }

  /** Runs an address function whose argument came from `path`; its failure becomes the argument's. */
  attempt<T>(path: string, call: () => T): T | undefined {
    try {
      return call();
    } catch (error) {
      if (!(error instanceof ArgumentError)) throw error;
      this.addAll(error.failures.map((failure) => ({ ...failure, path: joinPaths(path, failure.path) })));
      return undefined;
    }
  }

  throwIfAny(): void {
    if (this.found.length > 0) throw new ArgumentError(this.found);
  }
}

function joinPaths(outer: string, inner: string): string {
  if (outer === "" || inner === "") return outer + inner;
  return inner.startsWith("[") ? outer + inner : `${outer}.${inner}`;
}
