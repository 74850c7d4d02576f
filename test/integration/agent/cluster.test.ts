/** The Southbound database as a cluster, and by TLS, as production has it. */
import { rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { TlsFiles } from "@pulumi-ovn/ovsdb-client";
import { binaries } from "@pulumi-ovn/sandbox";
import { until } from "@pulumi-ovn/sandbox/testing";
import { exposureOf } from "../../support/agent-input";
import { SouthboundRows, WatchedSource, agentHost } from "../../support/agent-zone";
import { Proxy } from "../../support/ovsdb-proxy";
import { cluster, freePort, isMember, temporaryFolder, type TestCluster, type TestServer } from "../../support/ovsdb-server";
import { Authority } from "../../support/ovsdb-tls";

const DATABASE = "OVN_Southbound";
const schema = async () => (await binaries()).schema("ovn-sb.ovsschema");

async function southboundCluster(
  stack: AsyncDisposableStack,
  size: number,
  options?: (folder: string, index: number) => Promise<readonly string[]>,
): Promise<TestCluster> {
  const group = await cluster(size, { database: DATABASE, schema: await schema(), ...(options && { options }) });
  stack.defer(() => group.remove());
  return group;
}
/** A chassis, and a workload of it on a provider network. */
async function filled(stack: AsyncDisposableStack, endpoints: string): Promise<SouthboundRows> {
  const rows = stack.use(await SouthboundRows.connect(endpoints));
  await fill(rows, { chassis: await rows.chassis("h1"), up: true });
  return rows;
}
async function fill(rows: SouthboundRows, bound: object): Promise<void> {
  const ext = await rows.datapath("ext");
  await rows.port("ln", ext, { type: "localnet", options: { network_name: "physnet" } });
  await rows.port("here", ext, { mac: ["0a:00:00:00:00:09 198.51.100.9"], ...bound });
  await rows.exposures({ blue: exposureOf({ providerPorts: true }) });
}
const rename = (rows: SouthboundRows, address: string) => rows.change("here", { mac: [`0a:00:00:00:00:09 ${address}`] });
const has = (source: WatchedSource, address: string) => source.snapshot?.ports.some(({ mac }) => mac[0]?.endsWith(` ${address}`)) === true;
async function leader(group: TestCluster): Promise<TestServer> {
  for (;;) {
    for (const member of group.members) if (/^Role: leader$/m.test(await member.appctl("cluster/status", DATABASE).catch(() => ""))) return member;
    await sleep(20);
  }
}

test("reads by TLS from a cluster whose leader changes and whose servers are killed in turn, without a loss", async () => {
  await using stack = new AsyncDisposableStack();
  const ports = [await freePort(), await freePort(), await freePort()];
  let authority: Promise<Authority> | undefined;
  let tls: TlsFiles = {};
  const group = await southboundCluster(stack, 3, async (folder, index) => {
    const made = await (authority ??= Authority.create(folder, "authority"));
    const identity = await made.issue(`ovsdb${index}`);
    tls = { ...(await made.issue(`chassis${index}`)), ca: made.certificate, checkServerName: false };
    return [
      `--remote=pssl:${ports[index]}:127.0.0.1`,
      `--private-key=${identity.privateKey}`,
      `--certificate=${identity.certificate}`,
      `--ca-cert=${made.certificate}`,
    ];
  });
  const rows = await filled(stack, group.endpoints);
  const host = stack.use(await agentHost(ports.map((port) => `ssl:127.0.0.1:${port}`).join(",")));
  const source = stack.use(new WatchedSource({ openvswitch: host.endpoint, tls }));
  await source.until("the first", () => has(source, "198.51.100.9"));

  await (await leader(group)).appctl("cluster/failure-test", "transfer-leadership").catch(() => undefined);
  await rename(rows, "198.51.100.10");
  await source.until("with another leader", () => has(source, "198.51.100.10"));
  for (const [index, member] of group.members.entries()) {
    await member.kill();
    await rename(rows, `198.51.100.${20 + index}`);
    await source.until("a member less", () => has(source, `198.51.100.${20 + index}`));
    await member.start();
    while (!(await isMember(member, DATABASE))) await sleep(20);
  }
  await source.until("no trouble is left", () => source.problems.length === 0);
  expect(source.published.filter(({ ports: all }) => all.length !== 2)).toEqual([]);

  // Without a certificate of this authority: the trouble is named.
  const stranger = stack.use(new WatchedSource({ openvswitch: host.endpoint, tls: { checkServerName: false } }));
  await stranger.until("the trouble", () => stranger.problems.length > 0);
  expect([stranger.problems, stranger.snapshot]).toEqual([["OVN_AGENT_SOUTHBOUND"], null]);
}, 120_000);

test("a recreated cluster is followed when it contains the host's ovn-controller; until then the last snapshot is used", async () => {
  await using stack = new AsyncDisposableStack();
  const [before, after] = [await southboundCluster(stack, 1), await southboundCluster(stack, 2)];
  await filled(stack, before.endpoints);
  const host = stack.use(await agentHost());
  // Both endpoints lead to one server at first, and later to those of the other cluster.
  const folder = await temporaryFolder();
  stack.defer(() => rm(folder, { recursive: true }));
  const place = async (name: string, { socket }: { readonly socket: string }) => {
    await rm(join(folder, name), { force: true });
    await symlink(socket, join(folder, name));
  };
  await place("a", before.members[0]!);
  await place("b", before.members[0]!);
  const proxy = await Proxy.start(join(folder, "a"));
  stack.defer(() => proxy.stop());
  const endpoints = `${proxy.endpoint},unix:${join(folder, "b")}`;
  const source = stack.use(new WatchedSource({ openvswitch: host.endpoint, southbound: endpoints }));
  await source.until("the first", () => has(source, "198.51.100.9"));
  const seen = source.snapshot;

  await before.members[0]!.kill();
  await place("a", after.members[0]!);
  await source.until("the trouble", () => source.problems.length > 0);
  // The other endpoint does not answer: it may be of the cluster that is known.
  const asked = proxy.requests.length;
  await until("rounds", 60_000, () => proxy.requests.length >= asked + 8);
  expect([source.problems, source.snapshot === seen]).toEqual([["OVN_AGENT_SOUTHBOUND"], true]);
  await place("b", after.members[1]!);
  await source.until("the new one is not filled yet", () => source.problems.includes("OVN_AGENT_NO_CHASSIS"));
  const rows = stack.use(await SouthboundRows.connect(after.endpoints));
  // northd fills it, and the host's ovn-controller follows later.
  await fill(rows, {});
  expect([source.problems, source.snapshot === seen]).toEqual([["OVN_AGENT_NO_CHASSIS"], true]);
  await rows.change("here", { chassis: await rows.chassis("h1"), up: true });
  await source.until("followed", () => source.problems.length === 0);
  await rename(rows, "198.51.100.30");
  await source.until("a change", () => has(source, "198.51.100.30"));
  expect(source.published.filter(({ chassis }) => chassis.uuid === null)).toEqual([]);
}, 120_000);
