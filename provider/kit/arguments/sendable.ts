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

/** Objection against an object of a class; undefined if its reader decides. */
type Judge = (object: object) => string | undefined;

/**
 * Arguments that would not arrive unchanged at the provider or a database. Checks plain values; outputs and other objects of classes are only
 * given to `judge`.
 */
export function unsendable(args: unknown, judge: Judge = () => undefined): Failure[] {
  const failures: Failure[] = [];
  collect(args, [], failures, judge);
  return failures;
}

/** @param path of the value; one list for all of them, because most have nothing wrong */
function collect(value: unknown, path: PropertyKey[], found: Failure[], judge: Judge): void {
  if (typeof value === "string") {
    if (!value.isWellFormed()) found.push({ path: propertyPath(path), code: "encoding", message: HALF });
  } else if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) inside(index, value[index], path, found, judge);
  } else if (typeof value === "object" && value !== null) {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (inherits(prototype)) found.push({ path: propertyPath(path), code: "name", message: INHERITED });
    else if (isBase(prototype)) for (const name of Object.keys(value)) collectEntry(name, (value as Record<string, unknown>)[name], path, found, judge);
    else {
      const message = judge(value);
      if (message !== undefined) found.push({ path: propertyPath(path), code: "resource", message });
    }
  }
}

function collectEntry(name: string, value: unknown, path: PropertyKey[], found: Failure[], judge: Judge): void {
  const why = NAMES.get(name);
  if (why !== undefined) found.push({ path: propertyPath([...path, name]), code: "name", message: why });
  else if (!name.isWellFormed()) found.push({ path: propertyPath([...path, name.toWellFormed()]), code: "encoding", message: HALF });
  else inside(name, value, path, found, judge);
}

function inside(part: PropertyKey, value: unknown, path: PropertyKey[], found: Failure[], judge: Judge): void {
  path.push(part);
  collect(value, path, found, judge);
  path.pop();
}

/** Whether a prototype is that of plain objects, in any realm. */
function isBase(prototype: unknown): boolean {
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** A plain object as prototype. A class has its constructor there. */
function inherits(prototype: unknown): boolean {
  return !isBase(prototype) && isBase(Object.getPrototypeOf(prototype)) && !Object.hasOwn(prototype as object, "constructor");
}
