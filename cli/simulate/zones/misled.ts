import { addressOf, isIn } from "../addresses";
import type { Gateway, ZoneFacts } from "./facts";

/**
 * Pure. Keys of gateways that workloads may replace by a router with the same IPv4 address and another MAC. Such a router requests the MAC of
 * an address that no port has. The request arrives at all workloads, and these update their entry of the gateway from it. (RFC 826)
 */
export function misledGateways(zones: readonly ZoneFacts[]): ReadonlySet<string> {
  const gateways = zones.flatMap((facts) => facts.gateways);
  const rivals = zones.flatMap((facts) => facts.gateways.map((gateway) => ({ gateway, networks: requestingNetworks(facts, gateway) })));
  const misled = rivals
    .filter(({ networks }) => networks.length > 0)
    .flatMap(({ gateway: rival, networks }) =>
      gateways.filter((each) => each.mac !== rival.mac && datapathOf(each) === datapathOf(rival) && each.networks.some((one) => networks.includes(one))),
    );
  return new Set(misled.flatMap(({ key }) => key ?? []));
}

/** IPv4 networks of a gateway in which it requests the MAC of an address without a port. */
function requestingNetworks({ floating, virtual, neighbours }: ZoneFacts, gateway: Gateway): string[] {
  const targets = [...floating.map(({ inside }) => inside), ...virtual.flatMap(({ backends }) => backends.map(addressOf))];
  const owners = neighbours.get(gateway.switch);
  const unowned = targets.filter((address) => !address.includes(":") && !owners?.has(address));
  return gateway.networks.filter((network) => unowned.some((address) => isIn(network, address)));
}

const datapathOf = ({ key }: Gateway): string | undefined => key?.split("/")[0];
