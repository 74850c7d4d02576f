import { setTimeout as sleep } from "node:timers/promises";
import type { Layer2NetworkArgs, Topology, UpgradeStage } from "@pulumi-ovn/provider";
import type { Sandbox } from "@pulumi-ovn/sandbox";
import type { LiveNetwork } from "../support/live-network";
import { liveSandbox } from "../support/live-sandbox";
import { blue, NODES } from "../support/network";
import { runScript } from "../support/run-script";
import { forgetEarly, MACHINES, reached, RENEWED } from "../support/upgrade-flows";
import { acquainted, connections, continuously, PATIENCE, SERVICE_PORT, serve } from "./egress-ip-traffic";

const [VM1, VM2] = MACHINES;
const NAMES = ["node1", "node2"];
/** Upstream, in the hosts' own subnet, and beyond it. */
const TARGETS = ["172.18.0.1", "fc00:f853:ccd:e793::1", "192.0.2.1", "2001:db8::1"];

let sandbox: Sandbox;
let network: LiveNetwork;
liveSandbox({ name: "local-mode", hosts: 2, workloads: [VM1!, VM2!] }, async (...live) => {
  [sandbox, network] = live;
  for (const [index, node] of NAMES.entries()) await beHost(node, index + 1);
  const names = [VM1!.name, VM2!.name];
  await forgetEarly(sandbox, names);
  // Every node's gateway router answers a router solicitation, and Linux keeps the first one for 65535 s. If it is another node's, packets leave
  // through that node's host, and answers come to this one. Unsolicited advertisements stay in their zone.
  for (const name of names) await run(name, "echo 0 > /proc/sys/net/ipv6/conf/eth0/router_solicitations");
});

const run = (place: string, script: string) => runScript(sandbox, place, script, 60_000);

/** The host forwards what comes by its port in the network, and its neighbours know the way back. */
async function beHost(node: string, n: number): Promise<void> {
  await run(
    node,
    `
    ovs-vsctl add-port br-int ovn-k8s-mp0 -- set Interface ovn-k8s-mp0 type=internal mac='"0a:58:cb:cb:00:02"' external_ids:iface-id=k8s-blue_${node}
    until [ -e /proc/sys/net/ipv4/conf/ovn-k8s-mp0 ]; do sleep 0.05; done
    ethtool -K ovn-k8s-mp0 tx off > /dev/null
    for port in all br-ex ovn-k8s-mp0; do echo 0 > /proc/sys/net/ipv4/conf/$port/rp_filter; done
    echo 1 > /proc/sys/net/ipv4/ip_forward
    echo 1 > /proc/sys/net/ipv6/conf/all/forwarding
    ip link set ovn-k8s-mp0 up
    ip address add 203.203.0.2/16 dev ovn-k8s-mp0
    ip address add 2010:100:200::2/60 dev ovn-k8s-mp0 nodad
    ip route add default via 172.18.0.1
    ip route add default via fc00:f853:ccd:e793::1
  `,
  );
  await run(
    "ext",
    `
    ip route add 203.203.0.${16 + n}/32 via 172.18.0.${110 + n}
    ip route add 2010:100:200::1${n}/128 via fc00:f853:ccd:e793::${(110 + n).toString(16)}
  `,
  );
}

const workloads = Object.fromEntries(
  [VM1!, VM2!].map(({ name, host, mac, addresses }) => [name, { node: host, mac, addresses: addresses.map((address) => address.split("/")[0]!) }]),
);

/** "tg": node1 has the transit topology, node2 the gateway topology. */
function state(topologies: string, upgrade?: UpgradeStage): Layer2NetworkArgs {
  const nodes = NAMES.map((name, index) => [name, { ...NODES[name]!, topology: (topologies[index] === "t" ? "transit" : "gateway") as Topology }]);
  return blue(NAMES, {
    tunnelKeys: { switch: 16_715_779, router: 16_715_780 },
    nodes: Object.fromEntries(nodes),
    workloads,
    gatewayMode: "local",
    management: {},
    routerAdvertisements: { maxInterval: 4, minInterval: 3 },
    ...(upgrade && { upgrade }),
  });
}

/** The walk there and back, with the time that workloads get to renew what they know. */
const WALK: readonly (readonly [topologies: string, upgrade: UpgradeStage | undefined, wait: number])[] = [
  ["gg", undefined, 2_000],
  ["gg", "move", 2_000],
  ["tg", "move", 2_000],
  ["tt", "move", 2_000],
  ["tt", "follow", 2_000],
  ["tt", "announce", RENEWED],
  ["tt", "settle", 2_000],
  ["tt", undefined, 2_000],
  ["tt", "settle", 2_000],
  ["tt", "follow", 2_000],
  ["tt", "move", 2_000],
  ["gt", "move", 2_000],
  ["gg", "move", 2_000],
];

test("in local gateway mode all packets leave through the host with the workload's address, in each stage of an upgrade and back", async () => {
  await network.write(state("gg"));
  await reached(sandbox);
  const servers = await Promise.all(["ext", VM1!.name].map((place) => serve(sandbox, place)));
  await run("node1", `ovn-nbctl lb-add svc 172.18.0.11:${SERVICE_PORT} 203.203.0.17:${SERVICE_PORT} tcp -- lr-lb-add GR_blue_node1 svc`);
  const pairs = [VM1!, VM2!].flatMap(({ name, addresses }) =>
    TARGETS.map((target) => [name, target, addresses[target.includes(":") ? 1 : 0]!.split("/")[0]!] as const),
  );
  for (const [from, target] of pairs) await acquainted(sandbox, from, target);
  await acquainted(sandbox, "ext", "172.18.0.11", 5, SERVICE_PORT);

  const running = await Promise.all(pairs.map(async ([from, target, source]) => [from, target, source, await continuously(sandbox, from, target)] as const));
  // Answers are translated back by the gateway router that the request came through.
  const services: [sources: string[], lost: number][] = [];
  for (const [topologies, upgrade, wait] of WALK) {
    await network.write(state(topologies, upgrade));
    await reached(sandbox);
    await sleep(wait);
    const { timeout = 0, ...answered } = (await connections(sandbox, "ext", "172.18.0.11", 5, PATIENCE, SERVICE_PORT)).tally;
    services.push([Object.keys(answered), Math.max(0, timeout - 1)]); // a dropped SYN can't be made good, see `acquainted`
  }
  expect(services).toEqual(WALK.map(() => [["100.65.0.2"], 0]));
  for (const [from, target, source, end] of running) {
    const { tally } = await end();
    expect([from, target, Object.keys(tally)]).toEqual([from, target, [source]]);
  }
  for (const server of servers) server.signal("SIGKILL");
}, 900_000);
