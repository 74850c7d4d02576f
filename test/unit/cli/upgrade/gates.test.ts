import fc from "fast-check";
import {
  agreementFindings,
  joinFindings,
  keyFindings,
  planStages,
  releaseFindings,
  type Settings,
  settingsAfter,
  workloadFindings,
  type ZoneSnapshot,
} from "@pulumi-ovn/cli/upgrade";
import { everyNode, inState, networkOf, resourcesOf, snapshotsOf, THREE } from "../../../support/upgrade-stack";

const OLD: Settings = { upgrade: undefined, nodes: everyNode("gateway") };
const NEW: Settings = { upgrade: undefined, nodes: everyNode("transit") };
const MIXED: Settings = { upgrade: "move", nodes: { ...everyNode("gateway"), node2: "transit" } };

type Ports = ZoneSnapshot["ports"][number];
/** The snapshots with one port of one zone changed. */
const withPort = (zones: readonly ZoneSnapshot[], zone: string, name: string, change: Partial<Ports>) =>
  zones.map((snapshot) =>
    snapshot.zone === zone ? { ...snapshot, ports: snapshot.ports.map((port) => (port.name === name ? { ...port, ...change } : port)) } : snapshot,
  );
const problems = (findings: readonly { where: string; problem: string }[]) => findings.map(({ where, problem }) => `${where}: ${problem}`);

describe("every state of an upgrade, as the rows result in it", () => {
  const states = (from: Settings, back: boolean, batch: number) =>
    planStages(from, { back, order: THREE, batch }).reduce<Settings[]>((list, stage) => [...list, settingsAfter(list.at(-1)!, stage)], [from]);

  it.each([
    ["there", OLD, false],
    ["back", NEW, true],
  ] as const)("passes the gates on the way %s", (_title, from, back) => {
    for (const settings of states(from, back, 1)) {
      const args = inState(settings);
      const [network, zones] = [networkOf(args), snapshotsOf(args)];
      expect([settings, problems(agreementFindings(network, zones))]).toEqual([settings, []]);
      expect([settings, problems(joinFindings(network, zones))]).toEqual([settings, []]);
      expect(keyFindings(network, [], resourcesOf(args), zones)).toEqual([]);
    }
  });

  it("passes with any moved nodes, in zones before and after the move", () => {
    fc.assert(
      fc.property(fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()), fc.nat({ max: 2 }), (moved, lagging) => {
        const before: Settings = { upgrade: "move", nodes: Object.fromEntries(THREE.map((name, index) => [name, moved[index] ? "transit" : "gateway"])) };
        const late = THREE[lagging]!;
        const after: Settings = { upgrade: "move", nodes: { ...before.nodes, node1: "transit" } };
        const [network, old, wanted] = [networkOf(inState(after)), snapshotsOf(inState(before)), snapshotsOf(inState(after))];
        const zones = wanted.map((snapshot, index) => (snapshot.zone === late && late !== "node1" ? old[index]! : snapshot));
        expect(problems([...agreementFindings(network, zones), ...joinFindings(network, zones)])).toEqual([]);
      }),
      { numRuns: 24 },
    );
  });
});

