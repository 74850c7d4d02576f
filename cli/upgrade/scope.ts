import { TYPE_PREFIX } from "@pulumi-ovn/provider";
import type { Network } from "./network";
import type { StackResource } from "../stack/resource";
import { kindOf } from "../stack/rendering";

/**
 * The resources that a network's upgrade has to do with: its own, those that name its routers and switches or refer to its rows by
 * UUID, as egress policies, load balancers and ACLs do, and those that refer to these. An engine's events tell no
 * dependencies, but what is over a network can't do without its names or UUIDs. Other networks of the stack are left out, and so
 * are zones that only they are in.
 */
export function resourcesAround(network: Network, resources: readonly StackResource[]): StackResource[] {
  const own = resources.filter(({ type }) => type.startsWith(TYPE_PREFIX));
  const related = new Set(own.filter(({ parent }) => parent === network.urn));
  const known = new Set([network.switchName, network.transitRouter, ...[...related].flatMap((resource) => [...namesIn(resource), ...uuidsOf(resource)])]);
  for (let found = related.size; found > 0; ) {
    const more = own.filter((resource) => !related.has(resource) && mentions(resource.inputs, known));
    for (const resource of more) {
      related.add(resource);
      for (const uuid of uuidsOf(resource)) known.add(uuid);
    }
    found = more.length;
  }
  return resources.filter((resource) => related.has(resource));
}

/** A gateway router's own names; those of chassis are other networks' too. */
function namesIn(resource: StackResource): string[] {
  if (kindOf(resource) !== "GatewayRouter") return [];
  const { name, external } = resource.inputs as { readonly name: string; readonly external: { readonly switchName: string } };
  return [name, external.switchName];
}

function uuidsOf({ inputs, outputs = {} }: StackResource): string[] {
  return [inputs, outputs]
    .flatMap(({ uuid, uuids }) => [uuid, ...Object.values((uuids ?? {}) as object)])
    .filter((value): value is string => typeof value === "string");
}

function mentions(value: unknown, known: ReadonlySet<string>): boolean {
  if (typeof value === "string") return known.has(value);
  return typeof value === "object" && value !== null && Object.values(value).some((item) => mentions(item, known));
}
