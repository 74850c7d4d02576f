import { meaningOf, paragraphs } from "./prose";
import type { ClassDocument, PropertyDocument, TypeDocument } from "./types";

/** Types and properties that several pages use, described once in shared.md. */
export interface Shared {
  /** Types by name. */
  readonly types: ReadonlyMap<string, TypeDocument>;
  /** Arguments and outputs by \`propertyKey\`. */
  readonly arguments: ReadonlyMap<string, PropertyDocument>;
  readonly outputs: ReadonlyMap<string, PropertyDocument>;
}

/** Key by which properties of different classes are equal. */
export function propertyKey({ name, type, comment }: PropertyDocument): string {
  return `${name}\n${type}\n${comment}`;
}

/** Words of a comment that is long enough to be shared by two classes. */
const LONG = 8;

const timesOf = ({ comment }: PropertyDocument): number => (comment.split(/\s+/).length < LONG ? 3 : 2);

/** Types used by two classes, and properties used by three, or by two with a long comment. */
export function sharedOf(documents: readonly ClassDocument[]): Shared {
  return {
    types: repeated(
      documents.flatMap(({ nested }) => nested),
      ({ name }) => name,
      () => 2,
    ),
    arguments: repeated(
      documents.flatMap((document) => document.arguments.properties),
      propertyKey,
      timesOf,
    ),
    outputs: repeated(
      documents.flatMap((document) => document.outputs),
      propertyKey,
      timesOf,
    ),
  };
}

function repeated<T>(items: readonly T[], keyOf: (item: T) => string, timesOf: (item: T) => number): Map<string, T> {
  const groups = [...Map.groupBy(items, keyOf)].filter(([, same]) => same.length >= timesOf(same[0]!));
  return new Map(groups.map(([key, same]) => [key, same[0]!]));
}

/** Links to the sections of types: the page's own ones, and those of shared.md. */
export function typeAnchors(own: readonly TypeDocument[], shared: Shared, sharedPage = "shared.md"): ReadonlyMap<string, string> {
  return new Map([
    ...[...shared.types.keys()].map((name) => [name, `${sharedPage}#${name.toLowerCase()}`] as const),
    ...own.map(({ name }) => [name, `#${name.toLowerCase()}`] as const),
  ]);
}

/** One line for each property, required properties first. */
export function propertyList(properties: readonly PropertyDocument[], anchors: ReadonlyMap<string, string>): string {
  const line = (property: PropertyDocument) => {
    const { text, default: value } = meaningOf(property.comment);
    const facts = [typeText(property.type, anchors), property.required ? "required" : "", value === undefined || value === "none" ? "" : `default: ${value}`];
    return `- \`${property.name}\` (${facts.filter(Boolean).join(", ")})${text && `: ${text}`}`;
  };
  return [...properties.filter(({ required }) => required), ...properties.filter(({ required }) => !required)].map(line).join("\n");
}

/** A type as code, linked to the section that describes it. */
function typeText(type: string, anchors: ReadonlyMap<string, string>): string {
  const named = type.match(/\w+/g)?.find((word) => anchors.has(word));
  return named === undefined ? `\`${type}\`` : `[\`${type}\`](${anchors.get(named)})`;
}

/** Section of a nested type. */
export function typeSection(type: TypeDocument, anchors: ReadonlyMap<string, string>): string {
  const body = type.text === undefined ? propertyList(type.properties, anchors) : `\`${type.text}\``;
  return [`### ${type.name}`, paragraphs(type.comment), body].filter(Boolean).join("\n\n");
}

const CHANGES = `## Changes and replacement

- A changed \`zone\`, \`host\` or \`cluster\` replaces the resource: it is created at the new target, then removed from the old one.
- Every other argument changes in place. Rows keep their UUIDs.`;

/** The page of everything that several pages use. */
export function sharedPage(shared: Shared): string {
  const types = [...shared.types.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  const anchors = typeAnchors([], shared, "");
  const outputs = [...shared.outputs.values()].map((property) => ({ ...property, required: false }));
  const optional = [...shared.arguments.values()].map((property) => ({ ...property, required: false }));
  return `${[
    "# Shared arguments, outputs and types",
    "Arguments, outputs and types that several resources use.",
    CHANGES,
    "## Common arguments",
    propertyList(optional, anchors),
    "## Common outputs",
    "Arguments, UUIDs, keys, addresses and cookies are known in previews.",
    propertyList(outputs, anchors),
    "## Types",
    ...types.map((type) => typeSection(type, anchors)),
  ].join("\n\n")}\n`;
}
