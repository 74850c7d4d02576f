import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Connections } from "@pulumi-ovn/provider/targets";
import { failure } from "../../support/failure";
import { HeldResource } from "../../support/held-resource";
import { restored } from "../../support/ovsdb-server";
import { Switches } from "../../support/switches";
import { BRIDGES, TIERS } from "../../support/vpc-host";

// Numbers of updates on a host, as ovs-vsctl shows them.
const switches = Switches.of({ name: "updates", hosts: 1, workloads: [] });

const ROUTER = { host: "node1", vpc: "blue", mac: "0e:00:00:00:00:01", tiers: TIERS, remotes: ["node2"], datapathType: "netdev" };
const web1 = { web1: { tier: "web", mac: "0a:00:00:00:00:01", addresses: ["10.1.1.11"] } };
const app1 = { app1: { tier: "app", mac: "0a:00:00:00:00:02", addresses: ["10.1.2.11"] } };

const vsctl = (...args: string[]) => switches.on("node1", "ovs-vsctl", "--timeout=10", ...args);
/** The number on a bridge; "" for none. */
const number = async (bridge: string) => (await vsctl("--if-exists", "get", "Bridge", bridge, "external_ids:pulumi-ovn\\:sequence")).trim().replaceAll('"', "");
const numbers = () => Promise.all(["br-t1001", "br-t1002", "lr-blue"].map(number));
const setNumber = (bridge: string, to: number, succeeds: string) =>
  vsctl("set", "Bridge", bridge, `external_ids:pulumi-ovn\\:sequence=${to}`, `external_ids:pulumi-ovn\\:succeeds=${succeeds}`);
const routes = async () => (await switches.flows("node1", "lr-blue")).filter((flow) => flow.includes("table=1, priority=100,"));

/** With another command on the host. */
function targetsBy(wrap: (command: readonly string[]) => string[]): Connections {
  const { command, ...node1 } = switches.targets().host("node1");
  const made = switches.targets({ node1: { ...node1, command: wrap(command!) } });
  opened.push(made);
  return made;
}
/** With another program in front of the host's command, where one is given. */
const targetsWith = (...before: string[]) => targetsBy((command) => [...before, ...command]);
const opened: Connections[] = [];

let bridges: HeldResource;
let router: HeldResource;
beforeEach(async () => {
  const targets = targetsWith();
  bridges = new HeldResource("VpcBridges", "urn:pulumi:dev::vpc::x::bridges", targets);
  router = new HeldResource("LogicalRouterBridge", "urn:pulumi:dev::vpc::x::router", targets);
  await bridges.up(BRIDGES);
  await router.up({ ...ROUTER, workloads: web1 });
});
afterEach(async () => {
  await router.destroy();
  await bridges.destroy();
  for (const targets of opened.splice(0)) await targets.close();
  expect((await vsctl("list-br")).split("\n").filter((bridge) => /^(br-t|lr-)/.test(bridge))).toEqual([]);
});

test("each kind of a VPC has its own number on each host, which increases with each update, also in the stack", async () => {
  expect(await numbers()).toEqual(["1", "1", "1"]);
  expect([bridges.state!.outs["sequence"], router.state!.outs["sequence"]]).toEqual([1, 1]);
  await router.up({ ...ROUTER, workloads: { ...web1, ...app1 } });
  await router.up({ ...ROUTER, workloads: app1 });
  expect([await numbers(), router.state!.outs["sequence"], router.warnings]).toEqual([["1", "1", "3"], 3, []]);
  expect([await bridges.refresh(), await router.refresh(), router.state!.outs["sequence"], router.state!.inputs["sequence"]]).toEqual([
    undefined,
    undefined,
    3,
    undefined,
  ]);
  await bridges.up({ ...BRIDGES, tiers: { ...BRIDGES.tiers, db: 1003 } });
  expect([await numbers(), await number("br-t1003")]).toEqual([["2", "2", "3"], "2"]);
});

test("a replaced resource keeps bridges and flows, without the former objects, and continues with its number", async () => {
  await router.up({ ...ROUTER, workloads: { ...web1, ...app1 } });
  await router.replace({ ...ROUTER, workloads: web1 });
  await bridges.replace(BRIDGES);
  expect([await numbers(), (await routes()).length]).toEqual([["2", "2", "3"], 1]);
  expect([await bridges.refresh(), await router.refresh()]).toEqual([undefined, undefined]);
  await router.up({ ...ROUTER, workloads: { ...web1, ...app1 } });
  expect([await numbers(), (await routes()).length, router.warnings]).toEqual([["2", "2", "4"], 2, []]);
});

