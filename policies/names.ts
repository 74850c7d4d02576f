import type { ResourceValidationPolicy } from "@pulumi/policy";
import { kindOf } from "./resource";

/** Arguments that name something in a database: in OVN, on a host or in a cluster. */
const NAMED: Readonly<Record<string, string>> = {
  Layer2Switch: "name",
  TransitRouter: "network",
  Layer2Gateway: "network",
  GatewayRouter: "name",
  VpcBridges: "vpc",
  RouteAdvertisement: "name",
};

/** Names match a pattern. */
export const names: ResourceValidationPolicy = {
  name: "names",
  description: "Names of networks, switches, routers and announcements match a pattern.",
  configSchema: { properties: { pattern: { type: "string", format: "regex", default: "^[A-Za-z][A-Za-z0-9_.-]{0,62}$" } } },
  validateResource: ({ type, props, getConfig }, report) => {
    const argument = NAMED[kindOf(type) ?? ""];
    if (argument === undefined) return;
    const { pattern } = getConfig<{ pattern: string }>();
    const name: unknown = props[argument];
    if (typeof name === "string" && name !== "" && !new RegExp(pattern).test(name)) report(`${argument}: "${name}" does not match ${pattern}`);
  },
};
