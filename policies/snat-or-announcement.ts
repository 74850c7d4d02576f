import type { StackValidationPolicy } from "@pulumi/policy";
import { kindOf, type OvnResource } from "./resource";
import { argumentsOf } from "./state";

/** Subnets that any RouteAdvertisement of the stack announces. */
const announced = (resources: readonly OvnResource[]): ReadonlySet<string> =>
  new Set(
    resources
      .filter(({ type }) => kindOf(type) === "RouteAdvertisement")
      .flatMap(({ props }) => Object.values((props["networks"] ?? {}) as Record<string, { subnets?: string[]; nodeSubnets?: Record<string, string[]> }>))
      .flatMap(({ subnets = [], nodeSubnets = {} }) => [...subnets, ...Object.values(nodeSubnets).flat()]),
  );

/** Whether a BgpExposure announces the networks of a gateway router. */
const isExposed = (resources: readonly OvnResource[], router: OvnResource): boolean =>
  resources.some(
    ({ type, props }) =>
      kindOf(type) === "BgpExposure" &&
      props["tenantNetworks"] !== undefined &&
      props["zone"] === router.props["zone"] &&
      (props["mode"] === "agent" || Object.hasOwn(props["routers"] ?? {}, router.props["name"])),
  );

/** A network without source translation is announced. */
export const snatOrAnnouncement: StackValidationPolicy = {
  name: "snat-or-announcement",
  description: "A network whose packets leave with their own addresses is announced, or answers find no way back.",
  configSchema: {
    properties: {
      except: { type: "array", items: { type: "string" }, default: [], description: "Names of gateway routers that the fabric has static routes to" },
    },
  },
  validateStack: (args, report) => {
    const resources = args.resources.map((resource) => ({ ...resource, props: argumentsOf(resource) }));
    const { except } = args.getConfig<{ except: string[] }>();
    const prefixes = announced(resources);
    const gateways = resources.filter(({ type }) => kindOf(type) === "Layer2Gateway");
    for (const router of resources.filter(({ type }) => kindOf(type) === "GatewayRouter")) {
      if ((router.props["snatSubnets"] ?? []).length > 0 || except.includes(router.props["name"])) continue;
      const subnets: string[] = gateways.find(({ props }) => props["gatewayRouter"] === router.props["uuid"])?.props["subnets"] ?? [];
      const missing = subnets.filter((subnet) => !prefixes.has(subnet));
      if (missing.length > 0 && !isExposed(resources, router))
        report(
          `packets of ${missing.join(" and ")} leave ${router.props["name"]} with their own addresses, and no resource of the stack announces them`,
          router.urn,
        );
    }
  },
};