test("a failed update leaves the former number", async () => {
  const deaf = new HeldResource("LogicalRouterBridge", router.urn, targetsWith("/bin/false"));
  deaf.state = router.state;
  await expect(deaf.up({ ...ROUTER, workloads: { ...web1, ...app1 } })).rejects.toMatchObject({ code: "OVN_HOST_UNREACHABLE" });
  expect([await numbers(), (await routes()).length]).toEqual([["1", "1", "1"], 1]);
  await router.up({ ...ROUTER, workloads: { ...web1, ...app1 } });
  expect([await numbers(), (await routes()).length, router.warnings]).toEqual([["1", "1", "2"], 2, []]);
});

test("a state before the last two updates is refused without a change; a refresh takes the host's number", async () => {
  const old = router.state;
  await router.up({ ...ROUTER, workloads: { ...web1, ...app1 } });
  await router.up({ ...ROUTER, workloads: app1 });
  const before = await switches.flows("node1", "lr-blue");
  router.state = old;
  await expect(router.up({ ...ROUTER, workloads: {} })).rejects.toMatchObject({
    code: "OVN_SEQUENCE",
    message: expect.stringContaining(
      'the host has update 3 of this resource, the state knows of 1: the state is an older copy, or another run writes to the host; nothing is changed. If this stack is the right one, run "pulumi refresh", look at the preview, and update again',
    ) as string,
  });
  expect([await switches.flows("node1", "lr-blue"), await number("lr-blue")]).toEqual([before, "3"]);
  expect(Object.values((await router.refresh()) as object).sort()).toEqual(["missing", "surplus"]);
  await router.up({ ...ROUTER, workloads: web1 });
  expect([await number("lr-blue"), router.warnings, await router.refresh()]).toEqual(["4", [], undefined]);
});

test("an update whose state was not saved is overwritten with a warning, also repeatedly", async () => {
  const old = router.state;
  await router.up({ ...ROUTER, workloads: { ...web1, ...app1 } });
  router.state = old;
  const warning = (host: number) => ({
    severity: "warning",
    path: "",
    code: "OVN_WARN_SEQUENCE",
    message: `the host has update ${host} of this resource, the state knows of 1: the run that wrote it ended before its state was saved, or the state is the copy before it; update ${host + 1} is written over it`,
  });
  await router.up({ ...ROUTER, workloads: app1 });
  expect(router.warnings).toEqual([warning(2)]);
  router.state = old;
  await router.up({ ...ROUTER, workloads: web1 });
  expect([router.warnings, await number("lr-blue"), (await routes()).length]).toEqual([[warning(3)], "4", 1]);
});

describe("a database that was restored from a backup, where every row has another UUID", () => {
  const restore = async () => {
    await restored(switches.targets().host("node1").openvswitch!, "Open_vSwitch");
    const wanted = ["br-t1001", "br-t1002", "lr-blue"];
    expect((await vsctl("list-br")).split("\n").filter((bridge) => wanted.includes(bridge))).toEqual(wanted);
  };
  const names = () => Promise.all(["br-t1001", "br-t1002", "lr-blue"].map(async (bridge) => (await vsctl("list-ports", bridge)).split("\n")));
  const codes = () => [bridges, router].map(({ warnings }) => warnings.map(({ code }) => code));

  test("causes no drift; an update, a refresh and the next update use the existing rows", async () => {
    const [before, flows] = [await names(), await routes()];
    await restore();
    await bridges.check(BRIDGES);
    await router.check({ ...ROUTER, workloads: web1 });
    expect(codes()).toEqual([[], []]);
    await bridges.up({ ...BRIDGES, remotes: { ...BRIDGES.remotes, node3: "198.18.0.3" } });
    await router.up({ ...ROUTER, workloads: { ...web1, ...app1 } });
    expect([codes(), await numbers(), (await routes()).length]).toEqual([[["OVN_WARN_MOVED"], []], ["2", "2", "2"], 2]);
    expect([await bridges.refresh(), await router.refresh()]).toEqual([undefined, undefined]);
    await bridges.up(BRIDGES);
    await router.up({ ...ROUTER, workloads: web1 });
    expect([codes(), await numbers(), await names(), await routes()]).toEqual([[[], []], ["3", "3", "3"], before, flows]);
  });

  test("is refreshed, and then destroyed", async () => {
    await restore();
    expect([await bridges.refresh(), await router.refresh()]).toEqual([undefined, undefined]);
    await bridges.up({ ...BRIDGES, remotes: {} });
    expect([codes()[0], await number("br-t1001")]).toEqual([[], "2"]);
    await restore();
  });
});