describe("agreement", () => {
  const args = inState(MIXED);
  const network = networkOf(args);
  const zones = snapshotsOf(args);

  it("finds a datapath with another key", () => {
    const wrong = zones.map((snapshot) =>
      snapshot.zone === "node3"
        ? { ...snapshot, datapaths: snapshot.datapaths.map((path) => (path.name === network.transitRouter ? { ...path, tunnelKey: 99 } : path)) }
        : snapshot,
    );
    expect(problems(agreementFindings(network, wrong))).toEqual(["zone node3: datapath blue_transit_router has tunnel key 99, and 16715780 in zone node1"]);
  });

  it("finds a workload's port with another key, and names the port that receives its packets", () => {
    expect(problems(agreementFindings(network, withPort(zones, "node3", "vm1", { tunnelKey: 777 })))).toEqual([
      "zone node3: port vm1 has tunnel key 777, and 27 in zone node1",
      "zone node3: remote port vm1 leads to key 777 of blue_ovn_layer2_switch on chassis node1, and zone node1 has no port of its own with that key",
    ]);
  });

  it("finds a link's port with another key in its own zone", () => {
    expect(problems(agreementFindings(network, withPort(zones, "node2", "trtor-GR_blue_node2", { tunnelKey: 14_000 })))).toEqual([
      "zone node2: port trtor-GR_blue_node2 has tunnel key 14000, and 13 in zone node1",
      "zone node1: remote port trtor-GR_blue_node2 leads to key 13 of blue_transit_router on chassis node2, and zone node2 has no port of its own with that key",
      "zone node3: remote port trtor-GR_blue_node2 leads to key 13 of blue_transit_router on chassis node2, and zone node2 has no port of its own with that key",
    ]);
  });

  it("finds a gateway router's port that another zone has with another key and another name", () => {
    expect(problems(agreementFindings(network, withPort(zones, "node1", "stor-blue_ovn_layer2_switch_node2", { tunnelKey: 4 })))).toEqual([
      "zone node3: port stor-blue_ovn_layer2_switch_node2 has tunnel key 32765, and 4 in zone node1",
      "zone node1: remote port stor-blue_ovn_layer2_switch_node2 leads to key 4 of blue_ovn_layer2_switch on chassis node2, and zone node2 has no port of its own with that key",
    ]);
  });

  it("finds a workload in two zones", () => {
    expect(problems(agreementFindings(network, withPort(zones, "node3", "vm1", { type: "", chassis: "node3" })))).toEqual([
      'zone node3: port vm1 is of type "" here, and in zone node1 too: only one of them can have the workload',
    ]);
  });

  it("accepts a migrating workload", () => {
    expect(agreementFindings(network, withPort(zones, "node3", "vm1", { type: "", chassis: "node1", requestedChassis: "node1,node3" }))).toEqual([]);
  });

  it("finds remote ports on no chassis, on an unowned one, and on a wrong one", () => {
    expect(problems(agreementFindings(network, withPort(zones, "node3", "vm1", { chassis: undefined, requestedChassis: undefined })))).toEqual([
      "zone node3: remote port vm1 has no chassis: what is sent to it is lost",
    ]);
    expect(problems(agreementFindings(network, withPort(zones, "node3", "vm1", { chassis: undefined })))).toEqual([
      "zone node3: remote port vm1 is not bound to chassis node1",
    ]);
    expect(problems(agreementFindings(network, withPort(zones, "node3", "vm1", { chassis: "node9" })))).toEqual([
      "zone node3: remote port vm1 is on chassis node9, which no node of the network has",
    ]);
    expect(problems(agreementFindings(network, withPort(zones, "node3", "vm1", { chassis: "node2" })))).toEqual([
      "zone node3: remote port vm1 leads to key 27 of blue_ovn_layer2_switch on chassis node2, and zone node2 has no port of its own with that key",
    ]);
    expect(problems(agreementFindings(network, withPort(zones, "node1", "vm1", { chassis: "node2" })))).toHaveLength(2);
  });

  it("finds a chassis that is not marked as remote", () => {
    const wrong = zones.map((snapshot) =>
      snapshot.zone === "node1" ? { ...snapshot, chassis: snapshot.chassis.map((chassis) => ({ ...chassis, remote: false })) } : snapshot,
    );
    expect(new Set(problems(agreementFindings(network, wrong)))).toEqual(
      new Set([
        "zone node1: chassis node2 of zone node2 is not marked is-remote: no packet reaches it",
        "zone node1: chassis node3 of zone node3 is not marked is-remote: no packet reaches it",
      ]),
    );
  });
});

describe("workloads", () => {
  const network = networkOf(inState(MIXED, { management: {} }));
  const zones = snapshotsOf(inState(MIXED, { management: {} }));

  it("finds those on moving nodes, and no others", () => {
    expect(problems(workloadFindings(network, ["node1"], zones))).toEqual(["node node1: a workload is on it: vm1"]);
    expect(workloadFindings(network, [], zones)).toEqual([]);
    expect(workloadFindings(network, ["node1"], withPort(zones, "node1", "vm1", { chassis: undefined }))).toEqual([]);
  });

  it("finds those on further chassis of the zone, in all zones alike", () => {
    const mixed = inState(MIXED);
    const node1 = { ...mixed.nodes.node1!, additionalChassis: { h2: {} } };
    const args = { ...mixed, nodes: { ...mixed.nodes, node1 }, workloads: { ...mixed.workloads, vm1: { ...mixed.workloads!.vm1!, chassis: "h2" } } };
    const [wide, snapshots] = [networkOf(args), snapshotsOf(args)];
    expect(snapshots[0]!.chassis).toEqual([
      { name: "node1", remote: false },
      { name: "h2", remote: false },
      { name: "node2", remote: true },
      { name: "node3", remote: true },
    ]);
    expect(agreementFindings(wide, snapshots)).toEqual([]);
    expect(joinFindings(wide, snapshots)).toEqual([]);
    expect(problems(workloadFindings(wide, ["node1"], snapshots))).toEqual(["node node1: a workload is on it: vm1"]);
  });

  it("finds those on a chassis of the zone that the network does not have, and none of other zones", () => {
    const on = (remote: boolean) =>
      withPort(zones, "node1", "vm1", { chassis: "h7" }).map((snapshot) => ({ ...snapshot, chassis: [...snapshot.chassis, { name: "h7", remote }] }));
    expect(problems(workloadFindings(network, ["node1"], on(false)))).toEqual(["node node1: a workload is on it: vm1"]);
    expect(workloadFindings(network, ["node1"], on(true))).toEqual([]);
  });
});

