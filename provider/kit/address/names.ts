import { ArgumentError } from "../arguments/errors";
import { quote } from "./text";

/** In bytes. Linux: IFNAMSIZ is 16 with the closing zero. A longer bridge name is cut without an error on the userspace datapath. */
export const LONGEST_INTERFACE_NAME = 15;

// Characters that end a string, a set, a comment or a list: in match expressions, comma lists, ovn-nbctl's syntax.
const UNSAFE: readonly (readonly [RegExp, string])[] = [
  [/["'`]/, "quotes"],
  [/[{}[\]()]/, "braces"],
  [/\s/, "white space"],
  [/[\u0000-\u001f\u007f-\u009f]/, "control characters"],
  [/[\\,*$]/, "any of \\ , * $"],
];

/** A name that may go into a match expression, an option or another name. */
export function checkName(text: string): string {
  if (text === "") throw ArgumentError.of("", "name", "a name can't be empty");
  for (const [pattern, what] of UNSAFE) {
    if (pattern.test(text)) throw ArgumentError.of("", "name", `name ${quote(text)} can't have ${what}: names become part of OVN match expressions`);
  }
  return text;
}

/** The name of a Linux network interface or an Open vSwitch bridge. */
export function checkInterfaceName(text: string): string {
  checkName(text);
  const bytes = Buffer.byteLength(text);
  if (bytes > LONGEST_INTERFACE_NAME) {
    const length = bytes === text.length ? `${bytes} characters` : `${bytes} bytes in UTF-8`;
    throw ArgumentError.of("", "name", `name ${quote(text)} has ${length}: interfaces and bridges have at most ${LONGEST_INTERFACE_NAME}`);
  }
  if (/[/:]/.test(text) || text === "." || text === "..") throw ArgumentError.of("", "name", `name ${quote(text)} is not allowed for an interface`);
  return text;
}

/** The name of a network outside: `ovn-bridge-mappings` is a list of NAME:BRIDGE (ovn-controller(8)). */
export function checkMappedName(text: string): string {
  if (checkName(text).includes(":"))
    throw ArgumentError.of("", "name", `name ${quote(text)} can't have a colon: ovn-bridge-mappings has one between a name and its bridge`);
  return text;
}

/** A string constant of an OVN match expression, quotes included (ovn-sb(5), Logical_Flow match: JSON strings). */
export function matchString(text: string): string {
  return JSON.stringify(text);
}

/**
 * How ovn-kubernetes begins the names of a network's objects: `-` and `/` become `.`, and `_` follows. The
 * default network has an empty name and an empty prefix.
 */
export function networkPrefix(network: string): string {
  return network === "" ? "" : `${network.replaceAll(/[-/]/g, ".")}_`;
}
