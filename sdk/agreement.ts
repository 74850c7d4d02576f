import * as pulumi from "@pulumi/pulumi";
import { isPlain } from "./plain";

/** Zones disagree on a value that must be the same everywhere. Packets between them would be lost without a message. */
export class DisagreementError extends pulumi.RunError {
  readonly code = "OVN_DISAGREEMENT";
}

interface Said {
  readonly resource: string;
  readonly zone: string;
  readonly value: unknown;
  /** The value must not be shown. */
  readonly secret?: boolean;
}

/** What the resources of this program have said so far, by subject. */
export class Agreement {
  readonly #said = new Map<string, Said>();

  /** Throws a DisagreementError when another zone's resource said otherwise. */
  require(subject: string, said: Said): void {
    const first = this.#said.get(subject);
    if (!first) {
      this.#said.set(subject, said);
      return;
    }
    if (first.value === said.value) return;
    throw new DisagreementError(
      `OVN_DISAGREEMENT: ${subject} must be the same in all zones: ` +
        `${first.resource} in zone "${first.zone}" says ${textOf(first)}, ${said.resource} in zone "${said.zone}" says ${textOf(said)}`,
    );
  }
}

function textOf({ value, secret }: Said): string {
  return secret ? "[secret]" : String(value);
}

const program = new Agreement();

/** A subject and its value, found among a resource's resolved arguments. */
export type Subjects<Args> = (args: Args) => Record<string, unknown>;

/**
 * The zone of a resource, known only once everything that its zones must agree on has been compared: so a resource
 * that disagrees is never registered.
 */
export function agreedZone<Args extends { zone: string }>(resource: string, args: object, subjects: Subjects<Args>): pulumi.Input<string> {
  const compared = (known: Args, secret: boolean): string => {
    for (const [subject, value] of Object.entries(subjects(known))) {
      if (value !== undefined) program.require(subject, { resource, zone: known.zone, value, secret });
    }
    return known.zone;
  };
  if (isPlain(args)) return compared(args as Args, false);
  const given = pulumi.output(args as Args);
  const zone = pulumi.all([given, pulumi.isSecret(given)]).apply(([resolved, secret]) => compared(resolved as unknown as Args, secret));
  // Other arguments may be secret; the zone's name is not, and errors have to say it.
  return pulumi.unsecret(zone);
}