test("a refresh reports the objects of an interrupted update, and the former program removes them", async () => {
  const shape = () =>
    switches.on(
      "node1",
      "sh",
      "-c",
      "for b in $(ovs-vsctl list-br); do echo $b $(ovs-vsctl list-ports $b); ovs-ofctl -O OpenFlow14 --no-stats dump-flows $b | sort; done",
    );
  const before = await shape();
  const states = [bridges.state, router.state];
  // A tier, a tunnel in each tier, and an interface.
  await bridges.up({ ...BRIDGES, tiers: { ...BRIDGES.tiers, db: 1003 }, remotes: { ...BRIDGES.remotes, node3: "198.18.0.3" }, ports: { tap9: "db" } });
  await router.up({
    ...ROUTER,
    tiers: { ...TIERS, db: { key: 1003, cidrs: ["10.1.3.0/24"], gatewayMac: "0a:58:0a:01:03:01" } },
    workloads: { ...web1, ...app1 },
  });
  [bridges.state, router.state] = states;
  const surplus = (names: readonly string[]) =>
    Object.fromEntries(names.flatMap((name) => ["Port", "Interface"].map((table) => [`${table} ${name}`, "surplus"])));
  expect(await bridges.refresh()).toEqual({
    "Bridge br-t1003": "surplus",
    ...surplus(["br-t1003", "t1001-node3", "t1002-node3", "t1003-node2", "t1003-node3", "tap9"]),
  });
  expect(await router.refresh()).toMatchObject(surplus(["pr1003", "pt1003"]));
  await bridges.up(BRIDGES);
  await router.up({ ...ROUTER, workloads: web1 });
  expect([await shape(), await bridges.refresh(), await router.refresh()]).toEqual([before, undefined, undefined]);
});

test("a create whose state was lost continues with the host's number", async () => {
  await router.up({ ...ROUTER, workloads: app1 });
  router.state = undefined;
  await router.up({ ...ROUTER, workloads: app1 });
  expect([await number("lr-blue"), router.state!.outs["sequence"], router.warnings]).toEqual(["3", 3, []]);
});

test("a bridge that is created again has its resource's number", async () => {
  await vsctl("del-br", "br-t1001");
  await bridges.refresh();
  await bridges.up(BRIDGES);
  await router.refresh();
  await router.up({ ...ROUTER, workloads: web1 });
  expect(await numbers()).toEqual(["2", "2", "2"]);
});

test("the next update, without a refresh, restores what another writer removed: a tunnel, a bridge, a patch port", async () => {
  const gone = (resource: HeldResource) => resource.warnings.map(({ code, message }) => `${code} ${message.split(" from ")[0]}`);
  const tunnel = () => vsctl("--columns=type,options", "--format=csv", "--no-headings", "find", "Interface", "name=t1001-node2");
  const before = await tunnel();
  await vsctl("del-port", "t1001-node2");
  await bridges.up(BRIDGES);
  expect([gone(bridges), await tunnel(), before !== ""]).toEqual([["OVN_WARN_GONE t1001-node2 is missing"], before, true]);
  await vsctl("del-br", "br-t1001");
  await bridges.up(BRIDGES);
  expect([gone(bridges), await tunnel()]).toEqual([["OVN_WARN_GONE br-t1001, t1001-node2 are missing"], before]);
  await router.up({ ...ROUTER, workloads: web1 });
  expect([gone(router), (await vsctl("port-to-br", "pt1001")).trim()]).toEqual([["OVN_WARN_GONE pt1001 is missing"], "br-t1001"]);
  // A workload's port, unless a hypervisor has put it on its bridge.
  const ports = { tap9: "web" };
  await bridges.up({ ...BRIDGES, ports });
  await vsctl("--no-wait", "del-port", "tap9");
  await bridges.check({ ...BRIDGES, ports });
  expect(gone(bridges)).toEqual(["OVN_WARN_GONE tap9 is missing"]);
  await vsctl("--no-wait", "add-port", "br-t1001", "tap9");
  await bridges.check({ ...BRIDGES, ports });
  expect(gone(bridges)).toEqual([]);
  await vsctl("--no-wait", "del-port", "tap9");
  await bridges.up(BRIDGES);
  await router.check({ ...ROUTER, workloads: web1 });
  expect([gone(bridges), gone(router)]).toEqual([[], []]);
});

test("a switch that does not answer in time is not drift: a check warns, and requests no update", async () => {
  const { digest } = await bridges.check(BRIDGES);
  const signal = (name: string) => switches.on("node1", "sh", "-c", `kill -${name} $(cat "$OVS_RUNDIR"/ovs-vswitchd.pid)`);
  await signal("STOP");
  try {
    expect([(await bridges.check(BRIDGES)).digest, bridges.warnings]).toEqual([
      digest,
      [
        {
          severity: "warning",
          path: "host",
          code: "OVN_WARN_SILENT",
          message: expect.stringMatching(/^host "node1" .* is not fully compared: bridge "br-t100\d" did not answer within 5 s: ovs-vswitchd hangs/) as string,
        },
      ],
    ]);
  } finally {
    await signal("CONT");
  }
  // A process does not ask a silent switch again for 10 seconds.
  await sleep(10_000);
  expect([(await bridges.check(BRIDGES)).digest, bridges.warnings]).toEqual([digest, []]);
});

