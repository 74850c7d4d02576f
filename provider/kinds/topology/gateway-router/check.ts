import { ofFamily, parseIp, parsePrefix, parseSubnet } from "../../../kit/address";
import { Failures, propertyPath } from "../../../kit/arguments/failures";
import { readPrefix } from "../fields";
import { Holders } from "../holders";
import { requireHost } from "../placement";
import { checkVrf } from "../route-import";
import { checkRouting } from "../routing";
import { sortedEntries } from "../../../kit/entries";
import type { GatewayRouterSpec } from "./args";
import { externalFailures, nextHopFailures } from "./external-check";
import { furtherFailures } from "./further-check";

/** Relations between arguments that OVN itself would silently accept. */
export function check(args: GatewayRouterSpec): void {
  const failures = new Failures();
  failures.addAll(externalFailures(args.external, "external"));
  failures.addAll(furtherFailures(args.external, args.furtherExternals, ["furtherExternals"]));
  checkNames(args, failures);
  checkTranslation(args, failures);
  checkVrf(args.importRoutes, args.external.nextHops, "external.nextHops", failures);
  (args.importRoutes?.neighbors ?? []).forEach((neighbor, index) =>
    failures.addAll(nextHopFailures(args.external.addresses, neighbor, `importRoutes.neighbors[${index}]`)),
  );
  for (const [key, name, { prefix, nextHops }] of furtherRoutes(args)) {
    if (readPrefix(prefix).length === 0) checkVrf(args.importRoutes, nextHops, propertyPath(["furtherExternals", key, "routes", name]), failures);
  }
  if (args.masquerade) checkMasquerade(args.masquerade, failures);
  checkRouting(failures, args.routes, args.policies);
  failures.throwIfAny();
}

function furtherRoutes({ furtherExternals }: GatewayRouterSpec) {
  return sortedEntries(furtherExternals).flatMap(([key, { routes }]) => sortedEntries(routes).map(([name, route]) => [key, name, route] as const));
}

function checkNames({ external, furtherExternals }: GatewayRouterSpec, failures: Failures): void {
  const holders = new Holders(failures);
  const takeNames = (key: string, { switchName, localnetPortName }: typeof external | (typeof furtherExternals)[string], path: string) => {
    holders.take("switch name", switchName, key, propertyPath([path, key, "switchName"]));
    holders.take("port name", localnetPortName, key, propertyPath([path, key, "localnetPortName"]));
  };
  takeNames("external", external, "");
  for (const [key, further] of sortedEntries(furtherExternals)) takeNames(key, further, "furtherExternals");
}

function checkTranslation({ snatSubnets, masquerade, external }: GatewayRouterSpec, failures: Failures): void {
  const sources = masquerade ? masquerade.addresses.map(parseIp) : external.addresses.map(parsePrefix);
  snatSubnets.forEach((text, index) => {
    const { family } = parseSubnet(text);
    if (ofFamily(sources, family)) return;
    const missing = masquerade ? "masquerade address" : "external address";
    failures.add(`snatSubnets[${index}]`, "family", `${text} is IPv${family}, and the router has no ${missing} of that family to translate to`);
  });
}

function checkMasquerade({ subnets, addresses }: NonNullable<GatewayRouterSpec["masquerade"]>, failures: Failures): void {
  const prefixes = subnets.map(parseSubnet);
  prefixes.forEach(({ family }, index) => {
    if (!ofFamily(addresses.map(parseIp), family)) failures.add(`masquerade.subnets[${index}]`, "family", `needs a masquerade address inside, IPv${family}`);
  });
  addresses.forEach((address, index) => failures.attempt(`masquerade.addresses[${index}]`, () => requireHost(parseIp(address), prefixes)));
}
