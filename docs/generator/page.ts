import { exposureKinds, flowKinds, hostKinds, kinds, objectKinds } from "@pulumi-ovn/provider";
import { statement, valuesOf } from "./code";
import { componentLines, observedLinesOf, rowLinesOf } from "./preview";
import { cell, meaningOf, paragraphs, table } from "./prose";
import { type Sample, samples } from "./samples";
import type { ClassDocument, Member, TypeDocument } from "./types";

const KINDS = new Map(Object.values(kinds).map((kind) => [kind.name as string, kind]));

const EXPOSURES: ReadonlySet<string> = new Set(Object.values(exposureKinds).map((kind) => kind.name));

const FLOW_KINDS: ReadonlySet<string> = new Set(Object.values(flowKinds).map((kind) => kind.name));

const HOST_KINDS: ReadonlySet<string> = new Set(Object.values(hostKinds).map((kind) => kind.name));

/** The kind that a class is served by; undefined for what is no set of rows. */
const kindOf = (name: string) => KINDS.get(name);

const OBJECT_KINDS: ReadonlySet<string> = new Set(Object.values<{ name: string }>(objectKinds).map((kind) => kind.name));

function sampleOf(name: string): Sample {
  const sample = samples[name];
  if (!sample) throw new Error(`docs/generator/samples.ts has no sample for ${name}`);
  return sample;
}

/** The page of one resource or component. */
export async function page(document: ClassDocument): Promise<string> {
  const nested = new Set(document.nested.map(({ name }) => name));
  const sections = [
    `# ${document.name}`,
    paragraphs(document.comment),
    ["```ts", statement(document.name, sampleOf(document.name)), "```"].join("\n"),
    "## Arguments",
    paragraphs(document.arguments.comment),
    argumentsTable(document.arguments.members, nested),
    ...document.nested.map((type) => nestedType(type, nested)),
    ...outputs(document),
    ...(await rows(document)),
    "## Changes and replacement",
    replacement(document),
  ];
  return `${sections.filter(Boolean).join("\n\n")}\n`;
}

function argumentsTable(members: readonly Member[], nested: ReadonlySet<string>): string {
  const row = (member: Member) => {
    const { text, default: value } = meaningOf(member.comment);
    return [`\`${member.name}\``, typeCell(member.type, nested), member.required ? "yes" : "no", value ?? "", text];
  };
  return table(
    ["name", "type", "required", "default", "meaning"],
    [...members.filter(({ required }) => required), ...members.filter(({ required }) => !required)].map(row),
  );
}

/** Code that leads to the section of the type that it names. */
function typeCell(type: string, nested: ReadonlySet<string>): string {
  const named = type.match(/\w+/g)?.find((word) => nested.has(word));
  return named === undefined ? `\`${type}\`` : `[\`${type}\`](#${named.toLowerCase()})`;
}

function nestedType(type: TypeDocument, nested: ReadonlySet<string>): string {
  const body = type.text === undefined ? argumentsTable(type.members, nested) : `\`${type.text}\``;
  return [`### ${type.name}`, paragraphs(type.comment), body].filter(Boolean).join("\n\n");
}

function outputs({ name, outputs: members }: ClassDocument): string[] {
  const own =
    kindOf(name) || EXPOSURES.has(name) || FLOW_KINDS.has(name) || HOST_KINDS.has(name) || OBJECT_KINDS.has(name)
      ? "Besides the arguments themselves; all are known in previews."
      : "";
  if (members.length === 0) return [];
  return [
    "## Outputs",
    own,
    table(
      ["name", "type", "meaning"],
      members.map((member) => [`\`${member.name}\``, `\`${member.type}\``, paragraphs(member.comment)]),
    ),
  ];
}

