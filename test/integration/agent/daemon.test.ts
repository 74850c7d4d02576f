import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "@pulumi-ovn/ovsdb-client";
import { convergeOnce, type DaemonOptions, dryRun, type Health, NOTHING, runDaemon, withdraw } from "@pulumi-ovn/agent";
import { type HostNote, LOCK, writeNote } from "@pulumi-ovn/agent/testing";
import { until } from "@pulumi-ovn/sandbox/testing";
import { exposureOf } from "../../support/agent-input";
import { agentHost, SouthboundRows, southboundServer } from "../../support/agent-zone";
import { hasVrf } from "../../support/kernel";
import { pulumiOvn } from "../../support/pulumi-ovn";

/** A kernel without routes, and a switch without flows, of the agent's own. */
let EMPTY_HOST: string[];
let programs: string;
beforeAll(async () => {
  programs = await mkdtemp(join(tmpdir(), "agent-"));
  await writeFile(join(programs, "ovs-ofctl"), "#!/bin/sh\n", { mode: 0o755 });
  EMPTY_HOST = ["env", `PATH=${programs}:${process.env["PATH"]}`, "unshare", "--user", "--map-root-user", "--net", "--"];
});
afterAll(() => rm(programs, { recursive: true }));

async function setting(stack: AsyncDisposableStack) {
  const server = await southboundServer();
  stack.defer(() => server.remove());
  const rows = stack.use(await SouthboundRows.connect(server.endpoint));
  await rows.chassis("h1");
  return { server, rows, host: stack.use(await agentHost(server.endpoint)) };
}

/** A daemon in this process. */
function daemon(stack: AsyncDisposableStack, openvswitch: string, more: Partial<DaemonOptions> = {}) {
  const lines: string[] = [];
  const ending = new AbortController();
  const ended = runDaemon({
    openvswitch,
    listen: { host: "127.0.0.1", port: 0 },
    command: EMPTY_HOST,
    log: (line) => lines.push(line),
    signal: ending.signal,
    ...more,
  });
  const outcome = ended.then(
    () => "ended",
    ({ code, message }: Error & { code?: string }) => `${code}: ${message}`,
  );
  const end = () => (ending.abort(), outcome);
  stack.defer(async () => void (await end()));
  const url = () => until("the endpoints", 20_000, () => lines.map((line) => /http:\S+(?=\/healthz)/.exec(line)?.[0]).find(Boolean));
  const health = async () => {
    const answer = await fetch(`${await url()}/healthz`);
    return { status: answer.status, ...((await answer.json()) as Health) };
  };
  const becomes = (what: string, holds: (now: Health & { status: number }) => boolean) =>
    until(what, 20_000, async () => ((now) => holds(now) && now)(await health()));
  return { lines, end, outcome, url, health, becomes };
}

test("reports health and metrics; a second agent ends with an error until the first has ended", async () => {
  await using stack = new AsyncDisposableStack();
  const { host } = await setting(stack);
  const first = daemon(stack, host.endpoint);
  const { status, lastConverge, lastChange, ...rest } = await first.becomes("healthy", ({ healthy }) => healthy);
  expect([status, lastChange]).toEqual([200, null]);
  expect(lastConverge).toMatchObject({ changed: 0 });
  expect(rest).toEqual({ healthy: true, chassis: "h1", problems: [], connections: { openvswitch: true, southbound: true }, announced: [] });
  const url = await first.url();
  const metrics = await fetch(`${url}/metrics`);
  expect(metrics.headers.get("content-type")).toBe("text/plain; version=0.0.4");
  expect(await metrics.text()).toContain("\npulumi_ovn_agent_southbound_connected 1\n");
  expect((await fetch(`${url}/other`)).status).toBe(404);
  expect((await fetch(`${url}/healthz`, { method: "POST" })).status).toBe(405);

  const refusal = `OVN_AGENT_RUNNING: another agent runs on this chassis: it holds the lock "${LOCK}" of the host's Open vSwitch database (${host.endpoint}); stop one of the two`;
  const second = daemon(stack, host.endpoint);
  expect(await second.outcome).toBe(refusal);
  expect(second.lines).toEqual([]);
  for (const mode of [[], ["--once"], ["--withdraw"]])
    expect(await pulumiOvn(["agent", "--openvswitch", host.endpoint, ...mode])).toMatchObject({
      code: 1,
      stdout: "",
      stderr: `pulumi-ovn agent: ${refusal}\n`,
    });
  expect(await first.end()).toBe("ended");
  const once = await pulumiOvn(["agent", "--openvswitch", host.endpoint, "--once", "--json"]);
  const { version, problems } = JSON.parse(once.stdout) as { version: number; problems: unknown[] };
  expect([version, once.code, once.stderr]).toEqual([1, problems.length === 0 ? 0 : 1, ""]);
  await daemon(stack, host.endpoint).becomes("healthy", ({ healthy }) => healthy);
});

