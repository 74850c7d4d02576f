import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as ts from "typescript";

const root = join(__dirname, "../../..");
const sourcesIn = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => /(?<!\.d)\.ts$/.test(file) && !file.startsWith("dist/"))
    .map((file) => ts.createSourceFile(file, readFileSync(join(root, folder, file), "utf8"), ts.ScriptTarget.Latest, true));

/** Top-level declarations of the packages. */
type Declared = ts.InterfaceDeclaration | ts.TypeAliasDeclaration | ts.ClassDeclaration | ts.FunctionDeclaration;
const isDeclared = (node: ts.Node): node is Declared =>
  ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassDeclaration(node) || ts.isFunctionDeclaration(node);
const isExported = ({ modifiers = [] }: { readonly modifiers?: Iterable<ts.ModifierLike> | undefined }) =>
  [...modifiers].some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
const declared = new Map<string, Declared[]>();
// A class of the sdk may have the name of an internal class of the provider.
for (const folder of ["provider", "sdk"]) {
  const own = new Map<string, Declared[]>();
  for (const { statements } of sourcesIn(folder))
    for (const statement of statements)
      if (isDeclared(statement) && statement.name && isExported(statement)) own.set(statement.name.text, [...(own.get(statement.name.text) ?? []), statement]);
  for (const [name, found] of own) declared.set(name, found.some(ts.isClassDeclaration) ? found : [...(declared.get(name) ?? []), ...found]);
}

/** Names that a stack author can import. */
const names = (file: string) => {
  const { statements } = ts.createSourceFile(file, readFileSync(join(root, file), "utf8"), ts.ScriptTarget.Latest, true);
  return statements.flatMap((statement) =>
    ts.isExportDeclaration(statement) && statement.exportClause && ts.isNamedExports(statement.exportClause)
      ? statement.exportClause.elements.map(({ name }) => name.text)
      : [],
  );
};
const exported = new Set(["sdk/index.ts", "sdk/resources/index.ts", "sdk/types.ts"].flatMap(names));

const isInternal = (node: ts.Node) => ts.getJSDocTags(node).some(({ tagName }) => tagName.text === "internal");

/** The parts of a declaration that a stack author writes arguments for. */
function written(node: Declared): readonly ts.Node[] {
  if (ts.isFunctionDeclaration(node)) return node.parameters;
  if (!ts.isClassDeclaration(node)) return [node];
  const own = node.members.filter(
    (member): member is ts.ConstructorDeclaration | ts.MethodDeclaration =>
      ts.isConstructorDeclaration(member) || (ts.isMethodDeclaration(member) && ts.isIdentifier(member.name)),
  );
  return own
    .filter((member) => !isInternal(member) && !(ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Private))
    .flatMap(({ parameters }) => [...parameters]);
}

/** Names that a type gives to parts of others: `infer Item`. */
function inferredIn(node: ts.Node): string[] {
  const inner: string[] = ts.isTypeParameterDeclaration(node) ? [node.name.text] : [];
  ts.forEachChild(node, (child) => void inner.push(...inferredIn(child)));
  return inner;
}

/** Names of types in it; what an interface extends is a part of it, and needs no name. */
function typesIn(node: ts.Node): string[] {
  const own = ts.isTypeReferenceNode(node) && ts.isIdentifier(node.typeName) ? [node.typeName.text] : [];
  const bases = ts.isInterfaceDeclaration(node)
    ? (node.heritageClauses ?? []).flatMap(({ types }) => types).flatMap(({ expression }) => (declared.get(expression.getText()) ?? []).flatMap(typesIn))
    : [];
  const inner: string[] = [];
  ts.forEachChild(node, (child) => void inner.push(...typesIn(child)));
  return [...own, ...bases, ...inner];
}

it("exports every type of an argument, at any depth", () => {
  const reached = new Set(exported);
  for (const name of reached)
    for (const declaration of declared.get(name) ?? []) {
      const own = new Set(inferredIn(declaration));
      for (const type of written(declaration).flatMap(typesIn)) if (declared.has(type) && !own.has(type)) reached.add(type);
    }
  // The check covers these types.
  expect([...reached].filter((name) => /Args$/.test(name)).length).toBeGreaterThan(60);
  expect([...reached].filter((name) => !exported.has(name)).sort()).toEqual([]);
});
