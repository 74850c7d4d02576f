import { type Prefix, VXLAN_DATAPATH_KEYS, formatPrefix, overlaps, parseSubnet } from "../../../kit/address";
import { type Failures, propertyPath } from "../../../kit/arguments/failures";
import type { GatewayRouterArgs } from "../gateway-router";
import { nextHopFailures } from "../gateway-router/external-check";
import { type RouteImportSpec, checkVrf } from "../route-import";
import type { ResolvedNetwork, ResolvedNode } from "./resolve";
import { usesVxlan } from "./vxlan";

/** Ahead of every policy that sends packets on. With an egress address they leave by another node's gateway router, which drops them as well. */
const ISOLATION_PRIORITY = 9000;

/** Arguments of gateway routers that differ if the network is announced outside. */
export function advertisedArgs(
  { spec: { advertised }, subnets }: Pick<ResolvedNetwork, "spec" | "subnets">,
  { spec: { external } }: ResolvedNode,
): Pick<GatewayRouterArgs, "snatDestinations" | "policies" | "importRoutes"> {
  if (!advertised) return {};
  const pairs = (others: readonly string[]) =>
    others.map(parseSubnet).flatMap((other) => subnets.filter(({ family }) => family === other.family).map((own) => [own, other] as const));
  const policies = Object.fromEntries([
    ...pairs(advertised.isolateFrom).map(([own, other]) => [`isolated-from-${formatPrefix(other)}`, dropped(own, other)]),
    ...pairs(advertised.dropFrom).map(([own, other]) => [`dropped-from-${formatPrefix(other)}`, dropped(other, own)]),
  ]) as NonNullable<GatewayRouterArgs["policies"]>;
  return {
    snatDestinations: advertised.translateTo,
    ...(advertised.importRoutes && { importRoutes: importOf(advertised.importRoutes, external.addresses) }),
    ...(Object.keys(policies).length > 0 && { policies }),
  };
}

/** With the neighbors that a port with these addresses can have. */
function importOf({ neighbors, ...imported }: RouteImportSpec, addresses: readonly string[]): RouteImportSpec {
  const own = neighbors?.filter((neighbor) => nextHopFailures(addresses, neighbor, "").length === 0) ?? [];
  return { ...imported, ...(own.length > 0 && { neighbors: own }) };
}

function dropped(from: Prefix, to: Prefix) {
  return {
    priority: ISOLATION_PRIORITY,
    match: `ip${from.family}.src == ${formatPrefix(from)} && ip${from.family}.dst == ${formatPrefix(to)}`,
    action: "drop" as const,
  };
}

export function checkAdvertised(network: ResolvedNetwork, failures: Failures): void {
  const { spec, subnets } = network;
  const { advertised } = spec;
  if (!advertised) return;
  if (spec.gatewayMode === "local") failures.add("advertised", "value", 'has no meaning in gateway mode "local", where the hosts translate');
  if (spec.masquerade) failures.add("advertised", "value", "does not go with masquerade: the hosts' bridges would have to know the network");
  if (!spec.snat && advertised.translateTo.length > 0) failures.add("advertised.translateTo", "value", "has no meaning without snat");
  for (const argument of ["isolateFrom", "dropFrom"] as const) {
    advertised[argument].forEach((text, index) => {
      const other = parseSubnet(text);
      const own = subnets.find((subnet) => overlaps(subnet, other));
      if (own) failures.add(`advertised.${argument}[${index}]`, "overlap", `${text} overlaps the network's own subnet ${formatPrefix(own)}`);
    });
  }
  if (advertised.importRoutes) checkImport(network, advertised.importRoutes, failures);
}

function checkImport(network: ResolvedNetwork, imported: RouteImportSpec, failures: Failures): void {
  const {
    nodes,
    spec: { tunnelKeys },
  } = network;
  const { table } = imported;
  const at = "advertised.importRoutes.table";
  for (const role of ["switch", "router"] as const) {
    if (tunnelKeys?.[role] === table)
      failures.add(
        at,
        "duplicate",
        `table ${table} would be the gateway routers' tunnel key, and is already used by the ${role === "switch" ? "switch" : "transit router"}`,
      );
  }
  if (usesVxlan(network) && table > VXLAN_DATAPATH_KEYS.last)
    failures.add(
      at,
      "out-of-range",
      `table ${table} would be the gateway routers' tunnel key, and does not fit in VXLAN: keys end at ${VXLAN_DATAPATH_KEYS.last} there`,
    );
  (imported.neighbors ?? []).forEach((neighbor, index) => {
    const found = nodes.map(({ spec: { external } }) => nextHopFailures(external.addresses, neighbor, `advertised.importRoutes.neighbors[${index}]`));
    // The failures of a node with addresses of the family are more specific than those of a node without.
    if (found.every((reasons) => reasons.length > 0))
      failures.addAll(found.find((reasons) => reasons.every(({ code }) => code !== "family")) ?? found[0] ?? []);
  });
  for (const {
    name,
    spec: { external },
  } of nodes)
    checkVrf(imported, external.nextHops, propertyPath(["nodes", name, "external", "nextHops"]), failures);
}