async function rows({ name, component }: ClassDocument): Promise<string[]> {
  const sample = sampleOf(name);
  if (component) {
    const { host } = sample;
    const parts = await componentLines(name, sample, host ?? FIRST_ZONE);
    const texts = parts.map(({ kind, lines }) => `[${kind}](${kind}.md):\n\n${block(lines)}`);
    if (host !== undefined)
      return [
        "## Rows and flows",
        `The example makes these rows and flows on \`${host}\`, as a preview shows them, one resource for each group. Other hosts get the like.`,
        ...texts,
      ];
    return [
      "## Rows",
      `The example writes these rows in zone \`${FIRST_ZONE}\`, as a preview shows them, one resource for each group. Other zones get the like.`,
      ...texts,
    ];
  }
  const values = valuesOf(sample.args) as Record<string, unknown>;
  const lines = sample.observed ? observedLinesOf(name, values, sample.observed) : await rowLinesOf(name, values);
  if (lines && OBJECT_KINDS.has(name)) return ["## Objects", "The example applies these objects, as a preview shows them:", block(lines)];
  if (lines && EXPOSURES.has(name))
    return [
      "## Rows",
      "The example sets these entries in rows of the zone's `OVN_Northbound` database that belong to others, as a preview shows them:",
      block(lines),
    ];
  if (!lines) return ["## Rows", "None: it writes to no database's tables of its own."];
  if (FLOW_KINDS.has(name)) return ["## Flows", "The example makes these flows, as a preview shows them under `rows`:", block(lines)];
  if (HOST_KINDS.has(name))
    return [
      "## Rows and flows",
      "The example makes these rows of the host's `Open_vSwitch` database, and these flows, as a preview shows them under `rows`:",
      block(lines),
    ];
  return ["## Rows", `The example writes these rows to the zone's \`${kindOf(name)!.database}\` database, as a preview shows them:`, block(lines)];
}

const FIRST_ZONE = "node1";

function block(lines: Readonly<Record<string, string>>): string {
  return ["```", ...Object.entries(lines).map(([label, line]) => `${label}: ${JSON.stringify(line)}`), "```"].join("\n");
}

function replacement({ name, component }: ClassDocument): string {
  const kind = kindOf(name);
  if (component)
    return "A change goes to the resources that it concerns, in place; what is not wanted any more is deleted last. A node that comes or goes brings or takes its own resources.";
  if (FLOW_KINDS.has(name)) {
    return (
      "Changing `host` replaces the resource: its flows are made on the new host, then removed from the old one. " +
      "Every other argument changes in place: only flows that differ are written, one bundle for each bridge."
    );
  }
  if (HOST_KINDS.has(name)) {
    return (
      "Changing `host` replaces the resource: it is made on the new host, then removed from the old one. " +
      "Every other argument changes in place: rows that differ in one transaction, then flows that differ, one bundle for each bridge."
    );
  }
  if (OBJECT_KINDS.has(name)) {
    return (
      "Changing `cluster` replaces the resource: its objects are made in the new cluster, then deleted in the old one. " +
      "Every other argument changes in place: only objects that differ are applied, and those that are not wanted any more are deleted last."
    );
  }
  if (EXPOSURES.has(name)) return "Changing `zone` replaces the resource. Every other argument changes in place: only entries that differ are written.";
  if (!kind) return "Every argument changes in place.";
  return (
    "Changing `zone` replaces the resource: its rows are made in the new zone, then removed in the old one. " +
    "Every other argument changes in place: rows keep their UUIDs, and only columns that differ are written."
  );
}

/** A line of the index. */
export function indexCells(document: ClassDocument, summary: string): string[] {
  const kind = kindOf(document.name);
  return [`[${document.name}](${document.name}.md)`, cell(summary), kind ? `\`${kind.database}\`` : placeOf(document.name)];
}

/** What a class without a database of a zone writes to. */
function placeOf(name: string): string {
  if (FLOW_KINDS.has(name)) return "flows of a host's bridges";
  if (HOST_KINDS.has(name)) return "`Open_vSwitch` and flows";
  if (EXPOSURES.has(name)) return "`OVN_Northbound`";
  return OBJECT_KINDS.has(name) ? "Kubernetes" : "";
}
