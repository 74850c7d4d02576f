import { chmod, chown, readdir, readFile, rename, rm, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { connect } from "@pulumi-ovn/ovsdb-client";
import { runVpcAgent, type VpcHealth } from "@pulumi-ovn/agent";
import type { Connections } from "@pulumi-ovn/provider/targets";
import { keptName, UPDATE_LOCK } from "@pulumi-ovn/provider/testing";
import { until } from "@pulumi-ovn/sandbox/testing";
import { HeldResource } from "../../support/held-resource";
import { Switches } from "../../support/switches";
import { BRIDGES as HOST_BRIDGES, TIERS } from "../../support/vpc-host";

// The agent of one host of a VPC, in this process, against what is done to the host's switch and database.
const switches = Switches.of({ name: "vpc-agent", hosts: 1, workloads: [] });

const BRIDGES = { ...HOST_BRIDGES, agent: true };
const workload = (number: number) => ({ [`web${number}`]: { tier: "web", mac: `0a:00:00:00:00:0${number}`, addresses: [`10.1.1.1${number}`] } });
const ROUTER = {
  host: "node1",
  vpc: "blue",
  mac: "0e:00:00:00:00:01",
  tiers: TIERS,
  remotes: ["node2"],
  workloads: workload(1),
  datapathType: "netdev",
  agent: true,
};

let targets: Connections;
let bridges: HeldResource;
let router: HeldResource;
let folder: string;
beforeAll(() => {
  targets = switches.targets();
  folder = switches.sandbox.targets.hosts["node1"]!.agentFolder;
});
afterAll(() => targets?.close());
beforeEach(async () => {
  bridges = new HeldResource("VpcBridges", "urn:pulumi:dev::vpc::x::bridges", targets);
  router = new HeldResource("LogicalRouterBridge", "urn:pulumi:dev::vpc::x::router", targets);
  await bridges.up(BRIDGES);
  await router.up(ROUTER);
});
afterEach(async () => {
  if (router.state) await router.destroy();
  if (bridges.state) await bridges.destroy();
  expect([await readdir(folder), await host()]).toEqual([[], ""]);
});

/** Everything of the VPC that the host has: rows by name, with numbers of updates, and flows. Not what the switch assigns. */
const host = async () =>
  (
    await switches.on(
      "node1",
      "sh",
      "-c",
      `for bridge in $(ovs-vsctl --timeout=10 list-br | grep -E '^(br-t|lr-)'); do
  echo $bridge $(ovs-vsctl list-ports $bridge) $(ovs-vsctl get Bridge $bridge fail_mode external_ids) $(ovs-ofctl get-frags $bridge)
  for port in $(ovs-vsctl list-ports $bridge); do ovs-vsctl get Port $port tag protected -- get Interface $port type options; done
  ovs-ofctl -O OpenFlow14 --names --no-stats dump-flows $bridge | sort
done`,
    )
  ).trim();

const vsctl = (...args: string[]) => switches.on("node1", "ovs-vsctl", "--timeout=10", ...args);

function agent(stack: AsyncDisposableStack) {
  const lines: string[] = [];
  const ending = new AbortController();
  const { openvswitch, command } = switches.sandbox.targets.hosts["node1"]!;
  const ended = runVpcAgent({
    openvswitch,
    command,
    folder,
    listen: { host: "127.0.0.1", port: 0 },
    log: (line) => lines.push(line),
    signal: ending.signal,
  });
  stack.defer(async () => {
    ending.abort();
    await ended;
  });
  const url = () => until("the endpoints", 20_000, () => lines.map((line) => /http:\S+(?=\/healthz)/.exec(line)?.[0]).find(Boolean));
  const health = async () => {
    const answer = await fetch(`${await url()}/healthz`);
    return { status: answer.status, ...((await answer.json()) as VpcHealth) };
  };
  const becomes = (what: string, holds: (now: VpcHealth & { status: number }) => boolean) =>
    until(what, 30_000, async () => ((now) => holds(now) && now)(await health()));
  const restores = (before: string) => until("the host as it was", 30_000, async () => (await host().catch(() => "")) === before);
  return { lines, url, health, becomes, restores };
}

const restart = async (...daemons: ("ovsdb-server" | "ovs-vswitchd")[]) => {
  for (const daemon of daemons.toReversed()) await switches.sandbox.killDaemon("node1", daemon);
  for (const daemon of daemons) await switches.sandbox.startDaemon("node1", daemon);
};

test("an update leaves a file that only its owner can read, the next one replaces it, a refresh reports its absence, a destroy removes it first", async () => {
  const names = await readdir(folder);
  expect(names.map((name) => /^[0-9a-f]{15,16}\.json$/.test(name))).toEqual([true, true]);
  expect((await stat(join(folder, names[0]!))).mode & 0o777).toBe(0o600);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  const sequences = async () =>
    Object.fromEntries(
      await Promise.all(
        names.map(async (name) => {
          const { owner, sequence } = JSON.parse(await readFile(join(folder, name), "utf8")) as { owner: string; sequence: number };
          return [owner, sequence] as const;
        }),
      ),
    );
  expect(await sequences()).toEqual({ [bridges.urn]: 1, [router.urn]: 1 });
  await router.up({ ...ROUTER, workloads: workload(2) });
  expect(await sequences()).toEqual({ [bridges.urn]: 1, [router.urn]: 2 });
  expect([await bridges.refresh(), await router.refresh()]).toEqual([undefined, undefined]);
  await Promise.all(names.map((name) => writeFile(join(folder, name), "")));
  const differs = { agent: "its file is not that of the last update" };
  expect([await bridges.refresh(), await router.refresh()]).toEqual([differs, differs]);
  await router.up({ ...ROUTER, agent: false });
  await bridges.up(BRIDGES);
  expect([await readdir(folder), await bridges.refresh(), await router.refresh()]).toEqual([[expect.any(String)], undefined, undefined]);
});

test("flows are restored after a restart of ovs-vswitchd, rows after another writer's removal, and all objects after a loss of the database", async () => {
  await using stack = new AsyncDisposableStack();
  const before = await host();
  const own = agent(stack);
  expect(await own.becomes("healthy", ({ healthy }) => healthy)).toMatchObject({
    status: 200,
    changes: 0,
    problems: [],
    resources: expect.arrayContaining([
      { owner: bridges.urn, sequence: 1, fallback: null },
      { owner: router.urn, sequence: 1, fallback: null },
    ]) as unknown,
  });
  await restart("ovs-vswitchd");
  await own.restores(before);
  expect(own.lines).toContainEqual(expect.stringMatching(new RegExp(`^restored ${router.urn}: lr-blue: \\d+ flows written, 0 removed$`)));

  await vsctl("del-br", "br-t1001", "--", "set", "Interface", "t1002-node2", "options:remote_ip=198.18.0.9", "--", "remove", "Port", "pt1002", "tag", "4095");
  await own.restores(before);

  await switches.sandbox.killDaemon("node1", "ovs-vswitchd");
  await switches.sandbox.killDaemon("node1", "ovsdb-server");
  const nodeFolder = join(switches.sandbox.folder, "node1");
  await switches.on("node1", "cp", join(switches.sandbox.folder, "conf.db"), join(nodeFolder, "conf.db"));
  await switches.sandbox.startDaemon("node1", "ovsdb-server");
  await vsctl("--no-wait", "init");
  await switches.sandbox.startDaemon("node1", "ovs-vswitchd");
  await own.restores(before);
  const now = await own.becomes("healthy again", ({ healthy }) => healthy);
  expect(now.changes).toBeGreaterThan(5);
  const metrics = await (await fetch(`${await own.url()}/metrics`)).text();
  expect(metrics).toContain("\npulumi_ovn_vpc_agent_resources 2\n");
  expect(metrics).toContain("\npulumi_ovn_vpc_agent_healthy 1\n");
  // A refresh finds nothing, and the next update continues from there.
  expect([await bridges.refresh(), await router.refresh()]).toEqual([undefined, undefined]);
  await router.up({ ...ROUTER, workloads: workload(2) });
  expect([router.warnings, await router.refresh()]).toEqual([[], undefined]);
});

test("nothing is changed during an update, and the host is restored when the update's process ends", async () => {
  await using stack = new AsyncDisposableStack();
  const before = await host();
  const own = agent(stack);
  await own.becomes("healthy", ({ healthy }) => healthy);
  const update = await connect(switches.sandbox.targets.hosts["node1"]!.openvswitch, { database: "Open_vSwitch", leaderOnly: false });
  await (await update.lock(UPDATE_LOCK)).acquired();
  await switches.on("node1", "ovs-ofctl", "-O", "OpenFlow14", "del-flows", "lr-blue");
  await vsctl("del-port", "t1001-node2");
  const changed = await host();
  await own.becomes("waiting", ({ busySince }) => busySince !== null);
  expect(await host()).toBe(changed);
  await update.close();
  await own.restores(before);
});

test("an agent with the file of an earlier update changes nothing, and one with a damaged file reports it", async () => {
  await using stack = new AsyncDisposableStack();
  const names = await readdir(folder);
  const old = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  await router.up({ ...ROUTER, workloads: workload(2) });
  await Promise.all(names.map((name, index) => writeFile(join(folder, name), old[index]!)));
  const before = await host();
  const own = agent(stack);
  const { problems, status } = await own.becomes("a problem", ({ problems: all }) => all.length > 0);
  expect([status, problems.map(({ code, subject }) => [code, subject])]).toEqual([503, [["OVN_SEQUENCE", router.urn]]]);
  expect(problems[0]!.message).toContain("the host has update 2 of this resource, the agent's file is of update 1");
  await switches.on("node1", "ovs-ofctl", "-O", "OpenFlow14", "del-flows", "lr-blue", "table=1");
  const changed = await host();
  expect(changed).not.toBe(before);
  await writeFile(join(folder, names[0]!), "{");
  await own.becomes("a damaged file", ({ problems: all }) => all.some(({ code }) => code === "OVN_AGENT_FILE"));
  expect(await host()).toBe(changed);
  await router.up({ ...ROUTER, workloads: workload(2) });
  await bridges.up(BRIDGES);
  await own.becomes("healthy", ({ healthy }) => healthy);
});

test("a file that another user could write, or that no update writes, is refused: nothing is changed, and health is bad", async () => {
  await using stack = new AsyncDisposableStack();
  const name = keptName(router.urn);
  const file = join(folder, name);
  const [before, text] = [await host(), await readFile(file, "utf8")];
  const kept = JSON.parse(text) as { flows: [{ bridge: string; flows: string[] }]; rows: { table: string; columns: object }[] };
  /** The file with one part changed. */
  const changedBy = (change: (copy: typeof kept) => unknown) => {
    const copy = structuredClone(kept);
    change(copy);
    return writeFile(file, JSON.stringify(copy));
  };
  const own = agent(stack);
  await own.becomes("healthy", ({ healthy }) => healthy);
  await chmod(file, 0o620);
  await own.becomes("red", ({ healthy }) => !healthy);
  await switches.on("node1", "ovs-ofctl", "-O", "OpenFlow14", "del-flows", "lr-blue", "table=6");
  const changed = await host();
  const attacks: [expected: string, attack: () => Promise<unknown>][] = [
    ["writable by other users", () => chmod(file, 0o602)],
    ["a symbolic link", async () => (await rename(file, `${file}.real`), await symlink(`${file}.real`, file))],
    ["not a regular file", async () => (await rm(`${file}.real`), await rm(file), await switches.on("node1", "mkfifo", file))],
    ["67108865 bytes long", async () => (await rm(file), await writeFile(file, "", { mode: 0o600 }), await truncate(file, 64 * 1024 * 1024 + 1))],
    ["the file is damaged", () => writeFile(file, text.slice(0, text.length / 2))],
    ["the file is damaged", () => writeFile(file, "[".repeat(100_000))],
    ["the file is of another release", () => writeFile(file, "null")],
    ["the file is of another release", () => changedBy((copy) => Object.assign(copy, { version: 2 }))],
    ["the file is of another resource, ../../etc/passwd", () => changedBy((copy) => Object.assign(copy, { owner: "../../etc/passwd" }))],
    ["the file is of another resource, __proto__", () => changedBy((copy) => Object.assign(copy, { owner: "__proto__" }))],
    ...(
      [
        (copy) => (copy.flows[0].bridge = "tcp:127.0.0.1:6653"),
        (copy) => (copy.flows[0].bridge = "--db=unix:/x"),
        (copy) => (copy.flows[0].bridge = "../br-ex"),
        (copy) => copy.flows[0].flows.push("actions=drop\npriority=1,actions=NORMAL"),
        (copy) => (copy.rows[0]!.table = "Open_vSwitch"),
        (copy) => Object.assign(copy.rows[0]!.columns, { name: { map: 1 } }),
        (copy) => Object.assign(copy, { sequence: "1" }),
        (copy) => Object.assign(copy, { rows: {} }),
        (copy) => Object.assign(copy, { more: true }),
      ] as ((copy: typeof kept) => unknown)[]
    ).map((change): [string, () => Promise<unknown>] => ["the file is damaged", () => changedBy(change)]),
    ...(process.geteuid!() === 0 ? [["owned by user 12345", () => chown(file, 12345, 0)] as [string, () => Promise<unknown>]] : []),
  ];
  for (const [expected, attack] of attacks) {
    await attack();
    const { problems, status } = await own.becomes(expected, ({ problems: all }) => all.some(({ message }) => message.includes(expected)));
    expect([status, problems.map(({ code, subject }) => [code, subject])]).toEqual([503, [["OVN_AGENT_FILE", file]]]);
  }
  await chmod(folder, 0o777);
  await writeFile(join(folder, "0.json"), "");
  await own.becomes("a folder that others can write to", ({ problems: all }) =>
    all.some(({ message }) => message.includes(`${folder} is writable by other users`)),
  );
  expect(await host()).toBe(changed);
  await rm(join(folder, "0.json"));
  await chmod(folder, 0o700);
  await rm(file);
  await writeFile(file, text, { mode: 0o600 });
  await own.restores(before);
  await own.becomes("healthy again", ({ healthy }) => healthy);
});

test("a broken end of a tunnel disables the logical router, which is enabled again when the end has worked for a while; a destroyed one stays destroyed", async () => {
  await using stack = new AsyncDisposableStack();
  const own = agent(stack);
  await own.becomes("healthy", ({ healthy }) => healthy);
  const redirects = async () => (await switches.flows("node1", "br-t1001")).filter((flow) => flow.includes("output:pt1001")).length;
  expect(await redirects()).toBe(1);
  // A foreign tunnel on another bridge blocks this tunnel as long as it exists: the switch gives a port to only one of them.
  const options = "options:key=1002 options:local_ip=198.18.0.1 options:remote_ip=198.18.0.2";
  const other = `add-br other -- set Bridge other datapath_type=netdev -- add-port other theirs -- set Interface theirs type=gre ${options}`;
  await vsctl(..."--no-wait del-port t1002-node2 --".split(" "), ...other.split(" "));
  const broken = await own.becomes("a fallback", ({ resources }) => resources.some(({ fallback }) => fallback !== null));
  expect(broken.problems).toEqual([
    { code: "OVN_AGENT_FALLBACK", subject: router.urn, message: expect.stringMatching(/^packets go through the virtual router: t1002-node2: /) as string },
  ]);
  expect([broken.status, await redirects()]).toEqual([503, 0]);
  await vsctl("del-br", "other");
  await own.becomes("healthy again", ({ healthy }) => healthy);
  expect(await redirects()).toBe(1);
  await router.destroy();
  await bridges.destroy();
  await own.becomes("nothing to restore", ({ resources }) => resources.length === 0);
  expect(await host()).toBe("");
});
