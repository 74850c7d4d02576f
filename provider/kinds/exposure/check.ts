import { type NamedSubnet, formatPrefix, networkOf, overlapFailures, parsePrefix } from "../../kit/address";
import { Failures, propertyPath } from "../../kit/arguments/failures";
import { Holders } from "../topology/holders";
import { sortedEntries } from "../../kit/entries";
import { type ExposedPort, type ExposedRouter, exposedRouters } from "./announced";
import type { OvnExposureSpec } from "./args";
import type { ExposureFacts } from "./facts";
import { checkMode } from "./mode";
import { isAnnouncedFamily, names } from "./port";

/** Checks exposures that OVN would announce wrongly, from two chassis, or not at all. Throws ArgumentError. */
export function checkedRouters(spec: OvnExposureSpec, facts: ExposureFacts): ExposedRouter[] {
  const failures = new Failures();
  checkMode(spec, failures);
  if (Object.keys(spec.routers).length === 0) failures.add("routers", "required", "needs at least one router");
  checkRouters(spec, facts, failures);
  const routers = exposedRouters(spec, facts);
  checkSelections(spec, facts, failures);
  for (const router of routers) for (const port of router.ports) checkPort(spec, router, port, failures);
  checkOverlaps(routers, failures);
  checkTwice(routers, failures);
  failures.throwIfAny();
  return routers;
}

const at = (router: string, ...more: string[]) => propertyPath(["routers", router, ...more]);

function checkRouters(spec: OvnExposureSpec, facts: ExposureFacts, failures: Failures): void {
  const holders = new Holders(failures);
  for (const [name, { table }] of sortedEntries(spec.routers)) {
    const router = facts.routers[name];
    if (router === null || router === undefined) failures.add(at(name), "unknown-router", `there is no Logical_Router "${name}" in the zone, or several`);
    else if (router.chassis === null)
      failures.add(
        at(name),
        "distributed",
        `Logical_Router "${name}" has no chassis (options:chassis): only gateway routers announce what they have from one place`,
      );
    else if ((spec.floatingIPs || spec.loadBalancers || spec.providerPorts) && !Object.values(router.ports).some(({ provider }) => provider)) {
      failures.add(
        at(name),
        "no-provider",
        `Logical_Router "${name}" has no port on a provider network (a switch with a localnet port), from which floating IPs, load balancers and provider ports are announced`,
      );
    }
    holders.take("routing table", table, name, at(name, "table"));
    const taken = facts.taken[table];
    if (taken !== undefined) failures.add(at(name, "table"), "duplicate", `table ${table} would be the router's tunnel key, and is that of ${taken}`);
  }
}

/** Reports names in selections and scopes that no router has. */
function checkSelections(spec: OvnExposureSpec, { routers }: ExposureFacts, failures: Failures): void {
  const ports = Object.values(routers).flatMap((router) => (router ? Object.entries(router.ports) : []));
  for (const which of ["select", "exclude"] as const) {
    const selection = spec[which];
    if (!selection) continue;
    selection.networks.forEach((network, index) => {
      if (!ports.some(([, port]) => port.network === network))
        failures.add(`${which}.networks[${index}]`, "unknown-network", `none of the routers has a port on network "${network}"`);
    });
    selection.ports.forEach((wanted, index) => {
      if (!ports.some(([name]) => name === wanted))
        failures.add(`${which}.ports[${index}]`, "unknown-port", `none of the routers has a port "${wanted}" on a network`);
    });
    const byLabels = { networks: [], ports: [], labels: selection.labels };
    if (Object.keys(selection.labels).length > 0 && !ports.some(([name, port]) => names(byLabels, name, port)))
      failures.add(`${which}.labels`, "unknown-network", "none of the routers has a port on a network with these labels");
  }
  spec.addressScopes?.forEach((scope, index) => {
    if (!ports.some(([, { scopes }]) => Object.values(scopes).includes(scope)))
      failures.add(`addressScopes[${index}]`, "unknown-scope", `none of the routers' networks is in address scope "${scope}"`);
  });
}

function checkPort(spec: OvnExposureSpec, { name, facts }: ExposedRouter, port: ExposedPort, failures: Failures): void {
  const { network, networks, neighbors, provider } = port.facts;
  const asHosts = port.what.includes("connected-as-host");
  // northd announces the addresses, floating IPs and VIPs of neighbours for their own chassis, too.
  if (neighbors.length > 0 && !port.what.includes("connected"))
    failures.add(
      at(name),
      "neighbors",
      `network "${network}" of port ${port.name} has further routers' ports (${neighbors.join(", ")}), whose addresses OVN would announce from this router, too`,
    );
  const others = [...(spec.floatingIPs ? [] : facts.nat), ...(spec.loadBalancers ? [] : facts.vips)];
  if (asHosts && others.length > 0)
    failures.add(
      at(name),
      "hosts",
      `OVN 25.03 announces the floating IPs and load balancers of a router with the addresses of its networks: list floatingIPs and loadBalancers as well (${others.slice(0, 3).join(", ")})`,
    );
  if (provider) return;
  const hidden = networks.filter((text) => !isAnnouncedFamily(spec, port.facts, parsePrefix(text)));
  if (hidden.length > 0)
    failures.add(
      at(name),
      "mixed",
      `port ${port.name} is in ${hidden.map(networkText).join(" and ")}, too, which must not be announced, and OVN announces the networks of a port together: give one of them a port of its own, or exclude this one`,
    );
}

const networkText = (text: string) => formatPrefix(networkOf(parsePrefix(text)));

/** Reports tenant networks that the fabric could not distinguish. One network may be on several routers. */
function checkOverlaps(routers: readonly ExposedRouter[], failures: Failures): void {
  const subnets = routers.flatMap(({ name, ports }) =>
    ports
      .filter(({ facts }) => !facts.provider)
      .flatMap(({ facts: { network, networks } }) =>
        networks.map((text): NamedSubnet => ({ name: `network ${network}`, path: at(name), prefix: networkOf(parsePrefix(text)), group: network })),
      ),
  );
  failures.addAll(overlapFailures(subnets));
}

/** Addresses that two routers have, so that the fabric would send packets to either. */
function checkTwice(routers: readonly ExposedRouter[], failures: Failures): void {
  const holders = new Holders(failures);
  for (const { name, facts, ports } of routers) {
    const kindsSelected = new Set(ports.flatMap(({ what }) => what));
    for (const address of new Set([...(kindsSelected.has("nat") ? facts.nat : []), ...(kindsSelected.has("lb") ? facts.vips : [])]))
      holders.take("address", address, name, at(name));
  }
}
