import {
  agreementFindings,
  joinFindings,
  keyFindings,
  planStages,
  readZone,
  releaseFindings,
  RolloutLock,
  type Settings,
  settingsAfter,
  workloadFindings,
  type ZoneSnapshot,
} from "@pulumi-ovn/cli/upgrade";
import { Connections } from "@pulumi-ovn/provider/targets";
import { LiveNetwork } from "../../../support/live-network";
import { until } from "../../../support/until";
import { everyNode, inState, networkOf, resourcesOf, THREE } from "../../../support/upgrade-stack";
import { TestZones } from "../../../support/zones";

const MIXED: Settings = { upgrade: "move", nodes: { ...everyNode("gateway"), node2: "transit" } };
const args = inState(MIXED);
const network = networkOf(args);

let zones: TestZones;
let live: LiveNetwork;
let connections: Connections;
beforeAll(async () => {
  zones = await TestZones.start(THREE);
  live = new LiveNetwork(zones.config);
  connections = new Connections(zones.config);
});
afterAll(async () => {
  await connections?.close();
  await live?.[Symbol.asyncDispose]();
  await zones?.stop();
});

const snapshots = (): Promise<ZoneSnapshot[]> => Promise.all(THREE.map((zone) => readZone(connections, zone)));
const text = (findings: readonly { where: string; problem: string }[]) => findings.map(({ where, problem }) => `${where}: ${problem}`);
const sbctl = async (zone: string, ...command: string[]) => {
  const { code, stdout, stderr } = await zones.centrals[zone]!.run("ovn-sbctl", command);
  if (code !== 0) throw new Error(`ovn-sbctl ${command.join(" ")} in ${zone}: ${stderr}`);
  return stdout.trim();
};

/** Writes a fault, lets northd follow, returns the findings, and repairs the fault. */
async function found(zone: string, wrong: readonly string[], right: readonly string[]): Promise<string[]> {
  await zones.nbctl(zone, "--wait=sb", ...wrong);
  const seen = await snapshots();
  await zones.nbctl(zone, "--wait=sb", ...right);
  return text([...agreementFindings(network, seen), ...joinFindings(network, seen)]);
}

describe("a network during an upgrade", () => {
  beforeAll(async () => {
    await live.write(args);
    await zones.settled();
  });

  it("passes the gates", async () => {
    const seen = await snapshots();
    expect(text(agreementFindings(network, seen))).toEqual([]);
    expect(text(joinFindings(network, seen))).toEqual([]);
    expect(text(keyFindings(network, [], resourcesOf(args), seen))).toEqual([]);
    expect(text(releaseFindings(seen))).toEqual([]);
    expect(seen.map(({ release }) => /^\d+\.\d+\.\d+$/.test(release!))).toEqual([true, true, true]);
  });

  it("has the ports of all nodes in every zone, as real northd binds them", async () => {
    const [first] = await snapshots();
    const port = (name: string) => first!.ports.find((candidate) => candidate.name === name);
    expect(port("vm1")).toMatchObject({ type: "", tunnelKey: 27, datapath: "blue_ovn_layer2_switch" });
    expect(port("vm2")).toMatchObject({ type: "remote", tunnelKey: 28, chassis: "node2" });
    expect(port("trtor-GR_blue_node2")).toMatchObject({ type: "remote", tunnelKey: 13, chassis: "node2", datapath: "blue_transit_router" });
    expect(port("stor-blue_ovn_layer2_switch_node2")).toMatchObject({ type: "remote", tunnelKey: 32_765, chassis: "node2" });
  });

  it("does not pass with another key of a workload", async () => {
    const key = ["set", "logical_switch_port", "vm1"];
    expect(await found("node3", [...key, "options:requested-tnl-key=777"], [...key, "options:requested-tnl-key=27"])).toEqual([
      "zone node3: port vm1 has tunnel key 777, and 27 in zone node1",
      "zone node3: remote port vm1 leads to key 777 of blue_ovn_layer2_switch on chassis node1, and zone node1 has no port of its own with that key",
      "zone node3: workload vm1 of node1 is not reached from GR_blue_node3: zone node1 has no port with key 777 of blue_ovn_layer2_switch, where vm1 leads",
    ]);
  });

  it("does not pass with another key of the transit router", async () => {
    const key = ["set", "logical_router", "blue_transit_router"];
    const findings = await found("node2", [...key, "options:requested-tnl-key=99"], [...key, "options:requested-tnl-key=16715780"]);
    expect(findings).toContain("zone node2: datapath blue_transit_router has tunnel key 99, and 16715780 in zone node1");
  });

  it("does not pass with another key of a gateway router's port, with any name", async () => {
    const key = ["set", "logical_switch_port", "stor-blue_ovn_layer2_switch_node2"];
    const findings = await found("node1", [...key, "options:requested-tnl-key=500"], [...key, "options:requested-tnl-key=32765"]);
    expect(findings).toContain(
      "zone node1: remote port stor-blue_ovn_layer2_switch_node2 leads to key 500 of blue_ovn_layer2_switch on chassis node2, and zone node2 has no port of its own with that key",
    );
    expect(findings).toContain(
      "zone node1: join address 100.65.0.3 of node2 is not reached from node1: zone node2 has no port with key 500 of blue_ovn_layer2_switch, where stor-blue_ovn_layer2_switch_node2 leads",
    );
  });

  it("does not pass with a workload of two zones", async () => {
    const findings = await found("node3", ["lsp-set-type", "vm1", ""], ["lsp-set-type", "vm1", "remote"]);
    expect(findings).toContain('zone node3: port vm1 is of type "" here, and in zone node1 too: only one of them can have the workload');
  });

  it("does not pass with a remote port on another chassis", async () => {
    const chassis = ["set", "logical_switch_port", "vm1"];
    expect(await found("node3", [...chassis, "options:requested-chassis=node2"], [...chassis, "options:requested-chassis=node1"])).toContain(
      "zone node3: remote port vm1 leads to key 27 of blue_ovn_layer2_switch on chassis node2, and zone node2 has no port of its own with that key",
    );
  });

  it("does not pass with a chassis that is not marked as remote", async () => {
    const chassis = await sbctl("node1", "--bare", "--columns=_uuid", "find", "chassis", "name=node2");
    await sbctl("node1", "set", "chassis", chassis, "other_config:is-remote=false");
    const findings = text(agreementFindings(network, await snapshots()));
    await sbctl("node1", "set", "chassis", chassis, "other_config:is-remote=true");
    expect(findings).toContain("zone node1: chassis node2 of zone node2 is not marked is-remote: no packet reaches it");
  });

  it("does not pass with a link without a peer", async () => {
    const port = ["set", "logical_router_port", "trtor-GR_blue_node2"];
    expect(await found("node2", [...port, "peer=nowhere"], [...port, "peer=rtotr-GR_blue_node2"])).toContain(
      "zone node2: join address 100.65.0.3 of node2 is not reached from node3: the other end nowhere of port trtor-GR_blue_node2 is missing",
    );
  });

  it("finds the chassis of workloads", async () => {
    await sbctl("node1", "chassis-add", "node1", "geneve", "198.18.0.1");
    const chassis = await sbctl("node1", "--bare", "--columns=_uuid", "find", "chassis", "name=node1");
    await sbctl("node1", "set", "port_binding", "vm1", `chassis=${chassis}`);
    expect(text(workloadFindings(network, ["node1", "node3"], await snapshots()))).toEqual(["node node1: a workload is on it: vm1"]);
  });

  it("passes the gates in every state of the way there and back", async () => {
    for (const [from, back] of [
      [MIXED, false],
      [{ upgrade: undefined, nodes: everyNode("transit") }, true],
    ] as const) {
      let settings: Settings = from;
      for (const stage of planStages(from, { back, order: THREE, batch: 2 })) {
        settings = settingsAfter(settings, stage);
        const wanted = inState(settings);
        await live.write(wanted);
        await zones.settled();
        const [own, seen] = [networkOf(wanted), await snapshots()];
        expect([stage.title, text([...agreementFindings(own, seen), ...joinFindings(own, seen)])]).toEqual([stage.title, []]);
      }
    }
  });
});

