import { type NamedSubnet, networkOf, overlapFailures, parsePrefix } from "../../../kit/address";
import { Failures, propertyPath } from "../../../kit/arguments/failures";
import { Holders } from "../../topology/holders";
import { sortedEntries } from "../../../kit/entries";
import type { BgpExposureSpec, ExposureSelection } from "../args";
import { checkMode } from "../mode";
import { isAnnouncedFamily, names } from "../port";
import { LAST_AGENT_TABLE } from "./exposure";
import type { AgentFacts, AgentPortFacts } from "./facts";

/** Checks arguments that agents could not apply, or would apply wrongly. Throws ArgumentError. */
export function checkAgent(spec: BgpExposureSpec, facts: AgentFacts): void {
  const failures = new Failures();
  checkMode(spec, failures);
  checkChassis(spec, facts, failures);
  checkNamed(spec, facts, failures);
  failures.addAll(overlapFailures(wholeNetworks(spec, facts)));
  failures.throwIfAny();
}

function checkChassis({ zone, chassis, asNumber, routerIds, table, name }: BgpExposureSpec, facts: AgentFacts, failures: Failures): void {
  if (!chassis?.length) failures.add("chassis", "required", 'mode "agent" needs at least one chassis');
  if (asNumber === undefined) failures.add("asNumber", "required", 'mode "agent" needs the AS number of the chassis');
  if (name === undefined) failures.add("name", "required", 'mode "agent" needs a name');
  if (table !== undefined && table > LAST_AGENT_TABLE) failures.add("table", "out-of-range", `FRR announces tables up to ${LAST_AGENT_TABLE}, not ${table}`);
  chassis?.forEach((one, index) => {
    if (facts.chassis?.[one] === false)
      failures.add(
        `chassis[${index}]`,
        "unknown-chassis",
        `there is no chassis "${one}" in the Southbound database of zone "${zone}": ovn-controller has not registered it, or its system-id is another one`,
      );
  });
  const holders = new Holders(failures);
  for (const [one, id] of sortedEntries(routerIds ?? {})) {
    const path = propertyPath(["routerIds", one]);
    if (!chassis?.includes(one)) failures.add(path, "unknown-chassis", `"${one}" is not among the chassis`);
    holders.take("router id", id, one, path);
  }
}

function checkNamed(spec: BgpExposureSpec, { named }: AgentFacts, failures: Failures): void {
  for (const which of ["select", "exclude"] as const) {
    spec[which]?.networks.forEach((network, index) => {
      if (!named.networks[network]) failures.add(`${which}.networks[${index}]`, "unknown-network", `there is no Logical_Switch "${network}" in the zone`);
    });
    spec[which]?.ports.forEach((port, index) => {
      if (!named.ports[port]) failures.add(`${which}.ports[${index}]`, "unknown-port", `there is no port "${port}" in the zone, of a switch or of a router`);
    });
    if (named.labels[which] === false) failures.add(`${which}.labels`, "unknown-port", "no port of the zone has these labels in its external_ids");
  }
  spec.addressScopes?.forEach((scope, index) => {
    if (!named.scopes[scope]) failures.add(`addressScopes[${index}]`, "unknown-scope", `no port of the zone is in address scope "${scope}"`);
  });
}

/** Tenant networks that would be announced as a whole, as far as is known now: the agents look again. */
function wholeNetworks(spec: BgpExposureSpec, { gateways }: AgentFacts): NamedSubnet[] {
  return Object.values(gateways).flatMap(({ ports }) => {
    const all = Object.values(ports);
    if (!all.some((port) => port.provider && isAllowed(spec, port))) return [];
    const tenants = all.filter((port) => !port.provider && isAllowed(spec, port) && (!spec.select || isNamed(spec.select, port)));
    return tenants.flatMap(({ network, networks, scopes }) =>
      networks
        .map(parsePrefix)
        .filter((prefix) => isAnnouncedFamily(spec, { scopes }, prefix))
        .map((prefix): NamedSubnet => ({ name: `network ${network}`, path: "tenantNetworks", prefix: networkOf(prefix), group: network })),
    );
  });
}

const isAllowed = ({ exclude }: BgpExposureSpec, port: AgentPortFacts): boolean => !exclude || !isNamed(exclude, port);

const isNamed = (selection: ExposureSelection, { network, ends }: AgentPortFacts): boolean =>
  Object.entries(ends).some(([name, labels]) => names(selection, name, { network, labels }));
