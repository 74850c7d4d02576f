import { join } from "node:path";
import * as ts from "typescript";

/** An argument, an output, or a property of a nested type, as its comment documents it. */
export interface PropertyDocument {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly comment: string;
}

export interface TypeDocument {
  readonly name: string;
  readonly comment: string;
  /** Empty for a type that is not an object; then `text` is its definition. */
  readonly properties: readonly PropertyDocument[];
  readonly text?: string;
}

export interface ClassDocument {
  readonly name: string;
  readonly comment: string;
  /** Whether it is made of other resources. */
  readonly component: boolean;
  readonly arguments: TypeDocument;
  /** Types that the arguments are made of, in the order in which a reader meets them. */
  readonly nested: readonly TypeDocument[];
  readonly outputs: readonly PropertyDocument[];
}

/** Every resource and component that the package `pulumi-ovn` exports, with the comments of its sources. */
export function documentedClasses(root: string): ClassDocument[] {
  const entry = join(root, "sdk/index.ts");
  const program = ts.createProgram(
    [entry],
    { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023, strict: true, noLib: false, types: [] },
    hostOf(root),
  );
  const checker = program.getTypeChecker();
  const module = checker.getSymbolAtLocation(program.getSourceFile(entry)!)!;
  const reader = new Reader(checker, root);
  // Former names of a class lead to the same declaration.
  return [...new Set(checker.getExportsOfModule(module).map((symbol) => resolved(symbol, checker).valueDeclaration))]
    .filter(
      (declaration): declaration is ts.ClassDeclaration => declaration !== undefined && ts.isClassDeclaration(declaration) && reader.isResource(declaration),
    )
    .map((declaration) => reader.classDocument(declaration))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Sources of this repository only: what comes from packages is not documented here, and reading it would take seconds. */
function hostOf(root: string): ts.CompilerHost {
  const host = ts.createCompilerHost({});
  const sourceOf = (name: string, from: string): string | undefined => {
    const path = name === "@pulumi-ovn/provider" ? join(root, "provider/index") : name.startsWith(".") ? join(from, "..", name) : undefined;
    return path && [`${path}.ts`, `${path}/index.ts`].find((file) => ts.sys.fileExists(file));
  };
  host.resolveModuleNameLiterals = (literals, from) =>
    literals.map(({ text }) => {
      const file = sourceOf(text, from);
      return { resolvedModule: file === undefined ? undefined : { resolvedFileName: file, extension: ts.Extension.Ts, isExternalLibraryImport: false } };
    });
  return host;
}

function resolved(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function baseOf(declaration: ts.ClassDeclaration): ts.Expression | undefined {
  return declaration.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)?.types[0]?.expression;
}

/** Whether a property is the resource's target, which is first. */
const isTarget = ({ name }: PropertyDocument): boolean => name === "zone" || name === "host" || name === "cluster";

class Reader {
  constructor(
    private readonly checker: ts.TypeChecker,
    private readonly root: string,
  ) {}

  isResource(declaration: ts.ClassDeclaration): boolean {
    const abstract = declaration.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AbstractKeyword);
    return !abstract && /^pulumi\.(Custom|Component)Resource$/.test(this.#root(declaration));
  }

  classDocument(declaration: ts.ClassDeclaration): ClassDocument {
    const symbol = this.checker.getSymbolAtLocation(declaration.name!)!;
    const node = this.#constructorOf(declaration).parameters[1]!.type as ts.TypeReferenceNode;
    const nested = new Map<string, TypeDocument>();
    return {
      name: symbol.name,
      comment: this.#comment(symbol),
      component: this.#root(declaration) === "pulumi.ComponentResource",
      arguments: this.#argumentsOf(node, nested),
      nested: [...nested.values()],
      outputs: [...this.#baseProperties(declaration), ...this.#ownProperties(declaration)],
    };
  }

  /** `ResourceArgs<X>`, `RowArgs<X>` and `ObjectArgs<X>` stand for the properties of X that may be outputs; a component names its own type. */
  #argumentsOf(node: ts.TypeReferenceNode, nested: Map<string, TypeDocument>): TypeDocument {
    const plain = node.typeArguments?.[0] ?? node;
    const document = this.#typeDocument(plain, nested);
    const adopt = ["RowArgs", "ObjectArgs"].includes(node.typeName.getText()) ? this.#adoptProperties(node, nested) : [];
    return { ...document, properties: [...document.properties, ...adopt].sort((a, b) => Number(isTarget(b)) - Number(isTarget(a))) };
  }

  #adoptProperties(node: ts.TypeReferenceNode, nested: Map<string, TypeDocument>): PropertyDocument[] {
    const alias = resolved(this.checker.getSymbolAtLocation(node.typeName)!, this.checker).declarations![0] as ts.TypeAliasDeclaration;
    const parts = ts.isIntersectionTypeNode(alias.type) ? alias.type.types : [];
    return parts
      .filter((part) => ts.isTypeReferenceNode(part) && part.typeArguments === undefined)
      .flatMap((part) => this.#typeDocument(part, nested).properties);
  }

  #typeDocument(node: ts.TypeNode, nested: Map<string, TypeDocument>): TypeDocument {
    const type = this.checker.getTypeFromTypeNode(node);
    const symbol = type.aliasSymbol ?? type.getSymbol()!;
    const properties = this.checker.getPropertiesOfType(type).map((property) => this.#property(property, nested));
    return { name: symbol.name, comment: this.#comment(symbol), properties };
  }

  #property(property: ts.Symbol, nested: Map<string, TypeDocument>): PropertyDocument {
    const declaration = property.declarations![0] as ts.PropertySignature;
    this.#collect(declaration.type!, nested);
    return {
      name: property.name,
      type: this.#typeText(declaration.type!),
      required: declaration.questionToken === undefined,
      comment: this.#comment(property),
    };
  }

  /** Text of a type. A type that only describes how its argument may be given, such as `Inputs<X>`, reads as X. */
  #typeText(node: ts.TypeNode): string {
    const parts: string[] = [];
    const visit = (child: ts.Node): void => {
      if (ts.isTypeReferenceNode(child) && this.#isWrapper(child)) parts.push(child.getText(), child.typeArguments![0]!.getText());
      ts.forEachChild(child, visit);
    };
    visit(node);
    let text = node.getText();
    for (let index = 0; index < parts.length; index += 2) text = text.replace(parts[index]!, parts[index + 1]!);
    // Comments of a nested type would appear as code.
    return onOneLine(text.replace(/\/\*\*.*?\*\//gs, ""));
  }

  /** A generic type of this repository. */
  #isWrapper(node: ts.TypeReferenceNode): boolean {
    const declaration = node.typeArguments && resolved(this.checker.getSymbolAtLocation(node.typeName)!, this.checker).declarations?.[0];
    return (
      declaration !== undefined &&
      ts.isTypeAliasDeclaration(declaration) &&
      declaration.getSourceFile().fileName.startsWith(this.root) &&
      !declaration.getSourceFile().isDeclarationFile
    );
  }

  /** Documents the types of this repository that a type names, deeper ones after it. */
  #collect(node: ts.TypeNode, nested: Map<string, TypeDocument>): void {
    const visit = (child: ts.Node): void => {
      if (ts.isTypeReferenceNode(child) && !this.#isWrapper(child)) this.#reference(child, nested);
      ts.forEachChild(child, visit);
    };
    visit(node);
  }

  #reference(node: ts.TypeReferenceNode, nested: Map<string, TypeDocument>): void {
    const symbol = resolved(this.checker.getSymbolAtLocation(node.typeName)!, this.checker);
    const declaration = symbol.declarations?.[0];
    if (!declaration?.getSourceFile().fileName.startsWith(this.root) || declaration.getSourceFile().isDeclarationFile || nested.has(symbol.name)) return;
    if (ts.isTypeAliasDeclaration(declaration)) {
      nested.set(symbol.name, { name: symbol.name, comment: this.#comment(symbol), properties: [], text: onOneLine(declaration.type.getText()) });
    } else if (ts.isInterfaceDeclaration(declaration)) {
      nested.set(symbol.name, { name: symbol.name, comment: "", properties: [] }); // holds the position: its properties' types come after it
      nested.set(symbol.name, this.#typeDocument(node, nested));
    }
  }

  /** The class of this repository that a class extends. */
  #parent(declaration: ts.ClassDeclaration): ts.ClassDeclaration | undefined {
    const base = baseOf(declaration);
    const symbol = base && this.checker.getSymbolAtLocation(base);
    const found = symbol && resolved(symbol, this.checker).valueDeclaration;
    return found && ts.isClassDeclaration(found) ? found : undefined;
  }

  /** Class that the topmost class of this repository extends. */
  #root(declaration: ts.ClassDeclaration): string {
    const parent = this.#parent(declaration);
    return parent ? this.#root(parent) : (baseOf(declaration)?.getText() ?? "");
  }

  #constructorOf(declaration: ts.ClassDeclaration): ts.ConstructorDeclaration {
    return declaration.members.find(ts.isConstructorDeclaration) ?? this.#constructorOf(this.#parent(declaration)!);
  }

  #baseProperties(declaration: ts.ClassDeclaration): PropertyDocument[] {
    const parent = this.#parent(declaration);
    return parent ? [...this.#baseProperties(parent), ...this.#ownProperties(parent)] : [];
  }

  #ownProperties(declaration: ts.ClassDeclaration): PropertyDocument[] {
    return declaration.members.flatMap((member): PropertyDocument[] => {
      if (!member.name || ts.isPrivateIdentifier(member.name) || ts.getJSDocTags(member).some(({ tagName }) => tagName.text === "internal")) return [];
      const comment = this.#comment(this.checker.getSymbolAtLocation(member.name)!);
      if (ts.isPropertyDeclaration(member)) return [{ name: member.name.getText(), type: outputType(member.type!), required: true, comment }];
      if (!ts.isMethodDeclaration(member)) return [];
      return [
        {
          name: `${member.name.getText()}(${member.parameters.map((parameter) => parameter.getText()).join(", ")})`,
          type: outputType(member.type!),
          required: true,
          comment,
        },
      ];
    });
  }

  #comment(symbol: ts.Symbol): string {
    return ts.displayPartsToString(symbol.getDocumentationComment(this.checker));
  }
}

/** Every output is a `pulumi.Output`; the page mentions this once. */
function outputType(node: ts.TypeNode): string {
  return onOneLine(node.getText().replace(/^pulumi\.Output<(.*)>$/s, "$1"));
}

/** A type as one line; a union that the formatter spreads over lines begins each of them with its bar. */
function onOneLine(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replace(/^ ?\| /, "")
    .replace(/([<(]) ?\| /g, "$1");
}
