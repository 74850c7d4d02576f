import fc from "fast-check";
import { nodeLocalGateway } from "@pulumi-ovn/provider";
import { complaints } from "../../support/refusals";
import { rendered, rowsOf } from "./helpers";

const ROUTER = "ovn_cluster_router";
const node = (index: number, change: object = {}) => ({
  addresses: [`169.254.0.${2 + index}`, `fd99:1::${2 + index}`],
  hostAddresses: [`10.8.51.5${index}`, `2001:db8:51::${index}`],
  routerPort: `rtos-node${index}`,
  management: { addresses: [`192.168.${index}.2`, `fd00:${index}::2`] },
  ...change,
});
const base = { zone: "central", router: ROUTER, chassis: ["h1"], nodes: { node1: node(1) } };

describe("the path from a router to its hosts", () => {
  test("has rows with ovn-kubernetes's names, numbers and priorities", () => {
    const ids = { external_ids: { "pulumi-ovn:node": "node1" } };
    const policy = (priority: number, match: string, nextHop: string) => ({
      priority,
      match,
      action: "reroute",
      nexthops: [nextHop],
      options: {},
      ...ids,
      in: `Logical_Router ${ROUTER} policies`,
    });
    expect(rowsOf(nodeLocalGateway, base)).toEqual({
      "Logical_Router_Port gateway port": {
        name: "rtos-node_local_switch",
        mac: "0a:58:a9:fe:00:02",
        networks: ["169.254.0.2/20", "fd99:1::2/64"],
        in: `Logical_Router ${ROUTER} ports`,
      },
      "Gateway_Chassis h1": { name: "rtos-node_local_switch_h1", chassis_name: "h1", priority: 100, in: "Logical_Router_Port <gateway port> gateway_chassis" },
      "Static_MAC_Binding rtos-node_local_switch 169.254.0.1": {
        logical_port: "rtos-node_local_switch",
        ip: "169.254.0.1",
        mac: "0a:58:a9:fe:00:01",
        override_dynamic_mac: true,
      },
      "Static_MAC_Binding rtos-node_local_switch fd99:1::1": {
        logical_port: "rtos-node_local_switch",
        ip: "fd99:1::1",
        mac: "0a:58:a9:fe:00:01",
        override_dynamic_mac: true,
      },
      "Logical_Switch switch": { name: "node_local_switch" },
      "Logical_Switch_Port localnet port": {
        name: "lnet-node_local_switch",
        type: "localnet",
        addresses: ["unknown"],
        options: { network_name: "locnet" },
        in: "Logical_Switch <switch> ports",
      },
      "Logical_Switch_Port router port": {
        name: "stor-node_local_switch",
        type: "router",
        addresses: ["router"],
        options: { "router-port": "rtos-node_local_switch", "nat-addresses": "router" },
        in: "Logical_Switch <switch> ports",
      },
      "NAT node1 dnat_and_snat ip4": {
        type: "dnat_and_snat",
        external_ip: "169.254.0.3",
        logical_ip: "192.168.1.2",
        external_mac: "0a:58:a9:fe:00:03",
        logical_port: "k8s-node1",
        gateway_port: "<gateway port>",
        ...ids,
        in: `Logical_Router ${ROUTER} nat`,
      },
      "NAT node1 dnat_and_snat ip6": {
        type: "dnat_and_snat",
        external_ip: "fd99:1::3",
        logical_ip: "fd00:1::2",
        external_mac: "0a:58:a9:fe:00:03",
        logical_port: "k8s-node1",
        gateway_port: "<gateway port>",
        ...ids,
        in: `Logical_Router ${ROUTER} nat`,
      },
      "Logical_Router_Policy node1 1004 10.8.51.51": policy(1004, 'inport == "rtos-node1" && ip4.dst == 10.8.51.51 /* node1 */', "192.168.1.2"),
      "Logical_Router_Policy node1 1004 2001:db8:51::1": policy(1004, 'inport == "rtos-node1" && ip6.dst == 2001:db8:51::1 /* node1 */', "fd00:1::2"),
      "Logical_Router_Policy node1 1005 10.8.51.51": policy(1005, "ip4.src == 192.168.1.2 && ip4.dst == 10.8.51.51 /* node1 */", "169.254.0.1"),
      "Logical_Router_Policy node1 1005 2001:db8:51::1": policy(1005, "ip6.src == fd00:1::2 && ip6.dst == 2001:db8:51::1 /* node1 */", "fd99:1::1"),
    });
  });

  test("has default routes if the router has none, only for hosts", () => {
    const [plain, rows] = [rowsOf(nodeLocalGateway, base), rowsOf(nodeLocalGateway, { ...base, defaultRoute: true })];
    const route = (ip_prefix: string, nexthop: string) => ({
      ip_prefix,
      nexthop,
      policy: "dst-ip",
      output_port: "rtos-node_local_switch",
      in: `Logical_Router ${ROUTER} static_routes`,
    });
    const drop = (match: string) => ({
      priority: 1001,
      match: `outport == "rtos-node_local_switch" && ${match}`,
      action: "drop",
      nexthops: [],
      options: {},
      in: `Logical_Router ${ROUTER} policies`,
    });
    expect(rows).toEqual({
      ...plain,
      "Logical_Router_Static_Route default ip4": route("0.0.0.0/0", "169.254.0.1"),
      "Logical_Router_Static_Route default ip6": route("::/0", "fd99:1::1"),
      "Logical_Router_Policy default ip4": drop("ip4.dst != 169.254.0.0/20"),
      "Logical_Router_Policy default ip6": drop("ip6.dst != fd99:1::/64"),
    });
    const four = rowsOf(nodeLocalGateway, {
      ...base,
      subnets: ["169.254.0.0/20"],
      nodes: { node1: node(1, { addresses: ["169.254.0.3"] }) },
      defaultRoute: true,
    });
    expect(Object.keys(four).filter((key) => key.includes("default"))).toEqual([
      "Logical_Router_Static_Route default ip4",
      "Logical_Router_Policy default ip4",
    ]);
  });

  test("leads the management port's packets to other destinations through the host in local gateway mode", () => {
    const rows = rowsOf(nodeLocalGateway, { ...base, gatewayMode: "local", clusterSubnets: ["192.168.0.0/16", "203.203.0.0/16", "fd00::/16"] });
    expect(rows["Logical_Router_Policy node1 1003 ip4"]).toMatchObject({
      priority: 1003,
      match: "ip4.src == 192.168.1.2 && ip4.dst != 192.168.0.0/16 && ip4.dst != 203.203.0.0/16 /* inter-node1 */",
      nexthops: ["169.254.0.1"],
    });
    expect(rows["Logical_Router_Policy node1 1003 ip6"]).toMatchObject({
      match: "ip6.src == fd00:1::2 && ip6.dst != fd00::/16 /* inter-node1 */",
      nexthops: ["fd99:1::1"],
    });
  });

  test("has a priority for each chassis of a whole cluster, also for the last", () => {
    const priorities = (count: number) => {
      const rows = rowsOf(nodeLocalGateway, { ...base, chassis: Array.from({ length: count }, (_, index) => `h${index}`) }) as Record<
        string,
        { priority: number }
      >;
      return [rows["Gateway_Chassis h0"]!.priority, rows[`Gateway_Chassis h${count - 1}`]!.priority];
    };
    expect([priorities(101), priorities(102), priorities(300)]).toEqual([
      [100, 0],
      [101, 0],
      [299, 0],
    ]);
  });

  test("may have given names, subnets, MAC and port, and several chassis", () => {
    const args = {
      ...base,
      switchName: "blue_local",
      networkName: "bluenet",
      subnets: ["169.254.64.0/24"],
      chassis: ["h2", "h1"],
      externalIds: { team: "net" },
      nodes: { node1: node(1, { addresses: ["169.254.64.9"], management: { addresses: ["192.168.1.2", "fd00:1::2"], port: "k8s-blue_node1" } }) },
    };
    const rows = rowsOf(nodeLocalGateway, args);
    expect(rows["Logical_Router_Port gateway port"]).toMatchObject({
      name: "rtos-blue_local",
      mac: "0a:58:a9:fe:40:02",
      networks: ["169.254.64.2/24"],
      external_ids: { team: "net" },
    });
    expect(rows["Gateway_Chassis h2"]).toMatchObject({ name: "rtos-blue_local_h2", priority: 100 });
    expect(rows["Gateway_Chassis h1"]).toMatchObject({ name: "rtos-blue_local_h1", priority: 99 });
    expect(rows["NAT node1 dnat_and_snat ip4"]).toMatchObject({
      external_mac: "0a:58:a9:fe:40:09",
      logical_port: "k8s-blue_node1",
      external_ids: { team: "net", "pulumi-ovn:node": "node1" },
    });
    // No local subnet of the family: its packets have nowhere to go but the management port.
    expect(Object.keys(rows).filter((key) => key.includes("2001:db8"))).toEqual(["Logical_Router_Policy node1 1004 2001:db8:51::1"]);
  });

  test("translates with a MAC of its own: not the management port's, the host's or the router's", () => {
    const nodes = Object.fromEntries([1, 2, 3].map((index) => [`node${index}`, node(index)]));
    const macs = Object.values(rowsOf(nodeLocalGateway, { ...base, nodes }) as Record<string, { external_mac?: string }>).flatMap(
      ({ external_mac }) => external_mac ?? [],
    );
    expect([...new Set(macs)]).toEqual(["0a:58:a9:fe:00:03", "0a:58:a9:fe:00:04", "0a:58:a9:fe:00:05"]);
  });

  test("has MACs from IPv6 addresses without IPv4", () => {
    const only = { addresses: ["fd99:1::3"], hostAddresses: ["2001:db8:51::1"], management: { addresses: ["fd00:1::2"] } };
    const rows = rowsOf(nodeLocalGateway, { ...base, subnets: ["fd99:1::/64"], nodes: { node1: node(1, only) } });
    expect(Object.keys(rows).filter((key) => key.includes("ip4"))).toEqual([]);
    expect(rows["Logical_Router_Port gateway port"]).toMatchObject({ networks: ["fd99:1::2/64"], mac: expect.stringMatching(/^0a:58(:[0-9a-f]{2}){4}$/) });
  });

  test("keeps every row with another name of the switch", () => {
    const keys = (args: object) => Object.keys(rowsOf(nodeLocalGateway, args)).filter((key) => !key.startsWith("Static_MAC_Binding"));
    expect(keys({ ...base, switchName: "renamed" })).toEqual(keys(base));
  });

  test("does not depend on the order of nodes, addresses and subnets", () => {
    const one = rendered(nodeLocalGateway, { ...base, nodes: { node1: node(1), node2: node(2) } });
    const turned = node(1, { addresses: [...node(1).addresses].reverse(), hostAddresses: [...node(1).hostAddresses].reverse() });
    expect(rendered(nodeLocalGateway, { ...base, subnets: ["fd99:1::/64", "169.254.0.0/20"], nodes: { node2: node(2), node1: turned } })).toEqual(one);
  });
});

