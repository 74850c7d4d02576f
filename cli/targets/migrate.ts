import { OLD_ZONES_KEY, TARGETS_KEY, zonesOf } from "@pulumi-ovn/provider/targets";
import { type Document, isMap, isScalar, parse, parseDocument, stringify } from "yaml";
import { CommandError } from "../command";

/** The two files after zones have moved from a stack's configuration to a file of targets. */
export interface Migrated {
  readonly configuration: string;
  readonly targets: string;
  readonly zones: readonly string[];
}

/**
 * Moves `ovn:zones` of a stack's configuration to a file of targets. Pure; comments and other settings stay.
 *
 * @param text of `Pulumi.STACK.yaml`
 * @param path of it, for errors
 * @param file what `ovn:targets` will say
 */
export function migrate(text: string, path: string, file: string): Migrated {
  const document = read(text, path);
  const zones = zonesIn(document, path);
  zonesOf(zones, `${path}: ${OLD_ZONES_KEY}`);
  document.deleteIn(["config", OLD_ZONES_KEY]);
  document.setIn(["config", TARGETS_KEY], file);
  return { configuration: document.toString({ lineWidth: 0 }), targets: stringify({ zones }, { lineWidth: 0 }), zones: Object.keys(zones) };
}

function read(text: string, path: string): Document {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error) throw new CommandError("OVN_CONFIG", `can't read ${path}: ${error.message.split("\n")[0]!}`);
  return document;
}

function zonesIn(document: Document, path: string): object {
  const node = document.getIn(["config", OLD_ZONES_KEY], true);
  const named: unknown = document.getIn(["config", TARGETS_KEY]);
  if (node !== undefined && named !== undefined)
    throw new CommandError(
      "OVN_CONFIG",
      `${path} has ${TARGETS_KEY} already, which would name another file then; ${OLD_ZONES_KEY} is not used next to it: run "pulumi config rm ${OLD_ZONES_KEY}"`,
    );
  if (node === undefined) {
    throw new CommandError(
      "OVN_CONFIG",
      `${path} has no ${OLD_ZONES_KEY}: there is nothing to move${typeof named === "string" ? `; ${TARGETS_KEY} names ${named}` : ""}`,
    );
  }
  // `pulumi config set` without --path keeps an object as a text of JSON.
  const value: unknown = isScalar(node) && typeof node.value === "string" ? fromText(node.value) : isMap(node) ? (node.toJS(document) as unknown) : undefined;
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new CommandError("OVN_CONFIG", `${path}: ${OLD_ZONES_KEY} is neither a map nor JSON`);
  if (Object.keys(value).join() === "secure") {
    throw new CommandError(
      "OVN_CONFIG",
      `${path}: ${OLD_ZONES_KEY} is a secret: write "zones:" with what "pulumi config get ${OLD_ZONES_KEY}" prints to a file, run "pulumi config rm ${OLD_ZONES_KEY}" and "pulumi config set ${TARGETS_KEY} FILE"`,
    );
  }
  return value;
}

function fromText(text: string): unknown {
  try {
    return parse(text) as unknown;
  } catch {
    return undefined;
  }
}
