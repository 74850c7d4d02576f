import { typeToken } from "@pulumi-ovn/provider";
import { z } from "zod";
import { CommandError } from "../../command";
import type { StackState, StateResource } from "../../stack/stack-state";

const own = z.object({
  zone: z.string(),
  mode: z.enum(["ovn", "agent"]),
  /** Keyed by chassis, as of the last update or refresh. With mode "agent" the agents report the current value. */
  announced: z.record(z.string(), z.array(z.string())).default({}),
  /** Keyed by chassis. */
  tables: z.record(z.string(), z.array(z.number())).default({}),
});

/** A BgpExposure as a stack's state has it. */
export interface ExposureInState extends z.output<typeof own> {
  /** Name of the resource. */
  readonly name: string;
}

const TYPE = typeToken("BgpExposure");

/** Pure. All exposures of a stack, by name. */
export function exposuresIn({ resources }: StackState): ExposureInState[] {
  return resources
    .filter(({ type }) => type === TYPE)
    .map(exposureIn)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function exposureIn({ urn, outputs }: StateResource): ExposureInState {
  const read = own.safeParse(outputs);
  if (!read.success)
    throw new CommandError("OVN_STATE", `${urn}: ${read.error.issues[0]!.path.join(".")} can't be read from the state: it is a secret, or of another release`);
  return { name: urn.split("::").at(-1)!, ...read.data };
}
