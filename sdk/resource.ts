import { type AdoptArgs, type AdoptObjectsArgs, formerTypes, providerText, typeToken } from "@pulumi-ovn/provider";
import * as pulumi from "@pulumi/pulumi";
import { refuseClearCredentials } from "./clear-credentials";
import { programGoesOn } from "./hold";
import { isPlain } from "./plain";
import { named, refuseUnsendable, refusingToo } from "./program-error";
import { secretsIn } from "./secrets";

/** Arguments as a stack author gives them: any part may be the output of another resource. */
export type Inputs<T> = [T] extends [Scalar] ? pulumi.Input<T> : ScalarInputs<Extract<T, Scalar>> | Structured<Exclude<T, Scalar>>;

type Scalar = string | number | boolean | undefined;
/** Inputs of all types of a union: an output of a boolean is not an output of true, nor of false. */
type ScalarInputs<T> = [T] extends [never] ? never : pulumi.Input<T>;
type Structured<T> = T extends (infer Item)[]
  ? pulumi.Input<Inputs<Item>[]>
  : T extends object
    ? pulumi.Input<{ [Key in keyof T]: Inputs<T[Key]> }>
    : pulumi.Input<T>;

/** The arguments of one resource: plain at the top, so that names are checked by the compiler. */
export type ResourceArgs<T> = { [Key in keyof T]: Inputs<T[Key]> };

/** Arguments of something whose zone decides which resources there are, so that it has to be known. */
export type InZone<T extends { zone?: string }> = Omit<ResourceArgs<T>, "zone"> & Pick<T, "zone">;

/** The arguments of a resource that consists of rows. */
export type RowArgs<T> = ResourceArgs<T> & AdoptArgs;

/** The arguments of a resource that consists of Kubernetes objects. */
export type ObjectArgs<T> = ResourceArgs<T> & AdoptObjectsArgs;

/**
 * A resource that Pulumi's stock dynamic provider serves.
 *
 * The provider text is a constant that loads the installed package: the state stays small and stable over upgrades,
 * and deletes run the installed code. The stack's working directory must be able to resolve `pulumi-ovn`.
 */
export abstract class OvnResource extends pulumi.CustomResource {
  /** @internal */
  protected constructor(kind: string, name: string, args: object, outputs: readonly string[], options?: pulumi.CustomResourceOptions) {
    if (options?.import !== undefined) throw new ImportOptionError(kind, name);
    const { deletedWith } = options ?? {};
    if (deletedWith instanceof OvnResource) throw new DeletedWithError(kind, name);
    refuseOwn(named(kind, name, args), args);
    const type = typeToken(kind);
    const redact = isPlain(args) ? undefined : secretsIn(args);
    // The engine keeps an output secret whose input of the same name is: what derives from a secret is one.
    const placeholder = redact && pulumi.output(redact).apply((paths) => (paths === undefined ? undefined : pulumi.secret(undefined)));
    const properties = {
      ...Object.fromEntries(outputs.map((output) => [output, PUBLIC.has(output) ? undefined : placeholder])),
      ...args,
      __provider: providerText(kind),
      // Pulumi does not pass the stack or the resource to a dynamic provider. This value is the owner mark of the rows.
      owner: urnOf(name, type, options?.parent),
      // Rows are shown as text, and the provider gets secrets as text.
      redact,
      // Pulumi does not pass the preview flag to a provider either. The provider does not store this value.
      dryRun: pulumi.runtime.isDryRun() || undefined,
    };
    const aliases = formerTypes(kind).map((former) => ({ type: former }));
    const withAliases = aliases.length === 0 ? options : { ...options, aliases: [...aliases, ...(options?.aliases ?? [])] };
    super(type, name, properties, withAliases);
  }
}

/**
 * Error for the `import` option. Pulumi's own error for dynamic resources is "code must be a string, not undefined": it does not
 * pass the arguments that are necessary for a read to the provider.
 */
export class ImportOptionError extends pulumi.RunError {
  readonly code = "OVN_IMPORT";

  /** @internal */
  constructor(kind: string, name: string) {
    super(
      `OVN_IMPORT: ${kind} "${name}": Pulumi can't import resources of this package by the option "import"; ` +
        'take over rows that exist with "adopt", or have a program written for them by "npx --no-install pulumi-ovn import"',
    );
  }
}