describe("keys", () => {
  const args = inState({ upgrade: "move", nodes: everyNode("gateway") });
  const network = networkOf(args);
  const [before, after, zones] = [resourcesOf(inState(OLD)), resourcesOf(args), snapshotsOf(inState(OLD))];
  const also = (port: Partial<Ports> & { name: string; datapath: string; tunnelKey: number }) =>
    zones.map((snapshot) =>
      snapshot.zone === "node1"
        ? { ...snapshot, ports: [...snapshot.ports, { type: "", chassis: undefined, requestedChassis: undefined, ...port }] }
        : snapshot,
    );

  it("finds a foreign datapath with the transit router's key", () => {
    const taken = zones.map((snapshot) =>
      snapshot.zone === "node2" ? { ...snapshot, datapaths: [...snapshot.datapaths, { name: "red", tunnelKey: 16_715_780 }] } : snapshot,
    );
    expect(problems(keyFindings(network, before, after, taken))).toEqual([
      "zone node2: blue_transit_router needs key 16715780, and another datapath, red, has it",
    ]);
  });

  it("finds a foreign port with the alias's key", () => {
    expect(problems(keyFindings(network, before, after, also({ name: "foreign", datapath: "blue_ovn_layer2_switch", tunnelKey: 3 })))).toEqual([
      "zone node1: stor-blue_ovn_layer2_switch-alias needs key 3, and another port of blue_ovn_layer2_switch, foreign, has it",
    ]);
  });

  it("accepts the same key on another switch, and ports that the stage removes", () => {
    expect(keyFindings(network, before, after, also({ name: "foreign", datapath: "red", tunnelKey: 3 }))).toEqual([]);
    expect(keyFindings(network, before, resourcesOf(inState({ upgrade: "move", nodes: everyNode("transit") })), zones)).toEqual([]);
  });
});

describe("release", () => {
  const zone = (release: string | undefined): ZoneSnapshot => ({ ...snapshotsOf(inState(OLD))[0]!, release });

  it.each(["25.03.0", "25.03.1", "25.09.0", "26.03.1", "100.1.0"])("%s is new enough", (release) => expect(releaseFindings([zone(release)])).toEqual([]));
  it.each(["24.09.1", "23.03.1", "25.02.9"])("%s is too old", (release) => {
    expect(problems(releaseFindings([zone(release)]))).toEqual([`zone node1: OVN ${release} is too old: transit routers between zones need 25.03`]);
  });
  it("requires northd's report", () => expect(releaseFindings([zone(undefined)])).toHaveLength(1));
});

describe("join addresses", () => {
  const args = inState(MIXED);
  const network = networkOf(args);
  const zones = snapshotsOf(args);
  const change = (zone: string, edit: (snapshot: ZoneSnapshot) => ZoneSnapshot) =>
    zones.map((snapshot) => (snapshot.zone === zone ? edit(snapshot) : snapshot));

  it("finds a missing remote port of the switch", () => {
    const wrong = change("node1", (snapshot) => ({
      ...snapshot,
      switches: snapshot.switches.map((network) => ({ ...network, ports: network.ports.filter(({ name }) => !name.endsWith("_node3")) })),
    }));
    expect(problems(joinFindings(network, wrong))).toEqual([
      "zone node1: join address 100.65.0.4 of node3 is not reached from node1: no port of blue_ovn_layer2_switch answers for 100.65.0.4",
      "zone node1: join address fd99::4 of node3 is not reached from node1: no port of blue_ovn_layer2_switch answers for fd99::4",
    ]);
  });

  it("finds a key of another port", () => {
    const wrong = withPort(zones, "node1", "stor-blue_ovn_layer2_switch_node2", { tunnelKey: 29, chassis: "node3" });
    expect(problems(joinFindings(network, wrong, ["node2"])).slice(0, 1)).toEqual([
      "zone node1: join address 100.65.0.3 of node2 leads from node1 to vm3 in zone node3",
    ]);
  });

  it("finds a gateway router without a route back", () => {
    const wrong = change("node2", (snapshot) => ({
      ...snapshot,
      routers: snapshot.routers.map((router) =>
        router.name === "GR_blue_node2" ? { ...router, routes: router.routes.filter(({ prefix }) => prefix !== "203.203.0.0/16") } : router,
      ),
    }));
    expect(problems(joinFindings(network, wrong))).toContain(
      "zone node2: workload vm1 of node1 is not reached from GR_blue_node2: no port of ext_blue_node2 answers for 172.18.0.1",
    );
  });

  it("finds a missing peer", () => {
    const wrong = change("node2", (snapshot) => ({
      ...snapshot,
      routers: snapshot.routers.map((router) => ({ ...router, ports: router.ports.filter(({ name }) => name !== "rtotr-GR_blue_node2") })),
    }));
    expect(problems(joinFindings(network, wrong, ["node2"]))[0]).toBe(
      "zone node2: join address 100.65.0.3 of node2 is not reached from node1: the other end rtotr-GR_blue_node2 of port trtor-GR_blue_node2 is missing",
    );
  });
});