describe("foreign keys", () => {
  it("are found before anything is written", async () => {
    await live.write(undefined);
    const old = inState({ upgrade: undefined, nodes: everyNode("gateway") });
    await live.write(old);
    await zones.nbctl("node2", "lr-add", "red", "--", "set", "logical_router", "red", "options:requested-tnl-key=16715780");
    await zones.nbctl("node3", "lsp-add", "blue_ovn_layer2_switch", "foreign", "--", "set", "logical_switch_port", "foreign", "options:requested-tnl-key=3");
    await zones.settled();
    const findings = keyFindings(network, resourcesOf(old), resourcesOf(inState({ upgrade: "move", nodes: everyNode("gateway") })), await snapshots());
    expect(text(findings)).toEqual([
      "zone node2: blue_transit_router needs key 16715780, and another datapath, red, has it",
      "zone node3: stor-blue_ovn_layer2_switch-alias needs key 3, and another port of blue_ovn_layer2_switch, foreign, has it",
    ]);
  });
});

describe("the lock of a rollout", () => {
  it("is held by one rollout for each network, and ends with the connection", async () => {
    const others = new Connections(zones.config);
    const first = await RolloutLock.take(others, "node1", "blue");
    await expect(RolloutLock.take(connections, "node1", "blue")).rejects.toThrow(
      "another upgrade of network blue is in progress: it holds lock pulumi_ovn_upgrade_blue in the Northbound database of zone node1",
    );
    await (await RolloutLock.take(connections, "node1", "red")).release();
    first.require();
    await others.close();
    expect(() => first.require()).toThrow("was lost; run again to go on");
    // The server notices the end of the connection after its client.
    let second: RolloutLock | undefined;
    await until(async () => (second = await RolloutLock.take(connections, "node1", "blue").catch(() => undefined)) !== undefined);
    second!.require();
    await second!.release();
    await (await RolloutLock.take(connections, "node1", "blue")).release();
  });

  it("differs for each name, with any characters", async () => {
    const names = ["a-b", "a_b", "a.b", "a__b", "a_2d_b", "aéb", "a😀b"];
    const others = new Connections(zones.config);
    try {
      for (const name of names) await RolloutLock.take(others, "node1", name);
      for (const name of names) await expect(RolloutLock.take(connections, "node1", name)).rejects.toMatchObject({ code: "OVN_UPGRADE_LOCKED" });
    } finally {
      await others.close();
    }
  });
});
