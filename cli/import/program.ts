import { literal, stringLiteral } from "./literal";
import { constantName, constantNames } from "./names";
import { indexRows, namedRows, type RowIndex } from "./order";
import type { ImportedResource } from "./resource";

const HEAD = `// Written by "pulumi-ovn import" from live rows, and yours from now on. report.txt lists the rows outside of the stack.
import * as ovn from "pulumi-ovn";
`;

/** The stack program: one statement for each resource, in this order. */
export function programText(ordered: readonly ImportedResource[]): string {
  const index = indexRows(ordered);
  const before = new Set<ImportedResource>();
  const constants = constantsOf(ordered, index);
  const statements = ordered.map((resource) => {
    const text = statement(resource, index, constants, before);
    before.add(resource);
    return text;
  });
  return `${HEAD}\n${statements.join("\n\n")}\n`;
}

type Constants = ReadonlyMap<ImportedResource, string>;

/** Names for the resources that others refer to. */
function constantsOf(resources: readonly ImportedResource[], index: RowIndex): Constants {
  const named = new Set(resources.flatMap((resource) => namedRows(resource, index).map((uuid) => index.get(uuid)!.resource)));
  const names = constantNames();
  return new Map(resources.filter((resource) => named.has(resource)).map((resource) => [resource, names.take(constantName(resource.name), "")]));
}

function statement(resource: ImportedResource, index: RowIndex, constants: Constants, before: ReadonlySet<ImportedResource>): string {
  const printed = new Set<ImportedResource>();
  const expression = (text: string): string | undefined => {
    const exposed = index.get(text);
    if (!exposed?.access || exposed.resource === resource || !before.has(exposed.resource)) return undefined;
    const { entry } = exposed.access;
    printed.add(exposed.resource);
    return `${constants.get(exposed.resource)}.${entry === undefined ? "uuid" : `uuidOf(${stringLiteral(entry)})`}`;
  };
  const constant = constants.get(resource);
  const start = `${constant === undefined ? "" : `const ${constant} = `}new ovn.${resource.kind}(${stringLiteral(resource.name)}, `;
  const args = literal(resource.args, expression, 0, start.length);
  // A reference to an output defines the order. Resources without such a reference need `dependsOn`.
  const others = new Set(namedRows(resource, index).map((uuid) => index.get(uuid)!.resource));
  const unsaid = [...others].filter((other) => before.has(other) && !printed.has(other)).map((other) => constants.get(other)!);
  return `${start}${args}${unsaid.length === 0 ? "" : `, { dependsOn: [${unsaid.join(", ")}] }`});`;
}

/** Input of `pulumi import --file`, one resource per line. It contains the outputs, so the import asks no provider. */
export function importFile(ordered: readonly ImportedResource[]): string {
  return `{"resources": [\n${ordered.map(({ entry }) => entry).join(",\n")}\n]}\n`;
}
