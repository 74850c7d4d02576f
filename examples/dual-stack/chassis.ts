import * as ovn from "pulumi-ovn";
import { hosts, names } from "./hosts";

/**
 * The tunnels between the hosts. A chassis belongs to its host, not to a network, and its name is unique in a
 * Southbound database: so it is made once, here, and the networks name no tunnel addresses.
 */
export function tunnels(): Record<string, ovn.RemoteChassis> {
  return Object.fromEntries(
    names.map((zone) => {
      const others = names.filter((other) => other !== zone);
      const chassis = Object.fromEntries(others.map((other) => [other, { addresses: [hosts[other].tunnel] }]));
      return [zone, new ovn.RemoteChassis(`tunnels-${zone}`, { zone, chassis })];
    }),
  );
}