describe("nodes whose names are parts of each other", () => {
  const name = fc.stringMatching(/^[a-z][a-z0-9.-]{0,6}$/);
  test("share no row, and a removed one has its own rows only", () => {
    fc.assert(
      fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 3 }), name, fc.constantFrom("-", ".", ""), (heads, tail, separator) => {
        const names = [...new Set([tail, ...heads.map((head) => `${head}${separator}${tail}`), ...heads.map((head) => `${tail}${separator}${head}`)])];
        const nodes = Object.fromEntries(
          names.map((own, index) => [own, node(index + 1, { hostAddresses: [`10.8.51.${index + 1}`], routerPort: `rtos-${own}` })]),
        );
        const rows = Object.entries(rowsOf(nodeLocalGateway, { ...base, nodes })) as [string, { external_ids?: Record<string, string> }][];
        for (const gone of names.length > 1 ? names : []) {
          const { [gone]: _gone, ...left } = nodes;
          const expected = rows.filter(([, row]) => row.external_ids?.["pulumi-ovn:node"] !== gone);
          expect(rowsOf(nodeLocalGateway, { ...base, nodes: left })).toEqual(Object.fromEntries(expected));
          expect(rows.length - expected.length).toBe(2 + 1 + 1);
        }
      }),
      { numRuns: 15 },
    );
  });
});

