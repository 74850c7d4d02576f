import fc from "fast-check";
import { egressAddress, egressReroute, formatIp, macOfIp } from "@pulumi-ovn/provider";
import { complaints } from "../../support/refusals";
import { rendered, rowsOf } from "./helpers";

const GR = "GR_blue_node2";
const address = {
  zone: "node2",
  gatewayRouter: GR,
  gatewayRouterName: GR,
  externalSwitch: "ext_blue_node2",
  address: "172.18.0.202",
  workloads: ["203.203.0.18", "203.203.0.17"],
};
const address6 = { ...address, address: "FC00:f853:ccd:e793:0::ca", workloads: ["2010:100:200::11"] };

describe("an egress address on a node", () => {
  const translation = (externalIp: string, logicalIp: string) => ({
    type: "snat",
    external_ip: externalIp,
    logical_ip: logicalIp,
    match: "",
    options: { stateless: "false" },
    in: `Logical_Router ${GR} nat`,
  });

  test("IPv4: one translation for each workload, and no further rows", () => {
    expect(rowsOf(egressAddress, address)).toEqual({
      [`NAT ${GR} egress 172.18.0.202 203.203.0.17`]: translation("172.18.0.202", "203.203.0.17"),
      [`NAT ${GR} egress 172.18.0.202 203.203.0.18`]: translation("172.18.0.202", "203.203.0.18"),
    });
  });

  test("IPv6: a port with its own MAC, which answers for the address and announces it", () => {
    const text = "fc00:f853:ccd:e793::ca";
    const mac = macOfIp({ family: 6, value: 0xfc00f8530ccde79300000000000000can });
    expect(rowsOf(egressAddress, address6)).toEqual({
      [`NAT ${GR} egress ${text} 2010:100:200::11`]: translation(text, "2010:100:200::11"),
      [`Logical_Router_Port rtoe-${GR}-${text}`]: {
        name: `rtoe-${GR}-${text}`,
        mac,
        networks: [expect.stringMatching(/^fe80::858:[0-9a-f]{1,4}:?\S*\/64$/)],
        in: `Logical_Router ${GR} ports`,
      },
      [`Logical_Switch_Port etor-${GR}-${text}`]: {
        name: `etor-${GR}-${text}`,
        type: "router",
        addresses: [mac],
        options: { "router-port": `rtoe-${GR}-${text}`, arp_proxy: `${mac} ${text}`, "nat-addresses": mac },
        in: "Logical_Switch ext_blue_node2 ports",
      },
    });
    expect(Object.keys(rowsOf(egressAddress, { ...address6, announce: false }))).toEqual([`NAT ${GR} egress ${text} 2010:100:200::11`]);
  });

  test("the MAC of an IPv6 address is equal on every node", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0x2000n << 112n, max: (0x4000n << 112n) - 1n }), (value) => {
        const on = (name: string) => {
          const rows = rendered(egressAddress, {
            ...address6,
            gatewayRouter: name,
            gatewayRouterName: name,
            zone: name,
            address: formatIp({ family: 6, value }),
            workloads: ["2010:100:200::11"],
          }).set.rows;
          return rows.find(({ table }) => table === "Logical_Router_Port")!.columns.mac;
        };
        expect(on("GR_a")).toBe(on("GR_b"));
      }),
      { numRuns: 50 },
    );
  });

  test("by mark: one translation, and a mark for each workload's unmarked packets", () => {
    const rows = rowsOf(egressAddress, { ...address, packetMark: 50_000, subnets: ["203.203.0.0/16", "2010:100:200::/60"] });
    expect(rows).toEqual({
      [`NAT ${GR} egress 172.18.0.202`]: { ...translation("172.18.0.202", "203.203.0.0/16"), match: "pkt.mark == 50000" },
      ...Object.fromEntries(
        ["203.203.0.17", "203.203.0.18"].map((workload) => [
          `Logical_Router_Policy ${GR} egress 172.18.0.202 ${workload}`,
          {
            priority: 95,
            match: `ip4.src == ${workload} && pkt.mark == 0`,
            action: "allow",
            nexthops: [],
            options: { pkt_mark: "50000" },
            in: `Logical_Router ${GR} policies`,
          },
        ]),
      ),
    });
  });

  test("only external packets: before translations with a match; packets that the router itself reroutes have no mark", () => {
    const outside = `outport == "rtoe-${GR}"`;
    const only = (externalIp: string, logicalIp: string, match = outside) => ({ ...translation(externalIp, logicalIp), match, priority: 1 });
    const byWorkload = {
      [`NAT ${GR} egress 172.18.0.202 203.203.0.17`]: only("172.18.0.202", "203.203.0.17"),
      [`NAT ${GR} egress 172.18.0.202 203.203.0.18`]: only("172.18.0.202", "203.203.0.18"),
    };
    expect(rowsOf(egressAddress, { ...address, outsideOnly: true })).toEqual(byWorkload);
    const marked = { ...address, packetMark: 50_000, subnets: ["203.203.0.0/16"] };
    expect(rowsOf(egressAddress, { ...marked, outsideOnly: true })).toEqual({
      ...rowsOf(egressAddress, marked),
      ...byWorkload,
      [`NAT ${GR} egress 172.18.0.202`]: only("172.18.0.202", "203.203.0.0/16", `${outside} && pkt.mark == 50000`),
    });
  });

  test.each([
    [{ workloads: [] }, ["workloads: needs at least one workload address"]],
    [{ workloads: ["2010:100:200::11"] }, ["workloads[0]: 2010:100:200::11 can't leave with the IPv4 address 172.18.0.202"]],
    [{ workloads: ["172.18.0.202"] }, ["workloads[0]: 172.18.0.202 is the egress address itself"]],
    [{ packetMark: 0, subnets: ["203.203.0.0/16"] }, ["packetMark: 0 means that a packet has no mark"]],
    [{ packetMark: 4_294_967_296, subnets: ["203.203.0.0/16"] }, ["packetMark: packet mark 4294967296 is out of range: 0 to 4294967295"]],
    [{ packetMark: 7 }, ["subnets: needs an IPv4 subnet with packetMark"]],
    [{ mac: "0a:58:00:00:00:01" }, ["mac: has no meaning for an IPv4 address: it is announced with the gateway router's MAC"]],
  ])("%j is refused", (change, expected) => {
    expect(complaints(() => rendered(egressAddress, { ...address, ...change }))).toEqual(expected);
  });
});