test("a lost Southbound database is a problem until it returns; the agent continues", async () => {
  await using stack = new AsyncDisposableStack();
  const { server, host } = await setting(stack);
  const agent = daemon(stack, host.endpoint);
  await agent.becomes("healthy", ({ healthy }) => healthy);
  await server.stop();
  const without = await agent.becomes("a problem", ({ status }) => status === 503);
  expect([without.connections, without.problems.map(({ code }) => code)]).toEqual([{ openvswitch: true, southbound: false }, ["OVN_AGENT_SOUTHBOUND"]]);
  await server.start();
  await agent.becomes("healthy again", ({ healthy }) => healthy);
  expect(agent.lines.map((line) => line.split(" ").slice(0, 2).join(" "))).toEqual(
    expect.arrayContaining(["OVN_AGENT_SOUTHBOUND OVN_Southbound:", "over: OVN_AGENT_SOUTHBOUND"]),
  );
  // A database that flaps.
  for (let times = 0; times < 8; times++) {
    await server.stop();
    await server.start();
  }
  await agent.becomes("healthy after flapping", ({ healthy }) => healthy);
  expect(agent.lines.filter((line) => / changes? in /.test(line))).toEqual([expect.stringMatching(/^0 changes in \d+ ms: 0 announced$/)]); // its start
});

test("an agent ends if another one takes its lock, or if it can't listen", async () => {
  await using stack = new AsyncDisposableStack();
  const { host } = await setting(stack);
  const agent = daemon(stack, host.endpoint);
  await agent.becomes("healthy", ({ healthy }) => healthy);
  await using thief = await connect(host.endpoint, { database: "Open_vSwitch" });
  await thief.steal(LOCK);
  expect(await agent.outcome).toMatch(/^OVN_AGENT_RUNNING: /);
  await thief.close();

  const taken = createServer().listen(0, "127.0.0.1");
  stack.defer(() => void taken.close());
  await once(taken, "listening");
  const { port } = taken.address() as { port: number };
  expect(await daemon(stack, host.endpoint, { listen: { host: "127.0.0.1", port } }).outcome).toBe(
    `OVN_AGENT_LISTEN: can't listen on 127.0.0.1:${port}: EADDRINUSE; choose another --listen`,
  );
});

test("waits for the host's database, reports it, and can be ended", async () => {
  await using stack = new AsyncDisposableStack();
  const agent = daemon(stack, "unix:/nonexistent/db.sock");
  await until("a word", 20_000, () => agent.lines.length > 0);
  expect(agent.lines[0]).toContain("/nonexistent/db.sock");
  expect(await agent.end()).toBe("ended");
});

