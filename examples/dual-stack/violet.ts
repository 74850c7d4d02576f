import * as pulumi from "@pulumi/pulumi";
import * as ovn from "pulumi-ovn";
import { hosts, names, outside } from "./hosts";

const network = "violet";
const subnet = "2010:100:300::/64";
const gateway = "2010:100:300::1/64";
const switchName = `${network}_ovn_layer2_switch`;
const routerName = `${network}_transit_router`;

/** Port keys are the zones' agreement on which port a packet is for: 10 + the last number of the address here. */
const workloads: Record<string, { node: string; address: string; tunnelKey: number }> = {
  six1: { node: "node1", address: "2010:100:300::11", tunnelKey: 27 },
  six2: { node: "node2", address: "2010:100:300::12", tunnelKey: 28 },
};

/** IPv6 only, from the resources that the component `Layer2Network` is made of: what it does for you, step by step. */
export function violet(tunnelKeys: pulumi.Output<number[]>): Record<string, ovn.TransitRouter> {
  return Object.fromEntries(names.map((zone) => [zone, violetIn(zone, tunnelKeys)]));
}

function violetIn(zone: string, keys: pulumi.Output<number[]>): ovn.TransitRouter {
  const { id } = hosts[zone];
  const label = (role: string) => `${network}-${role}-${zone}`;

  // The same switch in every zone: same name, same datapath key.
  const layer2Switch = new ovn.Layer2Switch(label("switch"), { zone, name: switchName, subnets: [subnet], tunnelKey: keys[0] });

  // The default gateway: same address and MAC in every zone. Workloads learn it from router advertisements.
  const transitRouter = new ovn.TransitRouter(label("router"), {
    zone,
    name: routerName,
    tunnelKey: keys[1],
    switch: layer2Switch.uuid,
    switchName,
    switchPortTunnelKey: 1,
    gateway: { addresses: [gateway] },
    chassis: zone,
    routerAdvertisements: { preference: "HIGH" },
  });

  // The way out, on this host only.
  const gatewayRouter = new ovn.GatewayRouter(label("gateway"), {
    zone,
    name: `GR_${network}_${zone}`,
    chassis: zone,
    external: {
      switchName: `ext_${network}_${zone}`,
      localnetPortName: `br-ex_${network}_${zone}`,
      addresses: [`${outside.ipv6(29 + id)}/${outside.ipv6Length}`],
      nextHops: [outside.ipv6(1)],
    },
    snatSubnets: [subnet],
  });

  // The links between the two: a peered pair for this host, a remote port for each of the others, and the routes.
  const peer = new ovn.GatewayPeer(label("peer"), {
    zone,
    network,
    node: zone,
    nodes: Object.fromEntries(names.map((name) => [name, { id: hosts[name].id }])),
    router: transitRouter.uuid,
    gatewayRouter: gatewayRouter.uuid,
    subnets: [subnet],
    joinSubnets: ["fd72::/112"],
    transitSubnets: ["fd73::/112"],
  });

  // Workloads of this host as ports, those of other hosts as remote ports.
  const ports = new ovn.WorkloadPorts(label("workloads"), {
    zone,
    switch: layer2Switch.uuid,
    ports: Object.fromEntries(
      Object.entries(workloads).map(([name, { node, address, tunnelKey }]) => {
        const place = node === zone ? {} : { remote: true, chassis: [node] };
        return [name, { addresses: [address], tunnelKey, ...place }];
      }),
    ),
  });

  // One wait for the whole zone; again whenever a digest changes.
  new ovn.Propagation(label("propagation"), {
    zone,
    waitFor: "chassis",
    revision: [layer2Switch, transitRouter, gatewayRouter, peer, ports].map((resource) => resource.revision),
  });
  return transitRouter;
}
