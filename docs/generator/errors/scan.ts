import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as ts from "typescript";

/** Every source file below a folder, but for what is compiled or installed. */
export function sourcesOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return ["dist", "node_modules"].includes(entry.name) ? [] : sourcesOf(join(folder, entry.name));
    return entry.name.endsWith(".ts") ? [join(folder, entry.name)] : [];
  });
}

/** Which argument of which call is a code. */
const CALLS: readonly (readonly [RegExp, number])[] = [
  [/^failures\.add$/, 1],
  [/^ArgumentError\.of$/, 1],
  [/^RowError$/, 0],
  [/^SandboxError$/, 0],
];

/** Every stable code that a source can end in: `OVN_FOREIGN_ROW`, `overlap`, `no-namespaces`. */
export function codesIn(text: string): Set<string> {
  const codes = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateTail(node)) {
      if (/^(OVN|OVSDB)_[A-Z_]+$/.test(node.text)) codes.add(node.text);
      const inText = / \[([a-z]+(?:-[a-z]+)*)\]$/.exec(node.text)?.[1];
      if (inText) codes.add(inText);
    }
    if (ts.isPropertyAssignment(node) && node.name.getText() === "code") collect(node.initializer);
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      const [, at] = CALLS.find(([name]) => name.test(node.expression.getText())) ?? [];
      const argument = at === undefined ? undefined : node.arguments?.[at];
      if (argument) collect(argument);
    }
    ts.forEachChild(node, visit);
  };
  const collect = (node: ts.Expression): void => {
    if (ts.isStringLiteralLike(node)) codes.add(node.text);
  };
  visit(ts.createSourceFile("source.ts", text, ts.ScriptTarget.ES2023, true));
  return codes;
}

export function codesBelow(folders: readonly string[]): string[] {
  const codes = new Set<string>();
  for (const file of folders.flatMap(sourcesOf)) for (const code of codesIn(readFileSync(file, "utf8"))) codes.add(code);
  return [...codes].sort();
}
