import { Layer2Network } from "pulumi-ovn";
import type { World } from "./world";

/** Expression of a stack program, with the value (or a function that creates it) for rendering the sample. */
export class Expression {
  constructor(
    readonly text: string,
    readonly value: unknown,
  ) {}
}

const expression = (text: string, value: unknown) => new Expression(text, value);

export interface Sample {
  /** Name of the variable and of the resource in the example. */
  readonly variable: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Facts for a kind that observes its target: the page is generated without one. */
  readonly observed?: World;
  /** The host whose part of a component its page shows. Default: it shows a zone's. */
  readonly host?: string;
}

const blueSwitch = expression("layer2Switch.uuid", "blue_ovn_layer2_switch");
const firstKey = expression('keys.of("blue")[0]', 16_715_779);
const secondKey = expression('keys.of("blue")[1]', 16_715_780);
const nodes = { node1: { id: 2 }, node2: { id: 3 } };

const network = {
  name: "blue",
  subnets: ["203.203.0.0/16", "2010:100:200::/60"],
  tunnelKeys: expression('keys.of("blue")', [16_715_779, 16_715_780]),
  nodes: {
    node1: {
      id: 2,
      tunnelAddresses: ["198.18.0.1"],
      external: { addresses: ["172.18.0.11/24", "fc00:f853:ccd:e793::b/64"], nextHops: ["172.18.0.1", "fc00:f853:ccd:e793::1"] },
    },
    node2: {
      id: 3,
      tunnelAddresses: ["198.18.0.2"],
      external: { addresses: ["172.18.0.12/24", "fc00:f853:ccd:e793::c/64"], nextHops: ["172.18.0.1", "fc00:f853:ccd:e793::1"] },
    },
  },
  workloads: {
    vm1: { node: "node1", addresses: ["203.203.0.17", "2010:100:200::11"] },
    vm2: { node: "node2", addresses: ["203.203.0.18", "2010:100:200::12"] },
  },
};

const layer2Network = expression("blue", () => new Layer2Network("blue", { ...network, tunnelKeys: [16_715_779, 16_715_780] }));
const nodeLocalHost = { routerPort: "rtos-node1", hostAddresses: ["172.18.0.111"], management: { addresses: ["10.244.0.2"] } };

