import { setTimeout as sleep } from "node:timers/promises";
import { hosts } from "../../examples/route-advertisement/hosts";
import { LABELS, peersOf } from "../../examples/route-advertisement/peers";
import scenario from "../../examples/route-advertisement/proof.mts";
import type { RouteAdvertisementArgs } from "@pulumi-ovn/provider";
import { Connections } from "@pulumi-ovn/provider/targets";
import type { Sandbox } from "@pulumi-ovn/sandbox";
import { contents, difference, until } from "@pulumi-ovn/sandbox/testing";
import { Announcement, Fabric } from "../support/announcement";
import { laterUpdates, prefixesIn, SHOW_PATHS, SHOW_TABLES, updateTimes } from "../support/bgp-tables";
import { explained } from "../support/explained";
import type { Flow } from "../support/flow";
import { Flows } from "../support/flows";
import type { LiveNetwork, LivePolicy } from "../support/live-network";
import { liveSandbox, movedStage } from "../support/live-sandbox";
import { blue } from "../support/network";
import { runScript } from "../support/run-script";
import { addElsewhere, reached } from "../support/upgrade-flows";

/** Every step waits for FRR to load a configuration. */
jest.setTimeout(300_000);

const FRR = "frrk8s.metallb.io/v1beta1";
const FOREIGN = { use: "theirs" };
/** An address without an answer. */
const NOBODY = "172.18.0.98";

let sandbox: Sandbox;
let network: LiveNetwork;
let fabric: Fabric;
let targets: Connections;
let announcement: Announcement;
/** Contents of the hosts' databases and the cluster, before and after all tests. */
let rows: string[];
let others: Record<string, string>;
liveSandbox({ ...scenario.sandbox, name: "fabric" }, async (...live) => {
  [sandbox, network] = live;
  await scenario.prepare(sandbox);
  await addElsewhere(sandbox);
  fabric = new Fabric(sandbox.cluster);
  targets = new Connections({}, {}, sandbox.targets.clusters);
  await fabric.template({
    apiVersion: FRR,
    kind: "FRRConfiguration",
    metadata: { name: "theirs", namespace: "frr-k8s-system", labels: FOREIGN },
    spec: { bgp: { routers: [{ asn: 64513, neighbors: [{ address: NOBODY, asn: 64512 }] }] } },
  });
  others = await fabric.versions();
  rows = await contents(sandbox);
  announcement = new Announcement("blue", targets);
});
afterAll(() => targets?.close());

const SUBNETS = ["203.203.0.0/16", "2010:100:200::/60"] as const;
/** The gateway routers on the hosts, to which the templates send what is for the network. */
const [GATEWAY1, GATEWAY2] = ["172.18.0.11", "172.18.0.12"] as const;
const GATEWAYS = [GATEWAY1, GATEWAY2];
const GATEWAYS6 = ["fe80::858:acff:fe12:b", "fe80::858:acff:fe12:c"];
const ALL = { [SUBNETS[0]]: GATEWAYS, [SUBNETS[1]]: GATEWAYS6 };
/** Egress addresses outside every subnet: the fabric finds them only by BGP. */
const [MOVED, STAYS] = ["192.168.77.1", "192.168.77.2"] as const;

/** Routes that the upstream router's kernel has learned by BGP: `PREFIX by NEXT HOPS`. */
async function routes(): Promise<string[]> {
  const families = await Promise.all(["-4", "-6"].map((family) => runScript(sandbox, "ext", `ip -json ${family} route show proto bgp`)));
  return families
    .flatMap((text) => JSON.parse(text || "[]") as { dst: string; gateway?: string; nexthops?: { gateway: string }[] }[])
    .map(({ dst, gateway, nexthops = [] }) => `${dst} by ${[...(gateway ? [gateway] : []), ...nexthops.map((hop) => hop.gateway)].sort().join()}`)
    .sort();
}

/** Until the upstream router has these routes and no other. */
async function learned(expected: Readonly<Record<string, readonly string[]>>): Promise<void> {
  const wanted = Object.entries(expected)
    .map(([prefix, hops]) => `${prefix} by ${hops.join()}`)
    .sort();
  await explained(sandbox, () =>
    until("routes", 120_000, async () => JSON.stringify(await routes()) === JSON.stringify(wanted)).catch(async () => expect(await routes()).toEqual(wanted)),
  );
}

