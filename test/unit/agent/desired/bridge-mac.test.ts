import { desired } from "@pulumi-ovn/agent";
import {
  BASE,
  BRIDGE,
  ELSEWHERE,
  EXT,
  GATEWAY,
  HERE,
  TENANT,
  bound,
  gatewayPort,
  joined,
  localnet,
  port,
  problems,
  routes,
  snapshot,
  stateOf,
  ALL,
} from "./snapshots";

// A bridge's MAC is the host's only, or also a router's, as with ovn-kubernetes' shared gateway.
const VM = bound("vm", "ext", "0a:00:00:00:00:09 198.51.100.9");
const DROP = `priority=910,in_port=7,dl_src=${BRIDGE.mac},actions=drop`;
const OWN = `${BRIDGE.mac} 198.51.100.2/24`;
const flows = (...args: Parameters<typeof snapshot>) =>
  desired(snapshot(...args)).state.flows.flatMap(({ bridge, flows: own }) => own.map((flow) => `${bridge} ${flow}`));
const SHARED = joined("router2", "ext", OWN, { type: "l3gateway", router: { chassis: HERE }, switch: { chassis: HERE } });

test("drops a frame from OVN with the bridge's MAC if no router has this MAC, also if a workload has it", () => {
  for (const ports of [
    [EXT, VM],
    [EXT, VM, ...GATEWAY, ...TENANT],
    [EXT, bound("vm", "ext", `${BRIDGE.mac} 198.51.100.9`)],
    [
      EXT,
      VM,
      bound("member", "ext", `${BRIDGE.mac} 198.51.100.7`, { chassis: ELSEWHERE }),
      port("odd", "ext", { type: "patch", mac: [OWN], options: { peer: "none" } }),
    ],
  ]) {
    expect(flows(ports, ALL)).toContain(`br-ex ${DROP}`);
    expect(problems(snapshot(ports, ALL))).toEqual([]);
    expect(routes(snapshot(ports, ALL))).toContain("198.51.100.9/32 br-ex");
  }
});

describe("leaves a network's packets unchanged if a router's port has the bridge's MAC", () => {
  test.each([
    ["a gateway router's", SHARED],
    ["a gateway router's, in capitals", joined("router2", "ext", OWN.toUpperCase(), { type: "l3gateway", router: { chassis: HERE } })],
    ["a distributed gateway port", gatewayPort("router2", "ext", OWN, HERE)],
    ["one that is elsewhere, and may come here", gatewayPort("router2", "ext", OWN, ELSEWHERE)],
    ["one that is nowhere yet", gatewayPort("router2", "ext", OWN, null)],
    ["a distributed router's that has no gateway", joined("router2", "ext", OWN)],
    ["one with other addresses before it", joined("router2", "ext", OWN, { router: { mac: ["router", OWN] } })],
    [
      "that of its NAT",
      joined("router2", "ext", "0a:00:00:00:02:02 198.51.100.2/24", {
        switch: { natAddresses: ["0a:00:00:00:02:02 198.51.100.4", `${BRIDGE.mac.toUpperCase()} 198.51.100.5 is_chassis_resident("vm5")`] },
      }),
    ],
    [
      "of a switch that is one with the network",
      [
        port("ext-far", "ext", { type: "patch", options: { peer: "far-ext" } }),
        port("far-ext", "far", { type: "patch", options: { peer: "ext-far" } }),
        ...joined("router2", "far", OWN),
      ],
    ],
  ])("%s", (_, router) => {
    const setting = snapshot([EXT, VM, ...router], ALL);
    expect(stateOf(setting)).toEqual(BASE);
    expect(problems(setting)).toEqual(["OVN_AGENT_BRIDGE_MAC ext"]);
    // The same with another MAC.
    expect(flows([EXT, VM, ...router], ALL, { bridges: { physnet: { ...BRIDGE, mac: "0a:00:00:00:00:ef" } } })).toHaveLength(3);
  });

  test("names router's port, bridge and MAC in the problem", () => {
    expect(desired(snapshot([EXT, VM, ...SHARED], ALL)).problems[0]!.message).toBe(
      'router port "router2-ext" sends with the MAC of bridge br-ex (0a:00:00:00:00:ee), so the bridge can\'t tell it from the host: nothing of network "ext" is announced here, and its packets are left alone',
    );
  });

  test("does not affect an exposure without the network, or other networks of the bridge", () => {
    const OTHER = [localnet("ln-vlan", "ext2", "physnet"), bound("other", "ext2", "0a:00:00:00:00:0a 203.0.113.9")];
    const both = [EXT, VM, ...SHARED, ...OTHER];
    expect(routes(snapshot(both, ALL))).toEqual(["203.0.113.9/32 br-ex"]);
    expect(flows(both, ALL)).toEqual(flows(OTHER, ALL));
    expect(flows(both, ALL)).toContain(`br-ex priority=910,in_port=8,dl_src=${BRIDGE.mac},actions=drop`);
    const excluded = { ...ALL, exclude: { networks: ["ext"], ports: [], labels: {} } };
    expect([routes(snapshot(both, excluded)), problems(snapshot(both, excluded))]).toEqual([["203.0.113.9/32 br-ex"], []]);
  });

  test("ignores a router behind another router, and ends in a ring of switches", () => {
    const behind = joined("router1", "tenant2", `${BRIDGE.mac} 10.2.0.1/24`);
    expect(flows([EXT, VM, ...GATEWAY, ...behind], ALL)).toContain(`br-ex ${DROP}`);
    const ring = ["ext", "b", "c"].flatMap((network, at, all) =>
      [1, 2].map((step) => port(`${network}-${all[(at + step) % 3]!}`, network, { type: "patch", options: { peer: `${all[(at + step) % 3]!}-${network}` } })),
    );
    expect(flows([EXT, VM, ...ring], ALL)).toContain(`br-ex ${DROP}`);
    expect(problems(snapshot([EXT, VM, ...ring, ...joined("router2", "c", OWN)], ALL))).toEqual(["OVN_AGENT_BRIDGE_MAC ext"]);
  });

  test("accepts a shared MAC of the physical network's routers as a router's MAC, if a router has it", () => {
    const mapped = (chassisMac: string) => ({ bridges: { physnet: { ...BRIDGE, chassisMac } } });
    expect(problems(snapshot([EXT, VM, ...GATEWAY], ALL, mapped(BRIDGE.mac)))).toEqual(["OVN_AGENT_BRIDGE_MAC ext"]);
    expect(problems(snapshot([EXT, VM, ...GATEWAY], ALL, mapped("0a:00:00:00:00:ef")))).toEqual([]);
    expect([problems(snapshot([EXT, VM], ALL, mapped(BRIDGE.mac))), flows([EXT, VM], ALL, mapped(BRIDGE.mac))]).toEqual([
      [],
      expect.arrayContaining([`br-ex ${DROP}`]),
    ]);
  });

  test("removes flows and routes when a router gets that MAC, and adds them when it gets another one", () => {
    const before = snapshot([EXT, VM, ...GATEWAY], ALL);
    const states = [before, snapshot([EXT, VM, ...gatewayPort("router1", "ext", OWN, HERE)], ALL), before].map((setting) => stateOf(setting));
    expect([states[1], states[2]]).toEqual([BASE, states[0]]);
    expect(states[0]).toContain(`flow br-ex ${DROP}`);
  });
});
