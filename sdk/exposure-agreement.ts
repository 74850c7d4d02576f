import { type BgpExposureArgs, DEFAULT_AGENT_TABLE } from "@pulumi-ovn/provider";
import { DisagreementError } from "./agreement";
import { Claims } from "./claims";

interface Setting {
  readonly resource: string;
  readonly value: number | string;
  readonly secret: boolean;
}

const settings = new Claims<Setting>();

/** Throws a DisagreementError if another exposure of the program configures the chassis's BGP instance differently. */
export function requireOneInstance(resource: string, { zone, mode, chassis, asNumber, table, routerIds }: BgpExposureArgs, secret: boolean): void {
  if (mode !== "agent" || !Array.isArray(chassis)) return;
  for (const one of chassis) {
    const statements: [what: string, value: number | string | undefined][] = [
      ["AS number", asNumber],
      ["routing table", table ?? DEFAULT_AGENT_TABLE],
      ["router id", routerIds?.[one]],
    ];
    for (const [what, value] of statements) {
      if (value === undefined) continue;
      const conflict = settings.take([JSON.stringify([zone, one, what])], { resource, value, secret }, (other) => other.value === value);
      if (conflict)
        throw new DisagreementError(
          `OVN_DISAGREEMENT: chassis "${one}" of zone "${zone}" has one ${what}: ${conflict.other.resource} says ${textOf(conflict.other)}, ${resource} says ${textOf({ value, secret })}`,
        );
    }
  }
}

const textOf = ({ value, secret }: Pick<Setting, "value" | "secret">): string => (secret ? "[secret]" : String(value));
