import type { Failure } from "./errors";
import { propertyPath } from "./path";

const NAMES: ReadonlyMap<string, string> = new Map([
  ["__proto__", 'a name can\'t be "__proto__": JavaScript keeps it apart from other names, so the entry would be lost silently'],
  ["toString", 'a name can\'t be "toString": Pulumi calls what is under that name'],
]);
const INHERITED = 'inherits entries, which would be lost silently: "__proto__" in a literal sets an object\'s prototype';
const HALF = "has half of a surrogate pair, which no text in UTF-8 can have: it would arrive as another character";

/** Whether an entry of this name arrives. */
export function isSendableName(name: string): boolean {
  return !NAMES.has(name) && name.isWellFormed();
}

/**
 * What of the arguments would not arrive as it was given, neither at the provider nor in a database. Judges what stands there
 * as plain values; outputs and other objects of classes are left to whoever opens them.
 */
export function unsendable(args: unknown, path: readonly PropertyKey[] = []): Failure[] {
  if (typeof args === "string") return args.isWellFormed() ? [] : [{ path: propertyPath(path), code: "encoding", message: HALF }];
  if (Array.isArray(args)) return args.flatMap((item, index) => unsendable(item, [...path, index]));
  if (typeof args !== "object" || args === null) return [];
  const prototype: unknown = Object.getPrototypeOf(args);
  if (inherits(prototype)) return [{ path: propertyPath(path), code: "name", message: INHERITED }];
  if (!isBase(prototype)) return [];
  return Object.entries(args).flatMap(([name, value]) => {
    const here = [...path, name];
    const why = NAMES.get(name);
    if (why !== undefined) return [{ path: propertyPath(here), code: "name", message: why }];
    if (!name.isWellFormed()) return [{ path: propertyPath([...path, name.toWellFormed()]), code: "encoding", message: HALF }];
    return unsendable(value, here);
  });
}

/** The prototype of a plain object, of whatever realm. */
function isBase(prototype: unknown): boolean {
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** A plain object as prototype. A class has its constructor there. */
function inherits(prototype: unknown): boolean {
  return !isBase(prototype) && isBase(Object.getPrototypeOf(prototype)) && !Object.hasOwn(prototype as object, "constructor");
}