test("a check requests no update, which would be refused, while another writer has a name of the resource", async () => {
  const digest = async () => (await bridges.check(BRIDGES))["digest"];
  const own = await digest();
  await vsctl("add-br", "theirs", "--", "set", "Bridge", "theirs", "datapath_type=netdev", "--", "del-port", "t1001-node2", "--", "del-port", "t1002-node2");
  expect(await digest()).toBe(`drift-${String(own)}`);
  // A tunnel; and an interface without a type, whose device is not there.
  for (const type of ["type=gre options:remote_ip=198.18.0.9", "type=system"]) {
    await vsctl("--no-wait", "add-port", "theirs", "t1001-node2", "--", "set", "Interface", "t1001-node2", ...type.split(" "));
    expect([await digest(), bridges.warnings]).toEqual([own, []]);
    await vsctl("del-port", "t1001-node2");
  }
  await vsctl("--no-wait", "add-port", "theirs", "t1001-node2");
  expect([await digest(), bridges.warnings]).toEqual([own, []]);
  await vsctl("del-br", "theirs");
  await bridges.up(BRIDGES);
  expect(await digest()).toBe(own);
});

test("an operator's settings on a tier's bridge are not drift, and stay", async () => {
  const aging = () => vsctl("get", "Bridge", "br-t1001", "other_config:mac-aging-time");
  await vsctl("set", "Bridge", "br-t1001", "other_config:mac-aging-time=3600");
  expect([await bridges.refresh(), await aging()]).toEqual([undefined, '"3600"\n']);
  await bridges.up({ ...BRIDGES, tiers: { ...BRIDGES.tiers, db: 1003 }, tunnelType: "geneve" });
  expect([await bridges.refresh(), await aging()]).toEqual([undefined, '"3600"\n']);
});

test("tiers that an old state does not have report their number, too", async () => {
  const old = bridges.state;
  await router.destroy();
  await bridges.up({ ...BRIDGES, tiers: { db: 1003 } });
  await bridges.up({ ...BRIDGES, tiers: { log: 1004 } });
  const newest = bridges.state;
  bridges.state = old;
  await expect(bridges.up(BRIDGES)).rejects.toMatchObject({ code: "OVN_SEQUENCE" });
  expect(await vsctl("list-br")).not.toContain("br-t1001");
  bridges.state = newest;
  await bridges.up(BRIDGES);
  await router.up({ ...ROUTER, workloads: web1 });
});

test("one of two simultaneous runs is reported", async () => {
  const other = new HeldResource("LogicalRouterBridge", router.urn, targetsWith());
  other.state = router.state;
  // A run that started from the same state ends while this run works on the host.
  const folder = await mkdtemp(join(tmpdir(), "gate-"));
  const gate = join(folder, "gate");
  // The short question whether the switch answers passes: it comes before the rows.
  const held = `#!/bin/sh\nPATH="\${PATH#${folder}:}"\ncase "$*" in *get-frags*) ;; *) while [ ! -e ${gate} ]; do sleep 0.05; done ;; esac\nexec ovs-ofctl "$@"\n`;
  await writeFile(join(folder, "ovs-ofctl"), held, { mode: 0o755 });
  const command = (own: readonly string[]) => [...own, "sh", "-c", `PATH="${folder}:$PATH" exec "$@"`, "sh"];
  const late = new HeldResource("LogicalRouterBridge", router.urn, targetsBy(command));
  late.state = router.state;
  const configured = () => vsctl("get", "Open_vSwitch", ".", "next_cfg");
  const before = await configured();
  const ended = failure(late.up({ ...ROUTER, workloads: app1 }));
  // It has read the number by then, and written its rows.
  while ((await configured()) === before) await sleep(20);
  await other.up({ ...ROUTER, workloads: { ...web1, ...app1 } });
  await writeFile(gate, "");
  expect(await ended).toMatchObject({
    code: "OVN_SEQUENCE",
    message: expect.stringContaining("another run has written this resource to the host while this one did") as string,
  });
  await rm(folder, { recursive: true });
  router.state = other.state;
  expect(await number("lr-blue")).toBe("2");
});

test("numbers on foreign bridges do not affect this resource", async () => {
  await vsctl("add-br", "theirs", "--", "set", "Bridge", "theirs", "datapath_type=netdev");
  await setNumber("theirs", 99, "x");
  await router.up({ ...ROUTER, workloads: app1 });
  expect([await number("lr-blue"), await number("theirs")]).toEqual(["2", "99"]);
  await vsctl("del-br", "theirs");
});