describe("arguments that would lose packets without an error", () => {
  const one = (change: object) => ({ ...base, nodes: { node1: node(1, change) } });
  test.each<[string, object]>([
    ["nodes: needs at least one node", { ...base, nodes: {} }],
    ["chassis: needs at least one chassis: without one the port does not answer", { ...base, chassis: [] }],
    ['clusterSubnets: is required for gateway mode "local": what goes to them stays in the network', { ...base, gatewayMode: "local" }],
    ["subnets[0]: subnet in usedSubnets 169.254.0.0/17 overlaps node-local subnet 169.254.0.0/20", { ...base, usedSubnets: ["169.254.0.0/17"] }],
    ["subnets[1]: subnet in clusterSubnets fd99::/16 overlaps node-local subnet fd99:1::/64", { ...base, clusterSubnets: ["fd99::/16"] }],
    ["subnets[1]: 169.254.0.0/20 and 169.254.64.0/20: only one IPv4 entry is possible here", { ...base, subnets: ["169.254.0.0/20", "169.254.64.0/20"] }],
    ['subnets[0]: "169.254.0.4/20" has host bits set: the subnet is 169.254.0.0/20', { ...base, subnets: ["169.254.0.4/20"] }],
    ["subnets[0]: 169.254.0.0/30 has no address left after the 2 that are set aside: take a larger subnet", { ...base, subnets: ["169.254.0.0/30"] }],
    ['switchName: name "a\\"b" can\'t have quotes: names become part of OVN match expressions', { ...base, switchName: 'a"b' }],
    ['nodes["a\\"b"]: name "a\\"b" can\'t have quotes: names become part of OVN match expressions', { ...base, nodes: { 'a"b': node(1) } }],
    ['nodes["a */ b"]: name "a */ b" can\'t have white space: names become part of OVN match expressions', { ...base, nodes: { "a */ b": node(1) } }],
    ['nodes.node1.routerPort: name "rtos\\"" can\'t have quotes: names become part of OVN match expressions', one({ routerPort: 'rtos"' })],
    [
      "nodes.node1.addresses[0]: 169.254.0.2 is set aside: the first address is the host's, the second the router's",
      one({ addresses: ["169.254.0.2", "fd99:1::3"] }),
    ],
    ["nodes.node1.addresses[0]: 169.254.16.3 is outside of 169.254.0.0/20 and fd99:1::/64", one({ addresses: ["169.254.16.3", "fd99:1::3"] })],
    [
      "nodes.node1.addresses[0]: 169.254.15.255 is the broadcast address of 169.254.0.0/20, which no host can have",
      one({ addresses: ["169.254.15.255", "fd99:1::3"] }),
    ],
    ["chassis[2]: h1 is listed twice", { ...base, chassis: ["h1", "h2", "h1"] }],
    ["nodes.node1.addresses: needs an IPv6 address of 169.254.0.0/20 and fd99:1::/64", one({ addresses: ["169.254.0.3"] })],
    ["nodes.node1.hostAddresses[0]: 169.254.3.1 is inside of node-local subnet 169.254.0.0/20", one({ hostAddresses: ["169.254.3.1"] })],
    ["nodes.node1.hostAddresses[1]: 10.8.51.51 is listed twice", one({ hostAddresses: ["10.8.51.51", "10.8.51.51"] })],
  ])("%s", (complaint, args) => {
    expect(complaints(() => rendered(nodeLocalGateway, args))).toContain(complaint);
  });

  test("an address of a family that the management port lacks is not translated", () => {
    const rows = rowsOf(nodeLocalGateway, one({ hostAddresses: ["10.8.51.51"], management: { addresses: ["192.168.1.2"] } }));
    expect(Object.keys(rows).filter((key) => key.startsWith("NAT"))).toEqual(["NAT node1 dnat_and_snat ip4"]);
  });

  test("host addresses of families that the management port lacks", () => {
    expect(complaints(() => rendered(nodeLocalGateway, one({ management: { addresses: ["192.168.1.2"] } })))).toEqual([
      "nodes.node1.hostAddresses[1]: 2001:db8:51::1 is IPv6, and the management port has no address of that family",
    ]);
  });

  test("an object that two nodes have", () => {
    const twin = node(1, { routerPort: "rtos-node2" });
    expect(complaints(() => rendered(nodeLocalGateway, { ...base, nodes: { node1: node(1), node2: twin } }))).toEqual([
      "nodes.node2.addresses[0]: node-local address 169.254.0.3 is already used by node1",
      "nodes.node2.addresses[1]: node-local address fd99:1::3 is already used by node1",
      "nodes.node2.hostAddresses[0]: host address 10.8.51.51 is already used by node1",
      "nodes.node2.hostAddresses[1]: host address 2001:db8:51::1 is already used by node1",
      "nodes.node2.management.addresses[0]: management address 192.168.1.2 is already used by node1",
      "nodes.node2.management.addresses[1]: management address fd00:1::2 is already used by node1",
    ]);
  });

  test("a port that two nodes have", () => {
    const same = { port: "k8s" };
    const nodes = { node1: node(1, { management: { ...node(1).management, ...same } }), node2: node(2, { management: { ...node(2).management, ...same } }) };
    expect(complaints(() => rendered(nodeLocalGateway, { ...base, nodes }))).toEqual([
      "nodes.node2.management.port: management port k8s is already used by node1",
    ]);
  });
});