const reroute = {
  zone: "node1",
  policy: "web-1",
  router: "blue_transit_router",
  switch: "blue_ovn_layer2_switch",
  workloads: { vm1: { addresses: ["203.203.0.17", "2010:100:200::11"] } },
  nextHops: { node3: ["100.88.0.9", "fd97::9"], node2: ["100.88.0.7"] },
  keep: ["203.203.0.0/16", "100.65.0.0/16", "2010:100:200::/60", "203.203.0.0/16"],
};

describe("the path to egress addresses", () => {
  const inRouter = { in: "Logical_Router blue_transit_router policies" };
  const policy = (priority: number, match: string, action: string, nexthops: string[] = []) => ({
    priority,
    match,
    action,
    nexthops,
    options: {},
    ...inRouter,
  });

  test("its rows", () => {
    expect(rowsOf(egressReroute, reroute)).toEqual({
      "Logical_Router_Policy web-1 100 203.203.0.17": {
        ...policy(100, "ip4.src == 203.203.0.17", "reroute", ["100.88.0.7", "100.88.0.9"]),
        external_ids: { "pulumi-ovn:egress-next-hops": "node2=100.88.0.7 node3=100.88.0.9" },
      },
      "Logical_Router_Policy web-1 100 2010:100:200::11": {
        ...policy(100, "ip6.src == 2010:100:200::11", "reroute", ["fd97::9"]),
        external_ids: { "pulumi-ovn:egress-next-hops": "node3=fd97::9" },
      },
      "Address_Set served ip4": { name: "egress_web.1_served_ip4", addresses: ["203.203.0.17"] },
      "Address_Set kept ip4": { name: "egress_web.1_kept_ip4", addresses: ["100.65.0.0/16", "203.203.0.0/16"] },
      "Logical_Router_Policy web-1 102 kept ip4": policy(102, "ip4.src == $egress_web.1_served_ip4 && ip4.dst == $egress_web.1_kept_ip4", "allow"),
      "Address_Set served ip6": { name: "egress_web.1_served_ip6", addresses: ["2010:100:200::11"] },
      "Address_Set kept ip6": { name: "egress_web.1_kept_ip6", addresses: ["2010:100:200::/60"] },
      "Logical_Router_Policy web-1 102 kept ip6": policy(102, "ip6.src == $egress_web.1_served_ip6 && ip6.dst == $egress_web.1_kept_ip6", "allow"),
      ...Object.fromEntries(
        ["ip4", "ip6"].flatMap((ip) => {
          const row = (priority: number, rest: string, mark: number) => [
            `QoS web-1 ${priority} ${ip}`,
            {
              direction: "from-lport",
              priority,
              match: `${ip}.src == $egress_web.1_served_${ip} && ${rest}`,
              action: { mark },
              in: "Logical_Switch blue_ovn_layer2_switch qos_rules",
            },
          ];
          return [row(104, `${ip}.dst == $egress_web.1_kept_${ip}`, 0), row(103, "ct.trk && ct.rpl", 42)];
        }),
      ),
      "ACL web-1 stateful": { direction: "to-lport", priority: 0, match: "0", action: "allow-related", in: "Logical_Switch blue_ovn_layer2_switch acls" },
      "Logical_Router_Policy web-1 102 replies": policy(102, "pkt.mark == 42", "allow"),
    });
  });

  test("a workload of another zone uses the zone's own node, which can't be drained", () => {
    const rows = rowsOf(egressReroute, { ...reroute, workloads: { ...reroute.workloads, vm2: { addresses: ["203.203.0.18"], through: ["node2"] } } });
    expect(rows["Logical_Router_Policy web-1 100 203.203.0.18"]).toEqual(policy(100, "ip4.src == 203.203.0.18", "reroute", ["100.88.0.7"]));
  });

  const gateway = { router: GR, inports: ["rtos-l2", "rtos-l2-alias"], nextHops: { node1: ["172.18.0.1"], node2: ["100.65.0.3", "fd99::3"] } };
  const onGateway = (inports: string) => {
    const on = (priority: number, match: string, action: string, nexthops: string[] = []) => ({
      priority,
      match: `${inports}${match}`,
      action,
      nexthops,
      options: {},
      in: `Logical_Router ${GR} policies`,
    });
    return {
      "Logical_Router_Policy web-1 100 203.203.0.17 gateway": {
        ...on(100, "ip4.src == 203.203.0.17", "reroute", ["172.18.0.1", "100.65.0.3"]),
        external_ids: { "pulumi-ovn:egress-next-hops": "node1=172.18.0.1 node2=100.65.0.3" },
      },
      "Logical_Router_Policy web-1 100 2010:100:200::11 gateway": {
        ...on(100, "ip6.src == 2010:100:200::11", "reroute", ["fd99::3"]),
        external_ids: { "pulumi-ovn:egress-next-hops": "node2=fd99::3" },
      },
      "Logical_Router_Policy web-1 102 kept ip4 gateway": on(102, "ip4.src == $egress_web.1_served_ip4 && ip4.dst == $egress_web.1_kept_ip4", "allow"),
      "Logical_Router_Policy web-1 102 kept ip6 gateway": on(102, "ip6.src == $egress_web.1_served_ip6 && ip6.dst == $egress_web.1_kept_ip6", "allow"),
      "Logical_Router_Policy web-1 102 replies gateway": on(102, "pkt.mark == 42", "allow"),
    };
  };
  const policiesOf = (rows: Record<string, unknown>) => Object.entries(rows).filter(([key]) => key.startsWith("Logical_Router_Policy"));

  test("on both routers: the switch's rows exist once, the transit router's rows stay, and a mark allows their removal", () => {
    const rows = rowsOf(egressReroute, reroute);
    const passing = policiesOf(rows).map(([key, row]) => {
      const { external_ids, ...columns } = row as { external_ids?: object };
      return [key, { ...columns, external_ids: { "pulumi-ovn:goes-with-router": "true", ...external_ids } }];
    });
    expect(passing).toHaveLength(5);
    const more = onGateway('inport == {"rtos-l2", "rtos-l2-alias"} && ');
    expect(rowsOf(egressReroute, { ...reroute, gateway })).toEqual({ ...rows, ...more });
    expect(rowsOf(egressReroute, { ...reroute, gateway, goWithRouter: true })).toEqual({ ...rows, ...Object.fromEntries(passing), ...more });
  });

  test("only on the gateway router: all packets; the switch's rows stay", () => {
    const { router: _router, nextHops: _nextHops, ...rest } = reroute;
    const { inports: _inports, ...all } = gateway;
    const shared = Object.entries(rowsOf(egressReroute, reroute)).filter(([key]) => !key.startsWith("Logical_Router_Policy"));
    expect(rowsOf(egressReroute, { ...rest, gateway: all })).toEqual({ ...Object.fromEntries(shared), ...onGateway("") });
  });

  test("the gateway router reroutes neither other zones' workloads nor a family without a next hop", () => {
    const workloads = { ...reroute.workloads, vm2: { addresses: ["203.203.0.18"], through: ["node2"] } };
    const [before, after] = [
      rowsOf(egressReroute, { ...reroute, workloads }),
      rowsOf(egressReroute, { ...reroute, workloads, gateway: { router: GR, nextHops: { node1: ["172.18.0.1"] } } }),
    ];
    expect(Object.keys(after).filter((key) => !(key in before))).toEqual([
      "Logical_Router_Policy web-1 100 203.203.0.17 gateway",
      "Logical_Router_Policy web-1 102 kept ip4 gateway",
      "Logical_Router_Policy web-1 102 replies gateway",
    ]);
  });

  test("without marks for replies the switch's rows stay", () => {
    const tables = rendered(egressReroute, { ...reroute, replies: false }).set.rows.map(({ table }) => table);
    expect(new Set(tables)).toEqual(new Set(["Logical_Router_Policy", "Address_Set"]));
    expect(rowsOf(egressReroute, { ...reroute, replyMark: 7 })).toMatchObject({
      "Logical_Router_Policy web-1 102 replies": { match: "pkt.mark == 7" },
      "QoS web-1 103 ip4": { action: { mark: 7 } },
    });
  });

  test("a further workload adds its rows, and changes only the set of served addresses", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 20, max: 250 }), { minLength: 1, maxLength: 30 }), fc.boolean(), (numbers, reversed) => {
        const workloads = (list: readonly number[]) => Object.fromEntries(list.map((number) => [`w${number}`, { addresses: [`203.203.1.${number}`] }]));
        const [last, ...rest] = reversed ? numbers.toReversed() : numbers;
        const before = rowsOf(egressReroute, { ...reroute, workloads: { ...reroute.workloads, ...workloads(rest) } });
        const after = rowsOf(egressReroute, { ...reroute, workloads: { ...workloads([last!]), ...workloads(rest), ...reroute.workloads } });
        const changed = Object.keys(after).filter((key) => JSON.stringify(after[key]) !== JSON.stringify(before[key]));
        expect(changed.sort()).toEqual(["Address_Set served ip4", `Logical_Router_Policy web-1 100 203.203.1.${last}`]);
      }),
      { numRuns: 50 },
    );
  });

  test.each([
    [{ workloads: {} }, ["workloads: needs at least one workload"]],
    [{ nextHops: { node2: ["100.88.0.7"] } }, ["workloads.vm1.addresses[1]: there is no IPv6 next hop for 2010:100:200::11"]],
    [{ nextHops: { node3: ["100.88.0.9", "100.88.0.11", "fd97::9"] } }, ["nextHops.node3: only one next hop of each family is possible here"]],
    [{ keep: ["203.203.0.0/16"] }, ["keep: needs the network's IPv6 subnet: packets inside of the network must not be rerouted"]],
    [{ replyMark: 0 }, ["replyMark: 0 means that a packet has no mark"]],
    [
      { workloads: { vm1: { addresses: ["203.203.0.17"], through: ["node9"] } } },
      ['workloads.vm1.through[0]: "node9" is not one of nextHops: node2, node3', "workloads.vm1.addresses[0]: there is no IPv4 next hop for 203.203.0.17"],
    ],
    [
      { gateway: { router: GR, nextHops: { node2: ["100.65.0.3", "100.65.0.4"] } } },
      ["gateway.nextHops.node2: only one next hop of each family is possible here"],
    ],
    [
      { gateway: { router: GR, nextHops: { node1: ["172.18.0.1", "fe80::1"] } } },
      [
        "gateway.nextHops.node1[1]: fe80::1 can't be a policy's next hop: it is link-local, so every port has its subnet, and OVN would take one of them by chance",
      ],
    ],
    [{ router: undefined, nextHops: undefined }, ["router: is required without gateway"]],
    [
      { router: undefined, nextHops: undefined, gateway: { router: GR, nextHops: { node2: ["100.65.0.3"] } } },
      ["workloads.vm1.addresses[1]: there is no IPv6 next hop for 2010:100:200::11"],
    ],
    [{ nextHops: undefined, workloads: { vm1: { addresses: ["203.203.0.17"] } } }, ["workloads.vm1.addresses[0]: there is no IPv4 next hop for 203.203.0.17"]],
    [
      { workloads: { a: { addresses: ["203.203.0.17"] }, b: { addresses: ["203.203.0.17"] } } },
      ["workloads.b.addresses[0]: address 203.203.0.17 is already used by a"],
    ],
  ])("%j is refused", (change, expected) => {
    expect(complaints(() => rendered(egressReroute, { ...reroute, ...change }))).toEqual(expected);
  });
});