const given = (subnets: readonly string[], egressIPs: Record<string, string[]> = {}): RouteAdvertisementArgs => ({
  cluster: "sandbox",
  name: "blue",
  networks: { blue: { topology: "layer2", subnets: [...subnets], egressIPs } },
  frrConfigurationSelector: { matchLabels: LABELS },
  advertisements: ["PodNetwork", "EgressIP"],
});

const node = async (name: string) => (await sandbox.cluster.must("GET", `/api/v1/nodes/${name}`)) as { metadata: { labels: object } };

it("announces from all nodes, also from an added one, and changes one prefix of two", async () => {
  for (const [name, host] of Object.entries(hosts)) await fabric.template(peersOf(name, host));
  const {
    metadata: { labels },
  } = await node("node2");
  await fabric.removeNode("node2");
  await announcement.up(given(SUBNETS));
  expect(announcement.outs).toMatchObject({ accepted: true, announced: { node1: SUBNETS.toSorted() } });
  await learned({ [SUBNETS[0]]: [GATEWAY1], [SUBNETS[1]]: GATEWAYS6.slice(0, 1) });

  await sandbox.cluster.must("POST", "/api/v1/nodes", { apiVersion: "v1", kind: "Node", metadata: { name: "node2", labels } });
  expect(await announcement.preview(given(SUBNETS))).toMatchObject({
    changes: true,
    inputs: { announced: { node1: SUBNETS.toSorted(), node2: SUBNETS.toSorted() } },
  });
  await announcement.up(given(SUBNETS));
  await learned(ALL);

  await announcement.up(given([SUBNETS[0], "2010:100:300::/60"]));
  await learned({ [SUBNETS[0]]: GATEWAYS, "2010:100:300::/60": GATEWAYS6 });
});

/** Each workload leaves by node1 with an address of its own; what is for the other address outside leaves by the own node. */
const policies = (moved: string): LivePolicy[] =>
  (
    [
      [MOVED, "vm1", moved],
      [STAYS, "vm2", "node1"],
    ] as const
  ).map(([address, workload, at]) => ({ name: workload, workloads: [workload], addresses: { [address]: at }, keep: ["192.0.2.1"] }));
const blueWith = (moved: string) =>
  network.write(
    blue(Object.keys(hosts), {
      tunnelKeys: { switch: 16_715_779, router: 16_715_780 },
      advertised: { translateTo: Object.values(hosts).flatMap(({ own }) => [...own]) },
    }),
    policies(moved),
  );
const held = (moved: string) => given(SUBNETS, moved === "node1" ? { node1: [MOVED, STAYS] } : { node1: [STAYS], node2: [MOVED] });

/** The flow that moves; flows that the fabric routes by BGP; and, twice, unchanged flows over both hosts. */
const udp = (name: string, kind: Flow["kind"], from: string, to: string, over: readonly string[]): Flow => ({ name, kind, protocol: "udp", from, to, over });
const FLOWS = [
  udp("vm1 by the address that moves", "egress", "vm1", "192.0.2.2", ["node1", "node2"]),
  udp("vm1 out", "out", "vm1", "192.0.2.1", ["node1"]),
  udp("vm2 out", "out", "vm2", "192.0.2.1", ["node2"]),
  udp("outside to vm1", "service", "ext", "203.203.0.17", ["node1", "node2"]),
  udp("control: vm2 by the address that stays", "control", "vm2", "192.0.2.2", ["node1", "node2"]),
  udp("control: vm1 to vm2", "control", "vm1", "203.203.0.18", ["node1", "node2"]),
];

/** Until every way is known to all routers on it. */
const acquainted = () =>
  Promise.all(FLOWS.map(({ name, from, to }) => until(name, 60_000, async () => (await sandbox.exec(from, ["ping", "-n", "-c1", "-W1", to])).code === 0)));

