import { gatewayPortKey, ofFamily, parseIp, parsePrefix, parseSubnet } from "../../../kit/address";
import { Failures, propertyPath } from "../../../kit/arguments/failures";
import { check as checkPeer } from "../gateway-peer/check";
import { Holders } from "../holders";
import { sortedEntries } from "../../../kit/entries";
import { check as checkRouter } from "../transit-router/check";
import type { Layer2GatewaySpec } from "./args";
import { stageFailures } from "./stage";
import { peerSpec, routerSpec } from "./zone";

/** Relations between arguments that OVN itself would silently accept. */
export function check(args: Layer2GatewaySpec): void {
  const failures = new Failures();
  failures.attempt("", () => checkRouter(routerSpec(args, { advertised: undefined })));
  failures.attempt("", () => checkPeer({ ...peerSpec(args), gatewayMode: "shared" }));
  if (args.gatewayMode === "local") checkManagement(args, failures);
  failures.addAll(stageFailures(args.nodes, args.upgrade));
  checkSwitchPortKeys(args, failures);
  checkStage(args, failures);
  failures.throwIfAny();
}

function checkManagement({ subnets, management }: Layer2GatewaySpec, failures: Failures): void {
  for (const { family } of subnets.map(parseSubnet)) {
    if (ofFamily((management?.addresses ?? []).map(parseIp), family)) continue;
    failures.add("management.addresses", "required", `needs an IPv${family} address for gateway mode "local"`);
  }
}

function checkSwitchPortKeys({ nodes, ownPortKeys }: Layer2GatewaySpec, failures: Failures): void {
  const holders = new Holders(failures);
  holders.take("port key", ownPortKeys.router, "the switch", "");
  holders.take("port key", ownPortKeys.alias, "the switch", "ownPortKeys.alias");
  for (const [name, { id, switchPortKey = gatewayPortKey(id) }] of sortedEntries(nodes)) {
    holders.take("port key", switchPortKey, name, () => propertyPath(["nodes", name, "switchPortKey"]));
  }
}

function checkStage(args: Layer2GatewaySpec, failures: Failures): void {
  const { upgrade, announceTo, management, masqueradeSubnets, gateway } = args;
  if (upgrade === undefined) return;
  if (upgrade === "announce" && announceTo === undefined && ofFamily(gateway.addresses.map(parsePrefix), 4)) {
    failures.add("announceTo", "required", 'is required for stage "announce"');
  }
  if (announceTo !== undefined && parseIp(announceTo).family === 6)
    failures.add("announceTo", "family", `${announceTo} is IPv6: only IPv4 gateways can be announced`);
  for (const { family } of (management?.masqueradeAddresses ?? []).map(parseIp)) {
    if (!ofFamily(masqueradeSubnets.map(parseSubnet), family))
      failures.add("masqueradeSubnets", "required", `needs an IPv${family} subnet in an upgrade, for the management port's masquerade address`);
  }
}
