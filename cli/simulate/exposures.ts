import { kinds } from "@pulumi-ovn/provider";
import type { Plan, Side } from "../plan/plan";
import { argumentsIn } from "../upgrade/rendering";
import { UNTOLD } from "./build";
import type { Shadow } from "./shadow";

/** Prefixes by node or chassis, or the reason why they are not known. */
export type Announced = Readonly<Record<string, readonly string[]>> | string;

export const OTHER_RELEASE = "its arguments are those of another release";

/** Announcements of a zone's BgpExposures by URN, by the rules of northd and of the agents, for the rows of its shadow. */
export async function exposuresIn({ resources }: Plan, side: "before" | "after", shadow: Shadow, isLive: boolean): Promise<ReadonlyMap<string, Announced>> {
  const own = resources.flatMap((resource) => {
    const given = resource[side];
    return resource.kind === "BgpExposure" && given?.place?.name === shadow.zone ? [[resource.urn, given] as const] : [];
  });
  const read = own.map(async ([urn, given]) => [urn, await exposedBy(given, shadow, isLive)] as const);
  return new Map(await Promise.all(read));
}

async function exposedBy({ state, untold }: Side, { connections }: Shadow, isLive: boolean): Promise<Announced> {
  if (untold !== undefined) return UNTOLD[untold];
  const { schema, observe, survey } = kinds.BgpExposure;
  const spec = schema.safeParse(argumentsIn(schema, state.inputs)).data;
  if (spec === undefined) return OTHER_RELEASE;
  if (spec.mode === "agent" && !isLive) return "agents announce the ports of their chassis, which only --live reads";
  const world = { targets: connections };
  const { announced } = await survey!.look(spec, await observe!(spec, world), world);
  return announced as Exclude<Announced, string>;
}