/**
 * Error for the `deletedWith` option. Pulumi would forget the resource when the other resource is deleted. The rows would stay: values
 * that other writers put into a row are never removed with the row.
 */
export class DeletedWithError extends pulumi.RunError {
  readonly code = "OVN_DELETED_WITH";

  /** @internal */
  constructor(kind: string, name: string) {
    super(
      `OVN_DELETED_WITH: ${kind} "${name}": what it has written would stay, and keep the other resource from being deleted; ` +
        'leave out the option "deletedWith"',
    );
  }
}

/** Names that a resource's properties have from its class and its provider: a value of the program would be lost silently. */
const OWN: ReadonlySet<string> = new Set(["__provider", "digest", "drift", "dryRun", "owner", "redact", "rows"]);

function refuseOwn(what: string, args: object): void {
  const own = Object.keys(args).filter((name) => OWN.has(name));
  const failures = own.map((name) => ({
    path: name,
    code: "unknown-argument",
    message: `there is no argument "${name}"; Pulumi shows a property of this name`,
  }));
  refusingToo(what, failures, () => refuseUnsendable(what, args));
}

/** Outputs that tell nothing about the arguments. */
const PUBLIC: ReadonlySet<string> = new Set(["cookie", "digest", "revision", "sequence", "uuid", "uuids"]);

/** URNs up to the name, by parent and type: the same for all resources of a component. */
const prefixes = new WeakMap<object, Map<string, Promise<string>>>();
const noParent = {};

/**
 * The URN that the resource will have. A promise, not an output: an output would depend on the parent, and a parent
 * component counts as ready only when its children are.
 */
async function urnOf(name: string, type: string, parent: pulumi.Resource | undefined): Promise<string> {
  await programGoesOn();
  const ofParent = prefixes.get(parent ?? noParent) ?? new Map<string, Promise<string>>();
  prefixes.set(parent ?? noParent, ofParent);
  let prefix = ofParent.get(type);
  if (prefix === undefined) {
    const urn = pulumi.createUrn("", type, parent);
    prefix = new Promise((resolve) => urn.apply(resolve));
    ofParent.set(type, prefix);
  }
  return (await prefix) + name;
}

/** A resource that consists of rows in one zone. */
export abstract class RowResource extends OvnResource {
  /** The OVN zone that the rows are in. */
  declare readonly zone: pulumi.Output<string>;
  /** Equal for equal row sets. */
  declare readonly digest: pulumi.Output<string>;
  /** Changes whenever rows are written; a `Propagation` then waits again. */
  declare readonly revision: pulumi.Output<string>;

  /** @internal */
  protected constructor(kind: string, name: string, args: object, outputs: readonly string[], options?: pulumi.CustomResourceOptions) {
    super(kind, name, args, ["digest", "revision", ...outputs], options);
  }
}

/** A resource that consists of flows on a host's bridges. */
export abstract class FlowResource extends OvnResource {
  /** The host that the bridges are on. */
  declare readonly host: pulumi.Output<string>;
  /** The cookie of the resource's flows, as ovs-ofctl(8) prints it. */
  declare readonly cookie: pulumi.Output<string>;
  /** Equal for equal sets of flows. */
  declare readonly digest: pulumi.Output<string>;
  /** Changes whenever flows are written. */
  declare readonly revision: pulumi.Output<string>;

  /** @internal */
  protected constructor(kind: string, name: string, args: object, outputs: readonly string[], options?: pulumi.CustomResourceOptions) {
    super(kind, name, args, ["cookie", "digest", "revision", ...outputs], options);
  }
}

/** A resource that consists of objects in one Kubernetes cluster. */
export abstract class ObjectResource extends OvnResource {
  /** The cluster that the objects are in. */
  declare readonly cluster: pulumi.Output<string>;
  /** Equal for equal sets of objects. */
  declare readonly digest: pulumi.Output<string>;
  /** Changes whenever objects are written. */
  declare readonly revision: pulumi.Output<string>;

  /** @internal */
  protected constructor(kind: string, name: string, args: object, outputs: readonly string[], options?: pulumi.CustomResourceOptions) {
    refuseClearCredentials(`${kind} "${name}"`);
    super(kind, name, args, ["digest", "revision", ...outputs], options);
  }
}
