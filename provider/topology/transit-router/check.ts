import { macOfIp, networkOf, ofFamily, parseIp, parsePrefix } from "../../address";
import { Failures } from "../failures";
import { inOrder, readPrefix } from "../fields";
import { checkServices } from "../management";
import { requireHost } from "../placement";
import { checkRouting } from "../routing";
import type { TransitRouterSpec } from "./args";

/** Relations between arguments that OVN itself would silently accept. */
export function check(args: TransitRouterSpec): void {
  const failures = new Failures();
  const gateways = args.gateway.addresses.map(parsePrefix);
  if (args.routerAdvertisements?.enabled && !ofFamily(gateways, 6)) {
    failures.add("routerAdvertisements", "family", "need an IPv6 gateway address");
  }
  const { maxInterval, minInterval } = args.routerAdvertisements ?? {};
  if (maxInterval !== undefined && minInterval !== undefined && minInterval > 0.75 * maxInterval) {
    failures.add("routerAdvertisements.minInterval", "out-of-range", `${minInterval} is more than three quarters of maxInterval, ${maxInterval}`);
  }
  checkManagement(args, failures);
  checkRouting(failures, args.routes, args.policies);
  failures.throwIfAny();
}

function checkManagement({ management, gateway, chassis }: TransitRouterSpec, failures: Failures): void {
  if (!management) return;
  const gateways = gateway.addresses.map(parsePrefix);
  const addresses = management.addresses.map(parseIp);
  addresses.forEach((address, index) => {
    const path = `management.addresses[${index}]`;
    failures.attempt(path, () => requireHost(address, gateways.map(networkOf)));
    if (gateways.some((other) => other.family === address.family && other.value === address.value)) {
      failures.add(path, "duplicate", `${management.addresses[index]} is the gateway's address`);
    }
  });
  management.masqueradeAddresses.forEach((text, index) => {
    if (ofFamily(gateways, parseIp(text).family)) return;
    failures.add(`management.masqueradeAddresses[${index}]`, "family", `${text} is of a family that the network does not have`);
  });
  if (management.masqueradeAddresses.length > 0 && chassis === undefined) {
    failures.add("chassis", "required", "is required for source translation: OVN does it on the gateway chassis of the port");
  }
  // One that derives from the gateway's own address is refused with that.
  if ((management.mac ?? gateway.mac) !== undefined && macOf(management) === macOf(gateway))
    failures.add("management.mac", "duplicate", `MAC ${macOf(gateway)} is the gateway's`);
  checkServices(management.services, { subnets: gateways.map(networkOf), hostAddresses: management.hostAddresses }, failures);
  management.services.forEach((text, index) => {
    const { family } = readPrefix(text);
    if (!ofFamily(addresses, family) && ofFamily(gateways, family))
      failures.add(`management.services[${index}]`, "family", `${text} is of a family that the management port has no address of`);
  });
  management.hostAddresses.forEach((text, index) => {
    if (management.addresses.includes(text)) failures.add(`management.hostAddresses[${index}]`, "duplicate", `${text} is the management port's address`);
    if (ofFamily(addresses, parseIp(text).family)) return;
    failures.add(`management.hostAddresses[${index}]`, "family", `${text} is of a family that the management port has no address of`);
  });
}

function macOf({ mac, addresses }: { readonly mac?: string | undefined; readonly addresses: readonly string[] }): string {
  return mac ?? macOfIp(readPrefix(inOrder(addresses)[0]!));
}
