import { type Document, isAlias, isMap, isScalar, type YAMLMap } from "yaml";
import { CommandError } from "../command";

/** The map at a path of a document. Undefined if the path is empty. Refuses a value that is not a map of its own: a write would lose it. */
export function mapAt(document: Document, path: readonly string[], file: string): YAMLMap | undefined {
  let map = own(document.contents, [], file);
  path.forEach((key, index) => (map = map && own(map.get(keyOf(map, key), true), path.slice(0, index + 1), file)));
  return map;
}

/** The same; makes what is not there. */
export function ensuredMap(document: Document, path: readonly string[], file: string): YAMLMap {
  const found = mapAt(document, path, file) ?? document.createNode({});
  const key = path.at(-1);
  if (key === undefined) document.contents ??= found;
  else {
    const parent = ensuredMap(document, path.slice(0, -1), file);
    parent.set(keyOf(parent, key), found);
  }
  // A flow map that is empty would grow into one long line.
  if (found.items.length === 0) found.flow = false;
  return found;
}

/** A key as the map has it: Pulumi takes the number 1 for the text "1". */
export function keyOf(map: YAMLMap, key: string): unknown {
  return map.items.map((item) => item.key).find((found) => textOf(found) === key) ?? key;
}

function textOf(key: unknown): string {
  return String(isScalar(key) ? key.value : key);
}

function own(node: unknown, path: readonly string[], file: string): YAMLMap | undefined {
  if (node === undefined || node === null || (isScalar(node) && node.value === null)) return undefined;
  const refuse = (what: string) => new CommandError("OVN_CONFIG", `${file}: ${path.join(".") || "the file"} ${what}; write a map of its own there`);
  if (isAlias(node)) throw refuse(`is an alias of *${node.source}, so a change would affect every use of it`);
  if (!isMap(node)) throw refuse("is not a map");
  const keys = node.items.map(({ key }) => textOf(key));
  if (keys.includes("<<")) throw refuse("takes entries from another map by <<");
  if (keys.length === 1 && keys[0] === "secure") throw refuse("is a secret");
  return node;
}
