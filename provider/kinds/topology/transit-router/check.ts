import { type Prefix, macOfIp, networkOf, ofFamily, parseIp, parsePrefix } from "../../../kit/address";
import { Failures } from "../../../kit/arguments/failures";
import { inOrder, readPrefix } from "../fields";
import { checkHostAddresses, checkServices } from "../management";
import { requireHost } from "../placement";
import { checkRouting } from "../routing";
import type { TransitRouterSpec } from "./args";

/** Relations between arguments that OVN itself would silently accept. */
export function check(args: TransitRouterSpec): void {
  const failures = new Failures();
  checkAdvertisements(args.routerAdvertisements, args.gateway.addresses.map(parsePrefix), failures);
  checkManagement(args, failures);
  checkRouting(failures, args.routes, args.policies);
  failures.throwIfAny();
}

/** Router advertisements that the gateways can't send, whichever resource has the argument. */
export function checkAdvertisements(advertisements: TransitRouterSpec["routerAdvertisements"], gateways: readonly Prefix[], failures: Failures): void {
  if (!advertisements) return;
  const { enabled, maxInterval, minInterval } = advertisements;
  if (enabled && !ofFamily(gateways, 6)) failures.add("routerAdvertisements", "family", "need an IPv6 gateway address");
  if (minInterval > 0.75 * maxInterval)
    failures.add("routerAdvertisements.minInterval", "out-of-range", `${minInterval} is more than three quarters of maxInterval, ${maxInterval}`);
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
  // A MAC derived from the gateway's own address is refused together with the address.
  if ((management.mac ?? gateway.mac) !== undefined && macOf(management) === macOf(gateway))
    failures.add("management.mac", "duplicate", `MAC ${macOf(gateway)} is the gateway's`);
  checkServices(management.services, { subnets: gateways.map(networkOf), hostAddresses: management.hostAddresses }, failures);
  management.services.forEach((text, index) => {
    const { family } = readPrefix(text);
    if (!ofFamily(addresses, family) && ofFamily(gateways, family))
      failures.add(`management.services[${index}]`, "family", `${text} is IPv${family}, and the management port has no address of that family`);
  });
  checkHostAddresses(management.hostAddresses, addresses, "management.hostAddresses", failures);
}

function macOf({ mac, addresses }: { readonly mac?: string | undefined; readonly addresses: readonly string[] }): string {
  return mac ?? macOfIp(readPrefix(inOrder(addresses)[0]!));
}
