import { kinds, networkResourceName } from "@pulumi-ovn/provider";
import type { Plan, Side } from "../../plan/plan";
import { argumentsIn } from "../../stack/rendering";
import { UNTOLD } from "./build";
import type { Shadow } from "../shadow/shadow";

/** Prefixes by node or chassis, or the reason why they are not known. */
export type Announced = Readonly<Record<string, readonly string[]>> | string;

const OTHER_RELEASE = "its arguments are those of another release";

/** Announcements of a zone's BgpExposures by URN, by the rules of northd and of the agents, for the rows of its shadow. */
export async function exposuresIn({ resources }: Plan, side: "before" | "after", shadow: Shadow, isLive: boolean): Promise<ReadonlyMap<string, Announced>> {
  const own = resources.flatMap((resource) => {
    const given = resource[side];
    return resource.kind === "BgpExposure" && given?.target?.name === shadow.zone ? [[resource.urn, given] as const] : [];
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

/** Pure. Announcements of a RouteAdvertisement, from the objects that it generates. */
export function generatedBy({ state: { inputs }, untold }: Side): Announced {
  if (untold !== undefined) return UNTOLD[untold];
  const { schema, render } = kinds.RouteAdvertisement;
  const spec = schema.safeParse(argumentsIn(schema, inputs)).data;
  if (spec === undefined) return OTHER_RELEASE;
  if (spec.mode === "controller") return "the controller of ovn-kubernetes generates them";
  return render(spec, inputs["observed"] as Parameters<typeof render>[1]).outputs!["announced"] as Exclude<Announced, string>;
}

/** Pure. Prefixes that each zone's nodes and chassis announce, so that packets from outside come to its gateways. */
export function announcedIn(
  { resources }: Plan,
  side: "before" | "after",
  exposures: ReadonlyMap<string, ReadonlyMap<string, Announced>>,
): ReadonlyMap<string, readonly string[]> {
  const gateways = resources.flatMap(({ kind, name, ...sides }) => (kind === "GatewayRouter" ? [{ name, zone: sides[side]?.target?.name }] : []));
  const zoneOf = (node: string) => gateways.find(({ name }) => name.endsWith(networkResourceName("", "GatewayRouter", node)))?.zone ?? node;
  const exposed = [...exposures].flatMap(([zone, all]) =>
    [...all.values()].flatMap((announced) => prefixesOf(announced).map(([, prefix]) => ({ zone, prefix }))),
  );
  const advertised = resources.flatMap((resource) => {
    const given = resource.kind === "RouteAdvertisement" ? resource[side] : undefined;
    return given === undefined ? [] : prefixesOf(generatedBy(given)).map(([node, prefix]) => ({ zone: zoneOf(node), prefix }));
  });
  const zones = Map.groupBy([...exposed, ...advertised], ({ zone }) => zone);
  return new Map([...zones].map(([zone, all]) => [zone, [...new Set(all.map(({ prefix }) => prefix))]]));
}

function prefixesOf(announced: Announced): (readonly [node: string, prefix: string])[] {
  return typeof announced === "string" ? [] : Object.entries(announced).flatMap(([node, prefixes]) => prefixes.map((prefix) => [node, prefix] as const));
}
