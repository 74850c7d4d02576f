import { exposureKinds, flowKinds, hostKinds, kinds, objectKinds } from "@pulumi-ovn/provider";
import { statement, valuesOf } from "./code";
import { componentLines, observedLinesOf, rowLinesOf } from "./preview";
import { memberKey, memberList, type Shared, typeAnchors, typeSection } from "./members";
import { cell, paragraphs } from "./prose";
import { type Sample, samples } from "./samples";
import type { ClassDocument, Member } from "./types";

const KINDS = new Map(Object.values(kinds).map((kind) => [kind.name as string, kind]));

const EXPOSURES: ReadonlySet<string> = new Set(Object.values(exposureKinds).map((kind) => kind.name));

const FLOW_KINDS: ReadonlySet<string> = new Set(Object.values(flowKinds).map((kind) => kind.name));

const HOST_KINDS: ReadonlySet<string> = new Set(Object.values(hostKinds).map((kind) => kind.name));

/** Kind of row sets of a class; undefined for other classes. */
const kindOf = (name: string) => KINDS.get(name);

const OBJECT_KINDS: ReadonlySet<string> = new Set(Object.values<{ name: string }>(objectKinds).map((kind) => kind.name));

function sampleOf(name: string): Sample {
  const sample = samples[name];
  if (!sample) throw new Error(`docs/generator/samples.ts has no sample for ${name}`);
  return sample;
}

/** The page of one resource or component. Types and members of several pages are described in shared.md. */
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
    memberList(
      document.arguments.members.filter((member) => !shared.arguments.has(memberKey(member))),
      anchors,
    ),
    sharedLine(document.arguments.members, shared.arguments, "common-arguments"),
    ...own.map((type) => typeSection(type, anchors)),
    ...outputs(document, anchors, shared),
    ...(await rows(document)),
  ];
  return `${sections.filter(Boolean).join("\n\n")}\n`;
}

function sharedLine(members: readonly Member[], shared: ReadonlyMap<string, Member>, anchor: string): string {
  const names = members
    .filter((member) => shared.has(memberKey(member)))
    .map(({ name, required }) => `\`${name}\`${required && anchor === "common-arguments" ? " (required)" : ""}`);
  return names.length === 0 ? "" : `[Common](shared.md#${anchor}): ${names.join(", ")}.`;
}

function outputs({ outputs: members }: ClassDocument, anchors: ReadonlyMap<string, string>, shared: Shared): string[] {
  if (members.length === 0) return [];
  const own = members.filter((member) => !shared.outputs.has(memberKey(member))).map((member) => ({ ...member, required: false }));
  return ["## Outputs", memberList(own, anchors), sharedLine(members, shared.outputs, "common-outputs")];
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
  if (lines && OBJECT_KINDS.has(name)) return ["## Objects", "Objects of the example:", block(lines)];
  if (lines && EXPOSURES.has(name)) return ["## Rows", "Entries that the example sets in rows of other owners (`OVN_Northbound`):", block(lines)];
  if (!lines) return ["## Rows", "None."];
  if (FLOW_KINDS.has(name)) return ["## Flows", "Flows of the example:", block(lines)];
  if (HOST_KINDS.has(name)) return ["## Rows and flows", "Rows of the host's `Open_vSwitch` database and flows of the example:", block(lines)];
  return ["## Rows", `Rows of the example (\`${kindOf(name)!.database}\`):`, block(lines)];
}

const FIRST_ZONE = "node1";

/** Lines of an example that a page shows. */
const SHOWN = 8;

function block(lines: Readonly<Record<string, string>>): string {
  const all = Object.entries(lines).map(([label, line]) => `${label}: ${JSON.stringify(line)}`);
  const more = all.length > SHOWN ? [`... ${all.length - SHOWN} more`] : [];
  return ["```", ...all.slice(0, SHOWN), ...more, "```"].join("\n");
}

/** A line of the index. */
export function indexCells(document: ClassDocument, summary: string): string[] {
  const kind = kindOf(document.name);
  return [`[${document.name}](${document.name}.md)`, cell(summary), kind ? `\`${kind.database}\`` : targetOf(document.name)];
}

/** Target of a class that does not write to a zone's database. */
function targetOf(name: string): string {
  if (FLOW_KINDS.has(name)) return "flows of a host's bridges";
  if (HOST_KINDS.has(name)) return "`Open_vSwitch` and flows";
  if (EXPOSURES.has(name)) return "`OVN_Northbound`";
  return OBJECT_KINDS.has(name) ? "Kubernetes" : "";
}
