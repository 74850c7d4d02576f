import { type AnyKind, kinds } from "@pulumi-ovn/provider";
import { statement, valuesOf } from "./code";
import { componentLines, observedLinesOf, rowLinesOf } from "./preview";
import { propertyKey, propertyList, type Shared, typeAnchors, typeSection } from "./properties";
import { cell, paragraphs } from "./prose";
import type { Sample } from "./samples/sample";
import { samples } from "./samples";
import type { ClassDocument, PropertyDocument } from "./types";

/** Target of a class: its name for the index, and the introduction of the example's lines on its page. */
interface Written {
  readonly target: string;
  readonly heading: string;
  readonly sentence: string;
}

/** Undefined for components, and for classes that write to no target. */
function writtenBy(name: string): Written | undefined {
  if (!Object.hasOwn(kinds, name)) return undefined;
  const kind = kinds[name as keyof typeof kinds] as unknown as AnyKind;
  if (kind.backend !== "rows") return WRITTEN[kind.backend];
  const database = `\`${kind.database}\``;
  // A kind that observes sets entries in the rows that it finds.
  const what = kind.observe ? "Entries that the example sets in rows of other owners" : "Rows of the example";
  return { target: database, heading: "Rows", sentence: `${what} (${database}):` };
}

const WRITTEN: Readonly<Record<Exclude<AnyKind["backend"], "rows">, Written>> = {
  flows: { target: "flows of a host's bridges", heading: "Flows", sentence: "Flows of the example:" },
  host: { target: "`Open_vSwitch` and flows", heading: "Rows and flows", sentence: "Rows of the host's `Open_vSwitch` database and flows of the example:" },
  objects: { target: "Kubernetes", heading: "Objects", sentence: "Objects of the example:" },
};

function sampleOf(name: string): Sample {
  const sample = samples[name];
  if (!sample) throw new Error(`docs/generator/samples.ts has no sample for ${name}`);
  return sample;
}

/** The page of one resource or component. Types and properties of several pages are described in shared.md. */
export async function page(document: ClassDocument, shared: Shared): Promise<string> {
  const own = document.nested.filter(({ name }) => !shared.types.has(name));
  const anchors = typeAnchors(own, shared);
  // A class and its arguments have nearly the same comment; the longer one has the details.
  const intro = document.component || document.comment.length > document.arguments.comment.length ? document.comment : document.arguments.comment;
  const sections = [
    `# ${document.name}`,
    paragraphs(intro),
    ["```ts", statement(document.name, sampleOf(document.name)), "```"].join("\n"),
    "## Arguments",
    document.component ? paragraphs(document.arguments.comment) : "",
    propertyList(
      document.arguments.properties.filter((property) => !shared.arguments.has(propertyKey(property))),
      anchors,
    ),
    sharedLine(document.arguments.properties, shared.arguments, "common-arguments"),
    ...own.map((type) => typeSection(type, anchors)),
    ...outputs(document, anchors, shared),
    ...(await rows(document)),
  ];
  return `${sections.filter(Boolean).join("\n\n")}\n`;
}

function sharedLine(properties: readonly PropertyDocument[], shared: ReadonlyMap<string, PropertyDocument>, anchor: string): string {
  const common = properties.filter((property) => shared.has(propertyKey(property)));
  const [required, others] = anchor === "common-arguments" ? partition(common) : [[], common];
  const lists = [required.length === 0 ? "" : `required ${namesOf(required)}`, namesOf(others)].filter(Boolean);
  return lists.length === 0 ? "" : `[Common](shared.md#${anchor}): ${lists.join("; ")}.`;
}

function partition(properties: readonly PropertyDocument[]): [PropertyDocument[], PropertyDocument[]] {
  return [properties.filter(({ required }) => required), properties.filter(({ required }) => !required)];
}

function namesOf(properties: readonly PropertyDocument[]): string {
  return properties.map(({ name }) => `\`${name}\``).join(", ");
}

function outputs({ outputs: properties }: ClassDocument, anchors: ReadonlyMap<string, string>, shared: Shared): string[] {
  if (properties.length === 0) return [];
  const own = properties.filter((property) => !shared.outputs.has(propertyKey(property))).map((property) => ({ ...property, required: false }));
  return ["## Outputs", propertyList(own, anchors), sharedLine(properties, shared.outputs, "common-outputs")];
}

async function rows({ name, component }: ClassDocument): Promise<string[]> {
  const sample = sampleOf(name);
  if (component) {
    const { host } = sample;
    const parts = await componentLines(name, sample, host ?? FIRST_ZONE);
    const counts = parts.map(({ kind, lines }) => `- [${kind}](${kind}.md): ${Object.keys(lines).length} lines`);
    return ["## Resources", `The example creates on \`${host ?? FIRST_ZONE}\`:`, counts.join("\n")];
  }
  const values = valuesOf(sample.args) as Record<string, unknown>;
  const lines = sample.observed ? observedLinesOf(name, values, sample.observed) : await rowLinesOf(name, values);
  const written = writtenBy(name);
  if (!lines || !written) return ["## Rows", "None."];
  const tables = sample.observed ? [] : tablesOf(lines);
  return tables.length > 0
    ? [`## ${written.heading}`, `The example writes ${tables.join(", ")} (${written.target}).`]
    : [`## ${written.heading}`, written.sentence, block(lines)];
}

/** Tables of rows, which are the first words of their labels. Labels of flows and objects do not begin with a table. */
function tablesOf(lines: Readonly<Record<string, string>>): string[] {
  const tables = Object.keys(lines).map((label) => /^[A-Z]\w+_\w+(?= )|^(?:Bridge|Port|Interface|ACL|NAT|QoS)(?= )/.exec(label)?.[0]);
  return [...new Set(tables.filter((table) => table !== undefined))].sort();
}

const FIRST_ZONE = "node1";

/** Lines of an example that a page shows. */
const SHOWN = 2;

function block(lines: Readonly<Record<string, string>>): string {
  const all = Object.entries(lines).map(([label, line]) => `${label}: ${JSON.stringify(line)}`);
  const more = all.length > SHOWN ? [`... ${all.length - SHOWN} more`] : [];
  return ["```", ...all.slice(0, SHOWN), ...more, "```"].join("\n");
}

/** A line of the index. */
export function indexCells(document: ClassDocument, summary: string): string[] {
  return [`[${document.name}](${document.name}.md)`, cell(summary), writtenBy(document.name)?.target ?? ""];
}