it("moves an egress address and its route to another node, the route last", async () => {
  await blueWith("node1");
  await reached(sandbox);
  await announcement.up(held("node1"));
  await learned({ ...ALL, [MOVED]: [GATEWAY1], [STAYS]: [GATEWAY1] });
  await acquainted();
  await using flows = await Flows.start(sandbox, FLOWS);
  await flows.stage("before", () => sleep(1_500));
  await movedStage(flows, sandbox, "move", async () => {
    await Promise.all([blueWith("node2"), announcement.up(held("node2"))]);
    await learned({ ...ALL, [MOVED]: [GATEWAY2], [STAYS]: [GATEWAY1] });
  });
  const report = await flows.end();
  console.log(report.table());
  // Not of the move itself: the address is nowhere until its route has followed, and while FRR loads its prefix lists anew others'
  // ways may change from one gateway router to the other.
  expect(report.beyondControl(["before", "move, after"])).toEqual([]);
});

it("has nodes accept the routes of a node with the same AS number with allowAsIn only", async () => {
  const [unknown, route] = ["192.168.78.0/24", `${STAYS}/32`];
  const has = async (prefix: string) => prefixesIn(await runScript(sandbox, "node2", SHOW_TABLES)).includes(prefix);
  const received = (prefixes: readonly string[]) => {
    const [router] = peersOf("node2", hosts["node2"]!).spec.bgp.routers;
    const [ipv4, ipv6] = router!.neighbors;
    const toReceive = { allowed: { mode: "filtered", prefixes: ["198.51.100.0/24", ...prefixes].map((prefix) => ({ prefix })) } };
    return fabric.edit("fabric-node2", { spec: { bgp: { routers: [{ ...router, neighbors: [{ ...ipv4, toReceive }, ipv6] }] } } });
  };
  const told = { ...ALL, [MOVED]: [GATEWAY2], [STAYS]: [GATEWAY1] };
  await runScript(
    sandbox,
    "ext",
    `ip route add blackhole ${unknown}; vtysh -c 'configure terminal' -c 'router bgp 64512' -c 'address-family ipv4 unicast' -c 'network ${unknown}'`,
  );
  await received([unknown, route]);
  // Both are allowed by one prefix list, and come over one session: what the other lacks is another AS number.
  await explained(sandbox, () => until(unknown, 120_000, () => has(unknown)));
  expect(await has(route)).toBe(false);
  await announcement.up({ ...held("node2"), allowAsIn: true });
  await explained(sandbox, () => until(route, 120_000, () => has(route)));
  await learned(told);
  await announcement.up(held("node2"));
  await explained(sandbox, () => until(`no ${route}`, 120_000, async () => !(await has(route))));
  expect(await has(unknown)).toBe(true);
  await received([]);
  await learned(told);
});

it("moves the marks of an earlier release's objects, and changes no route", async () => {
  const names = await Promise.all(Object.keys(hosts).map((name) => fabric.generatedFor(name)));
  const updates = async () => updateTimes(await runScript(sandbox, "ext", SHOW_PATHS));
  const reconciled = async () => Number(await runScript(sandbox, "node1", `grep -c 'end reconcile' ${sandbox.folder}/node1/frr-k8s-controller.log || true`));
  const before = await updates();
  for (const name of names) await fabric.markAsFormerRelease(name);
  announcement.outs = { ...announcement.outs, digest: "of the earlier release" };
  const seen = await reconciled();
  await announcement.up(held("node2"));
  expect(await Promise.all(names.map(async (name) => (await fabric.get(name)).metadata.labels["pulumi-ovn/route-advertisement"]))).toEqual(["blue", "blue"]);
  await until("frr-k8s to have looked", 60_000, async () => (await reconciled()) > seen);
  await learned({ ...ALL, [MOVED]: [GATEWAY2], [STAYS]: [GATEWAY1] });
  // A load begins 0.2 s after a change.
  await sleep(2_000);
  const after = await updates();
  expect(after.length).toBe(before.length);
  expect(laterUpdates(before, after)).toEqual([]);
});

