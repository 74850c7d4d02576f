import { agreementSubjects, datapathOf, type OutsideTaken } from "@pulumi-ovn/provider";
import * as pulumi from "@pulumi/pulumi";
import { Claims } from "./claims";
import { gated } from "./gate";
import { isPlain } from "./plain";
import { named, ProgramError } from "./program-error";

/** Zones disagree on a value that must be the same everywhere. Packets between them would be lost without a message. */
export class DisagreementError extends ProgramError {
  readonly code = "OVN_DISAGREEMENT";
}

/** Two switches or routers of a zone want one tunnel key. Their packets would arrive in one another. */
export class TunnelKeyError extends ProgramError {
  readonly code = "OVN_CLAIMED";
}

/** Two switches or two routers of a zone want one name. Lookups by name would not know which one is meant. */
class DatapathNameError extends ProgramError {
  readonly code = "OVN_CLAIMED";
}

/** Two gateway routers of a zone want one address or MAC on one physical network. Each would answer for the other. */
export class OutsideAddressError extends ProgramError {
  readonly code = "OVN_CLAIMED";
}

interface Statement {
  readonly resource: string;
  readonly zone: string;
  readonly value: unknown;
  /** The value must not be shown. */
  readonly secret?: boolean;
}

const agreed = new Claims<Statement>();
const outside = new Claims<{ readonly resource: string; readonly sharing: string }>();
const datapathNames = new Claims<{ readonly resource: string }>();
const tunnelKeys = new Claims<{ readonly resource: string; readonly datapath: string }>();

/** Throws a DisagreementError if another zone's resource has another value. */
export function requireAgreement(subject: string, statement: Statement): void {
  const conflict = agreed.take([subject], statement, ({ value }) => value === statement.value);
  if (!conflict) return;
  const { other } = conflict;
  throw new DisagreementError(
    `OVN_DISAGREEMENT: ${subject} must be the same in all zones: ` +
      `${other.resource} in zone "${other.zone}" says ${textOf(other)}, ${statement.resource} in zone "${statement.zone}" says ${textOf(statement)}`,
  );
}

/** Throws a TunnelKeyError when another switch or router of the zone has the key. */
export function claimTunnelKey({ zone, value: key, resource, secret }: Statement & { readonly value: number }, datapath: string): void {
  const conflict = tunnelKeys.take([JSON.stringify([zone, key])], { resource, datapath }, (other) => other.datapath === datapath);
  if (!conflict) return;
  const { other } = conflict;
  throw new TunnelKeyError(
    `OVN_CLAIMED: tunnel key ${textOf({ value: key, secret })} in zone "${zone}" is already used by ${other.resource} for ${other.datapath}, wanted by ${resource} for ${datapath}; ` +
      "give one of the two another tunnel key, or both keys of a TunnelKeyPool",
  );
}

/** Throws a DatapathNameError when another resource makes the same switch or router in the zone. */
function claimDatapath({ zone, resource, secret }: Omit<Statement, "value">, datapath: string): void {
  const conflict = datapathNames.take([JSON.stringify([zone, datapath])], { resource }, (other) => other.resource === resource);
  if (!conflict) return;
  const what = secret ? "[secret]" : datapath;
  throw new DatapathNameError(
    `OVN_CLAIMED: ${what} in zone "${zone}" is already made by ${conflict.other.resource}, wanted by ${resource}; choose another name`,
  );
}

/** Throws an OutsideAddressError when another gateway router of the zone has an address or MAC, unless both share it with their host. */
export function claimOutside({ zone, resource, secret }: Omit<Statement, "value">, taken: readonly OutsideTaken[]): void {
  for (const { key, what, sharing } of taken) {
    const conflict = outside.take([JSON.stringify([zone, key])], { resource, sharing }, (other) => other.sharing === "shared" && sharing === "shared");
    if (!conflict) continue;
    const about = secret ? "[secret]" : what;
    throw new OutsideAddressError(
      `OVN_CLAIMED: GatewayRouter "${resource}" in zone "${zone}": ${about} is already used by GatewayRouter "${conflict.other.resource}"; choose another value`,
    );
  }
}

function textOf({ value, secret }: Pick<Statement, "value" | "secret">): string {
  return secret ? "[secret]" : String(value);
}

interface InZone {
  readonly zone: string;
  readonly tunnelKey?: number;
}

type Agreed = keyof typeof agreementSubjects;
const subjectsOf: Readonly<Record<Agreed, (args: never) => Record<string, unknown>>> = agreementSubjects;
const datapaths: Readonly<Partial<Record<Agreed, (args: never) => string>>> = datapathOf;

/**
 * The zone of a resource, known only once everything that its zones must agree on has been compared: so a resource
 * that disagrees, or wants a tunnel key that another one has, is never registered.
 */
export function agreedZone(kind: Agreed, resource: string, args: object): pulumi.Input<string> {
  return comparedZone<InZone>(kind, resource, args, (known, secret) => {
    const { zone, tunnelKey } = known;
    for (const [subject, value] of Object.entries(subjectsOf[kind](known as never))) {
      if (value !== undefined) requireAgreement(subject, { resource, zone, value, secret });
    }
    const datapath = datapaths[kind]?.(known as never);
    if (datapath === undefined) return;
    claimDatapath({ resource: `${kind} "${resource}"`, zone, secret }, datapath);
    if (tunnelKey !== undefined) claimTunnelKey({ resource, zone, value: tunnelKey, secret }, datapath);
  });
}

/** The zone of a resource, known only after its resolved arguments have been compared with other resources. Refuses non-objects. */
export function comparedZone<Args extends { readonly zone: string }>(
  kind: string,
  resource: string,
  args: object,
  compare: (args: Args, secret: boolean) => void,
): pulumi.Input<string> {
  named(kind, resource, args);
  const compared = (known: Args, secret: boolean): string => {
    compare(known, secret);
    return known.zone;
  };
  if (isPlain(args)) return compared(args as Args, false);
  const output = pulumi.output(args as Args);
  const zone = pulumi.all([output, pulumi.isSecret(output)]).apply(([resolved, secret]) => compared(resolved as unknown as Args, secret));
  const { zone: name } = args as { zone: unknown };
  if (typeof name === "string") return gated(name, zone).catch((error: unknown) => unlessFailed(output, error, name));
  // Other arguments may be secret. The zone's name is not secret, and errors must contain it.
  return pulumi.unsecret(zone);
}

/** The zone, even if an argument fails: the argument's own property reports the error. Otherwise Pulumi would report the zone as failed. */
async function unlessFailed(given: pulumi.Output<unknown>, error: unknown, zone: string): Promise<string> {
  const failed = await pulumi.isSecret(given).then(
    () => false,
    () => true,
  );
  if (failed) return zone;
  throw error;
}