test("an agent that starts on a recreated database does not change the host, and reports it, until the database contains the chassis; in a known database the chassis counts as removed", async () => {
  await using stack = new AsyncDisposableStack();
  const server = await southboundServer();
  stack.defer(() => server.remove());
  const host = stack.use(await agentHost(server.endpoint));
  // A kernel that has what an agent before made.
  const kernel = spawn(
    "unshare",
    [
      "--user",
      "--map-root-user",
      "--net",
      "sh",
      "-c",
      "ip link set lo up; ip route add 198.51.100.5 dev lo table 1200 protocol 87; echo ready; exec sleep 1000",
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  stack.defer(() => void kernel.kill("SIGKILL"));
  await once(kernel.stdout, "data");
  const inside = ["nsenter", "-t", String(kernel.pid), "-U", "-n", "--preserve-credentials", "--"];
  const command = ["env", `PATH=${programs}:${process.env["PATH"]}`, ...inside];
  const routes = () => execFileSync(inside[0]!, [...inside.slice(1), "ip", "route", "show", "table", "all", "protocol", "87"], { encoding: "utf8" }).trim();
  const route = "198.51.100.5 dev lo table 1200 scope link";
  const noted = async () => (await host.vsctl("--if-exists", "get", "Open_vSwitch", ".", "external_ids:pulumi-ovn-bgp-southbound")).trim().replaceAll('"', "");

  const first = daemon(stack, host.endpoint, { command });
  const { healthy, lastConverge, problems } = await first.becomes("a problem", (now) => now.problems.length > 0);
  expect([healthy, lastConverge, problems.map(({ code }) => code)]).toEqual([false, null, ["OVN_AGENT_NO_CHASSIS"]]);
  const rows = stack.use(await SouthboundRows.connect(server.endpoint));
  await rows.exposures({});
  await rows.chassis("h2");
  expect([await first.end(), routes(), await noted()]).toEqual(["ended", route, ""]);

  const chassis = await rows.chassis("h1");
  const second = daemon(stack, host.endpoint, { command });
  await second.becomes("healthy", (now) => now.healthy);
  await until("the note", 20_000, noted);
  expect([await second.end(), routes()]).toEqual(["ended", ""]);

  execFileSync(inside[0]!, [...inside.slice(1), "ip", "route", "add", "198.51.100.5", "dev", "lo", "table", "1200", "protocol", "87"]);
  await rows.client.transaction((tx) => tx.delete("Chassis", chassis));
  const third = daemon(stack, host.endpoint, { command });
  const left = await third.becomes("a round", (now) => now.lastConverge !== null);
  expect([left.problems.map(({ code }) => code), routes()]).toEqual([["OVN_AGENT_NO_CHASSIS"], ""]);
  await third.end();
  expect(await withdraw({ openvswitch: host.endpoint, command, log: () => undefined, signal: new AbortController().signal })).toEqual([]);
  expect(await noted()).toBe("");
});

test("an unreadable exposure keeps its last form in the host's note; health and log report it, and --withdraw deletes it", async () => {
  await using stack = new AsyncDisposableStack();
  const { rows, host } = await setting(stack);
  const noted = async () => (await host.vsctl("get", "Open_vSwitch", ".", "external_ids")).match(/pulumi-ovn-bgp-exposure:\w+/g) ?? [];
  await rows.exposures({ blue: exposureOf(), elsewhere: exposureOf({ chassis: ["h2"] }) });
  const agent = daemon(stack, host.endpoint, { vtysh: "/bin/false" });
  await until("the note", 20_000, async () => (await noted()).length > 0);
  await rows.exposures({ blue: '{"version":2}' });
  const now = await agent.becomes("the problem", ({ problems }) => problems.some(({ code }) => code === "OVN_AGENT_EXPOSURE_HELD"));
  expect(now.problems.map(({ code }) => code).sort()).toEqual(["OVN_AGENT_EXPOSURE_HELD", "OVN_AGENT_FRR_DOWN"]);
  const words = `exposure "blue" can't be read, and what was last read of it holds: this agent does not know its version; it needs a newer release`;
  expect([now.status, agent.lines.filter((line) => line.includes("EXPOSURE"))]).toEqual([503, [`OVN_AGENT_EXPOSURE_HELD blue: ${words}`]]);
  expect(await agent.end()).toBe("ended");
  const options = { openvswitch: host.endpoint, command: EMPTY_HOST, vtysh: "/bin/false", log: () => undefined, signal: new AbortController().signal };
  expect((await dryRun(options)).desired.bgp).toEqual({ asNumber: 64513, routerId: null, table: 1200 });
  expect((await convergeOnce(options)).map(({ code }) => code)).toContain("OVN_AGENT_EXPOSURE_HELD");
  expect(await noted()).toEqual(["pulumi-ovn-bgp-exposure:blue"]);
  await withdraw({ ...options, vtysh: undefined });
  expect(await noted()).toEqual([]);
});

/** A host with the rules of an exposure without routes, and a bgpd whose configuration is a file: after any command, the agent's lines. */
async function settledHost(stack: AsyncDisposableStack) {
  const folder = await mkdtemp(join(tmpdir(), "agent-"));
  stack.defer(() => rm(folder, { recursive: true }));
  const running = join(folder, "running");
  const program = (name: string, body: string) => writeFile(join(folder, name), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
  const instance = (mark: string, lines: string) => `FRRouting 10.3 (h1)\n${mark}router bgp 64513\n bgp router-id 192.0.2.1\n${lines}exit\n`;
  const family = (number: number) =>
    ` address-family ipv${number} unicast\n  redistribute table-direct 1200 route-map pulumi-ovn-agent\n exit-address-family\n`;
  const [bare, whole] = [instance("", ""), instance("route-map pulumi-ovn-agent permit 10\n set tag 87\nexit\n", family(4) + family(6))];
  const rules = JSON.stringify([{ priority: 32_000, src: "all", table: "1200", protocol: "87" }]);
  await writeFile(`${running}-whole`, whole);
  await program("vtysh", `case "$*" in *configure*) cp ${running}-whole ${running};; *) cat ${running};; esac`);
  await program("ip", `case "$*" in *monitor*) exec sleep 100;; esac; while read -r line; do [ "$line" = "rule show" ] && echo '${rules}' || echo '[]'; done`);
  await program("ovs-ofctl", "");
  const reload = () => writeFile(running, bare);
  await reload();
  return { command: ["env", `PATH=${folder}:${process.env["PATH"]}`], reload, isWhole: async () => (await readFile(running, "utf8")) === whole };
}

test("lines that a reload of FRR removes are written again", async () => {
  await using stack = new AsyncDisposableStack();
  const { rows, host } = await setting(stack);
  const { command, reload, isWhole } = await settledHost(stack);
  await rows.exposures({ blue: exposureOf() });
  const agent = daemon(stack, host.endpoint, { command });
  for (let times = 0; times < 2; times++) {
    await until("the agent's lines", 20_000, isWhole);
    await agent.becomes("a look that has seen them", ({ healthy, lastConverge }) => healthy && lastConverge?.changed === 0);
    await reload();
  }
  await until("the agent's lines", 20_000, isWhole);
});

test("a note replaces the current one, also one that was added after the read; other values of the row stay", async () => {
  await using host = await agentHost();
  await using client = await connect(host.endpoint, { database: "Open_vSwitch" });
  const others = await ids();
  const of = (blue: string, more = {}): HostNote => ({ database: blue, exposures: { blue, ...more } });
  const held = { "pulumi-ovn-bgp-southbound": "two", "pulumi-ovn-bgp-exposure:blue": "two" };
  await Promise.all([writeNote(client, of("one")), writeNote(client, of("two"))]);
  expect(await ids()).toEqual({ ...others, ...held });
  await writeNote(client, of("two", { green: "g" }));
  expect(await ids()).toEqual({ ...others, ...held, "pulumi-ovn-bgp-exposure:green": "g" });
  const transact = jest.spyOn(client, "transact");
  await writeNote(client, of("two", { green: "g" }));
  expect(transact.mock.calls.flatMap(([operations]) => operations.map(({ op }) => op))).toEqual(["select"]);
  await writeNote(client, { database: undefined, exposures: { green: "g" } });
  expect(await ids()).toEqual({ ...others, "pulumi-ovn-bgp-exposure:green": "g" });
  await writeNote(client, { database: undefined, exposures: {} });
  expect(await ids()).toEqual(others);

  async function ids() {
    const [row] = await client.select("Open_vSwitch", { columns: ["external_ids"] });
    return Object.fromEntries(row!["external_ids"] as ReadonlyMap<string, string>);
  }
});

test("once, withdraw, dry run: problems instead of a daemon", async () => {
  await using stack = new AsyncDisposableStack();
  const { rows, host } = await setting(stack);
  const options = { openvswitch: host.endpoint, command: EMPTY_HOST, log: () => undefined, signal: new AbortController().signal };
  expect(await convergeOnce(options)).toEqual([]);
  expect(await withdraw(options)).toEqual([]);
  expect(await dryRun(options)).toEqual({ desired: NOTHING, steps: [], problems: [] });
  await rows.exposures({ blue: "not JSON" });
  expect((await convergeOnce(options)).map(({ code }) => code)).toEqual(["OVN_AGENT_EXPOSURE"]);
  expect((await dryRun(options)).problems.map(({ code }) => code)).toEqual(["OVN_AGENT_EXPOSURE"]);
});

test("with a VRF: by the command, in a round, and as the daemon's health; a kernel that has none is named", async () => {
  await using stack = new AsyncDisposableStack();
  const { rows, host } = await setting(stack);
  await rows.exposures({ blue: exposureOf() });
  const bgp = { asNumber: 64513, routerId: null, table: 1200, vrf: "bgp-vrf" };
  const { stdout } = await pulumiOvn(["agent", "--dry-run", "--vrf", "bgp-vrf", "--openvswitch", host.endpoint, "--vtysh", "/bin/false"]);
  const planned = JSON.parse(stdout) as { desired: object; steps: readonly object[] };
  expect([planned.desired, planned.steps[0]]).toEqual([expect.objectContaining({ bgp }), { kind: "vrf", name: "bgp-vrf", table: 1200 }]);

  const vrf = hasVrf ? [] : ["OVN_AGENT_VRF"];
  const options = {
    openvswitch: host.endpoint,
    command: EMPTY_HOST,
    vtysh: "/bin/false",
    vrf: "bgp-vrf",
    log: () => undefined,
    signal: new AbortController().signal,
  };
  expect((await convergeOnce(options)).map(({ code }) => code).sort()).toEqual(["OVN_AGENT_FRR_DOWN", ...vrf]);
  const agent = daemon(stack, host.endpoint, { vrf: "bgp-vrf", vtysh: "/bin/false" });
  const { status, problems } = await agent.becomes("a round", ({ lastConverge }) => lastConverge !== null);
  expect([status, problems.map(({ code }) => code).sort()]).toEqual([503, ["OVN_AGENT_FRR_DOWN", ...vrf]]);
});