it("names a session that is not established, with its node, neighbor and state", async () => {
  // FRR has this prefix for other sessions, so that the one that is missing is all that there is to wait for.
  const [prefix] = SUBNETS;
  const items = async (path: string) =>
    ((await sandbox.cluster.must("GET", `/apis/${FRR}/${path}`)) as { items: { status?: { peer?: string; runningConfig?: string } }[] }).items;
  await until("what frr-k8s tells", 120_000, async () => {
    const [sessions, nodes] = await Promise.all([items("namespaces/frr-k8s-system/bgpsessionstates"), items("frrnodestates")]);
    return sessions.filter(({ status }) => status?.peer === NOBODY).length === 2 && nodes.every(({ status }) => status?.runningConfig?.includes(prefix));
  });
  const dead = new Announcement("dead", targets);
  const state = String.raw`the session with 172\.18\.0\.98 is in state (Active|Connect|Idle) \([^()]+\)`;
  const refused = (timeout: number) =>
    dead.up({ ...given([prefix]), name: "dead", frrConfigurationSelector: { matchLabels: FOREIGN }, waitFor: "established", timeout }).then(
      () => "it succeeds",
      ({ code, message }: { code: string; message: string }) => `${code}: ${message}`,
    );
  const named = new RegExp(`^OVN_NOT_ESTABLISHED: .*: not reached within \\d+ s: node node1: ${state}; node node2: ${state}$`);
  // The write makes FRR load its configuration again, which may take longer than the first timeout. An update with another timeout only waits.
  const settled = async (timeout = 1): Promise<string> => {
    const message = await refused(timeout);
    return named.test(message) || timeout > 60 ? message : settled(2 * timeout);
  };
  try {
    await explained(sandbox, async () => expect(await settled()).toMatch(named));
  } finally {
    await dead.destroy();
  }
});

/** The nodes whose object, by these names, a refresh finds other than it should be. */
async function drifted(names: Record<string, string>): Promise<string[]> {
  const { drift = {} } = (await announcement.refresh()) as { drift?: object };
  return [...new Set(Object.keys(drift).map((line) => Object.keys(names).find((name) => line.includes(names[name]!)) ?? line))].sort();
}

it("shows and repairs manual changes of templates and generated objects", async () => {
  const [{ spec: template }, mine] = [peersOf("node1", hosts["node1"]!), held("node2")];
  const names = { node1: await fabric.generatedFor("node1"), node2: await fabric.generatedFor("node2") };
  // Without a next hop for it in the raw text the host itself is the one of IPv4.
  await fabric.edit("fabric-node1", { spec: { raw: { rawConfig: template.raw.rawConfig.split("\n").slice(3).join("\n") } } });
  expect(await drifted(names)).toEqual(["node1"]);
  await announcement.up(mine);
  await learned({ [SUBNETS[0]]: ["172.18.0.111", GATEWAY2], [SUBNETS[1]]: GATEWAYS6, [MOVED]: [GATEWAY2], [STAYS]: ["172.18.0.111"] });
  await fabric.edit("fabric-node1", { spec: { raw: template.raw } });
  expect(await drifted(names)).toEqual(["node1"]);

  await fabric.edit(names.node1, { spec: { bgp: { routers: [{ asn: 64513, prefixes: ["203.206.0.0/16"] }] } } });
  await fabric.remove(names.node2);
  expect(await drifted(names)).toEqual(["node1", "node2"]);
  await announcement.up(mine);
  await learned({ ...ALL, [MOVED]: [GATEWAY2], [STAYS]: [GATEWAY1] });
  expect(await drifted(names)).toEqual([]);
});

it("withdraws the announcements of a deleted node, and all at destroy; no object, route or row is left", async () => {
  await runScript(sandbox, "node2", `kill -KILL $(cat ${sandbox.folder}/node2/bgpd.pid)`);
  await fabric.removeNode("node2");
  await announcement.up(held("node1"));
  await learned({ [SUBNETS[0]]: [GATEWAY1], [SUBNETS[1]]: GATEWAYS6.slice(0, 1), [MOVED]: [GATEWAY1], [STAYS]: [GATEWAY1] });
  await announcement.destroy();
  await learned({});
  for (const name of Object.keys(hosts)) await fabric.remove(`fabric-${name}`);
  expect(await fabric.versions()).toEqual(others);
  await network.write(undefined);
  expect(difference(rows, await contents(sandbox))).toEqual([]);
});