/** Small arguments for each class: the example of its page, and the rows that the page shows. */
export const samples: Readonly<Record<string, Sample>> = {
  Layer2Network: { variable: "blue", args: network },
  Layer2Switch: {
    variable: "layer2Switch",
    args: {
      zone: "node1",
      name: "blue_ovn_layer2_switch",
      subnets: ["203.203.0.0/16", "2010:100:200::/60"],
      tunnelKey: firstKey,
      managementPort: { name: "k8s-blue_node1", addresses: ["203.203.0.2", "2010:100:200::2"], tunnelKey: 2 },
    },
  },
  TransitRouter: {
    variable: "transitRouter",
    args: {
      zone: "node1",
      name: "blue_transit_router",
      tunnelKey: secondKey,
      switch: blueSwitch,
      switchName: "blue_ovn_layer2_switch",
      switchPortTunnelKey: 1,
      gateway: { addresses: ["203.203.0.1/16", "2010:100:200::1/60"] },
      chassis: "node1",
    },
  },
  GatewayRouter: {
    variable: "gatewayRouter",
    args: {
      zone: "node1",
      name: "GR_blue_node1",
      chassis: "node1",
      external: { switchName: "ext_blue_node1", localnetPortName: "br-ex_blue_node1", addresses: ["172.18.0.11/24"], nextHops: ["172.18.0.1"] },
      joinAddresses: ["100.65.0.2"],
      snatSubnets: ["203.203.0.0/16"],
    },
  },
  GatewayPeer: {
    variable: "peer",
    args: {
      zone: "node1",
      network: "blue",
      node: "node1",
      nodes,
      router: expression("transitRouter.uuid", "blue_transit_router"),
      gatewayRouter: expression("gatewayRouter.uuid", "GR_blue_node1"),
      subnets: ["203.203.0.0/16"],
      joinSubnets: ["100.65.0.0/16"],
      transitSubnets: ["100.88.0.0/16"],
    },
  },
  Layer2Gateway: {
    variable: "topology",
    args: {
      zone: "node1",
      network: "blue",
      node: "node1",
      nodes: { node1: { id: 2 }, node2: { id: 3, topology: "gateway" } },
      upgrade: "move",
      switch: blueSwitch,
      switchName: "blue_ovn_layer2_switch",
      gatewayRouter: expression("gatewayRouter.uuid", "GR_blue_node1"),
      tunnelKey: secondKey,
      gateway: { addresses: ["203.203.0.1/16"] },
      subnets: ["203.203.0.0/16"],
      joinSubnets: ["100.65.0.0/16"],
      transitSubnets: ["100.88.0.0/16"],
    },
  },
  WorkloadPorts: {
    variable: "workloads",
    args: {
      zone: "node1",
      switch: blueSwitch,
      ports: { vm1: { addresses: ["203.203.0.17"], tunnelKey: 27 }, vm2: { addresses: ["203.203.0.18"], tunnelKey: 28, remote: true, chassis: ["node2"] } },
    },
  },
  DhcpOptions: {
    variable: "dhcp",
    args: {
      zone: "node1",
      subnet: "203.203.0.0/16",
      serverMac: "0a:58:cb:cb:00:01",
      serverAddress: "203.203.0.1",
      router: "203.203.0.1",
      dnsServers: ["10.96.0.10"],
    },
  },
  RemoteChassis: { variable: "tunnels", args: { zone: "node1", chassis: { node2: { addresses: ["198.18.0.2"] } } } },
  BgpExposure: {
    variable: "exposure",
    args: {
      zone: "node1",
      mode: "ovn",
      routers: { "router-blue": { table: 1201 } },
      floatingIPs: true,
      tenantNetworks: "subnet",
      exclude: { networks: ["private"] },
    },
    observed: {
      routers: {
        "router-blue": {
          chassis: "node1",
          ports: {
            "lrp-blue": { networks: ["10.1.0.1/24"], network: "blue", provider: false, labels: {}, scopes: {}, neighbors: [], hosts: [] },
            "lrp-outside": { networks: ["172.18.0.11/24"], network: "outside", provider: true, labels: {}, scopes: {}, neighbors: [], hosts: [] },
            "lrp-private": { networks: ["10.2.0.1/24"], network: "private", provider: false, labels: {}, scopes: {}, neighbors: [], hosts: [] },
          },
          nat: ["198.51.100.5"],
          vips: [],
        },
      },
      taken: {},
    },
  },
  RouteAdvertisement: {
    variable: "announcement",
    args: {
      cluster: "prod",
      name: "blue",
      networks: { blue: { topology: "layer2", subnets: ["203.203.0.0/16"], egressIPs: { node1: ["172.18.0.201"] } } },
      frrConfigurationSelector: { matchLabels: { "use-for-advertisements": "default" } },
      advertisements: ["PodNetwork", "EgressIP"],
      waitFor: "established",
    },
    observed: {
      nodes: { node1: { labels: { "kubernetes.io/hostname": "node1" }, annotations: {}, addresses: ["172.18.0.11"] } },
      networks: {},
      namespaces: {},
      egressIPs: {},
      frrConfigurations: {
        "frr-k8s-system/peers": {
          labels: { "use-for-advertisements": "default" },
          spec: { bgp: { routers: [{ asn: 64_512, neighbors: [{ address: "172.18.0.5", asn: 64_512 }] }] }, nodeSelector: {} },
        },
      },
      networkIds: {},
    },
  },
  KubernetesObjects: {
    variable: "peering",
    args: {
      cluster: "prod",
      objects: {
        receive: {
          apiVersion: "frrk8s.metallb.io/v1beta1",
          kind: "FRRConfiguration",
          metadata: { name: "receive-filtered", namespace: "frr-k8s-system", labels: { "use-for-advertisements": "default" } },
          spec: {
            bgp: {
              routers: [
                {
                  asn: 64_512,
                  neighbors: [
                    {
                      address: "172.18.0.5",
                      asn: 64_512,
                      disableMP: true,
                      toReceive: { allowed: { mode: "filtered", prefixes: [{ prefix: "172.20.0.0/16" }] } },
                    },
                  ],
                },
              ],
            },
          },
        },
        marker: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "fabric", namespace: "frr-k8s-system" }, data: { asn: "64512" } },
      },
    },
  },
  NorthboundRows: {
    variable: "acls",
    args: {
      zone: "node1",
      entries: {
        "no-telnet": {
          table: "ACL",
          columns: { direction: "to-lport", priority: 900, match: "tcp.dst == 23", action: "drop" },
          parent: { table: "Logical_Switch", row: blueSwitch, column: "acls" },
        },
      },
    },
  },
  SouthboundRows: {
    variable: "chassis",
    args: {
      zone: "node1",
      entries: {
        far: { table: "Chassis", columns: { name: "far", hostname: "far", other_config: { "is-remote": "true" } }, references: { encaps: ["tunnel"] } },
        tunnel: { table: "Encap", columns: { type: "geneve", ip: "198.18.0.9", chassis_name: "far", options: { csum: "true" } } },
      },
    },
  },
  Vpc: {
    variable: "blue",
    host: "host1",
    args: {
      name: "blue",
      hosts: { host1: { tunnelAddress: "192.0.2.1" }, host2: { tunnelAddress: "192.0.2.2" } },
      tiers: {
        web: { cidrs: ["10.1.1.0/24"], gateways: ["10.1.1.1"], key: 1001, acl: "default_allow" },
        db: { cidrs: ["10.1.2.0/24"], gateways: ["10.1.2.1"], key: 1002, acl: "db" },
      },
      acls: { db: [{ number: 10, action: "allow", direction: "ingress", protocol: "tcp", ports: "5432", cidrs: ["10.1.1.0/24"] }] },
      workloads: { web1: { tier: "web", host: "host1", mac: "0a:58:0a:01:01:0b", addresses: ["10.1.1.11"], port: "tap1" } },
      virtualRouter: { host: "host2" },
      stateful: true,
      portSecurity: true,
    },
  },
  VpcBridges: {
    variable: "bridges",
    args: {
      host: "host1",
      vpc: "blue",
      tiers: { web: 1001 },
      tunnelAddress: "192.0.2.1",
      remotes: { host2: "192.0.2.2" },
      ports: { tap1: "web" },
      portSecurity: { tap1: { mac: "0a:58:0a:01:01:0b", addresses: ["10.1.1.11"] } },
    },
  },
  LogicalRouterBridge: {
    variable: "router",
    args: {
      host: "host1",
      vpc: "blue",
      mac: "0e:00:00:00:00:01",
      tiers: {
        web: { key: 1001, cidrs: ["10.1.1.0/24"], gatewayMac: "0a:58:0a:01:01:01", acl: "default_allow" },
        db: { key: 1002, cidrs: ["10.1.2.0/24"], gatewayMac: "0a:58:0a:01:02:01", acl: "default_allow" },
      },
      workloads: { web1: { tier: "web", mac: "0a:58:0a:01:01:0b", addresses: ["10.1.1.11"] } },
      remotes: ["host2"],
    },
  },
  BridgeFlows: {
    variable: "mirror",
    args: {
      host: "host1",
      bridges: [
        { bridge: "br-probe", flows: ["priority=100,icmp,actions=output:probe0", "priority=0,actions=drop"] },
        { bridge: "br0", flows: ["priority=200,icmp,in_port=vm1,actions=output:to-probe,NORMAL"] },
      ],
    },
  },
  OpenVSwitchRows: {
    variable: "exporter",
    args: {
      zone: "node1",
      entries: {
        flows: { table: "IPFIX", columns: { targets: ["192.0.2.7:4739"], sampling: 400 }, parent: { table: "Bridge", row: "br-int", column: "ipfix" } },
      },
    },
  },
  EgressIPPolicy: {
    variable: "web",
    args: { network: layer2Network, workloads: ["vm1"], addresses: { "172.18.0.100": "node1", "172.18.0.101": "node2" } },
  },
  EgressAddress: {
    variable: "address",
    args: {
      zone: "node1",
      gatewayRouter: expression("gatewayRouter.uuid", "GR_blue_node1"),
      gatewayRouterName: "GR_blue_node1",
      externalSwitch: "ext_blue_node1",
      address: "172.18.0.100",
      workloads: ["203.203.0.17"],
    },
  },
  EgressReroute: {
    variable: "reroute",
    args: {
      zone: "node1",
      policy: "web",
      router: expression("transitRouter.uuid", "blue_transit_router"),
      switch: blueSwitch,
      workloads: { vm1: { addresses: ["203.203.0.17"] } },
      nextHops: { node1: ["100.88.0.5"], node2: ["100.88.0.7"] },
      keep: ["203.203.0.0/16", "100.65.0.0/16", "100.88.0.0/16", "172.18.0.0/24"],
    },
  },
  NodeLocalAccess: {
    variable: "local",
    args: { zones: { node1: { router: expression("router.uuid", "ovn_cluster_router"), nodes: { node1: nodeLocalHost } } } },
  },
  NodeLocalGateway: {
    variable: "gateway",
    args: {
      zone: "node1",
      router: expression("router.uuid", "ovn_cluster_router"),
      chassis: ["node1"],
      nodes: { node1: { ...nodeLocalHost, addresses: expression('addresses.of("node1")', ["169.254.0.3", "fd99:1::3"]) } },
    },
  },
  NodeLocalBridge: { variable: "bridge", args: { zone: "node1" } },
  AddressPool: { variable: "addresses", args: { owners: ["node1", "node2"], subnets: ["169.254.0.0/20"] } },
  Propagation: {
    variable: "reached",
    args: { zone: "node1", waitFor: "chassis", revision: expression("[transitRouter.revision, peer.revision]", ["a", "b"]) },
  },
  TunnelKeyPool: { variable: "keys", args: { owners: { blue: 2 } } },
};
