import { once } from "node:events";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { blocked, type Check, connects, type Sandbox, type Scenario, serving } from "@pulumi-ovn/sandbox";
import { router, tiers, workloads } from "./places.mts";
import { makeRouter } from "./router.mts";

const gatewayOf = (tier: string) => tiers[tier as keyof typeof tiers].gateway;

/** Packets on a host's wire during some work, as lines of tcpdump. */
async function captured(sandbox: Sandbox, host: string, work: () => Promise<Check>): Promise<{ readonly check: Check; readonly lines: readonly string[] }> {
  const capture = await sandbox.spawn(host, ["tcpdump", "-lnn", "--immediate-mode", "-i", "phy0", "ip proto 47"]);
  let text = "";
  capture.process.stdout!.on("data", (data: Buffer) => (text += data.toString()));
  await once(capture.process.stderr!, "data");
  const check = await work();
  capture.signal("SIGINT");
  await capture.exit;
  return { check, lines: text.split("\n") };
}

const ends: [string, string] = [workloads.web1.addresses[0]!, workloads.app2.addresses[0]!];

/** Attempts for a connection that should not be seen: a switch floods until it has learned. */
const TRIES = 20;

/** Requests a missing neighbor: the broadcast lets all bridges of the tier learn the workload. */
const speakUp = (sandbox: Sandbox, name: keyof typeof workloads) =>
  sandbox.exec(name, ["ping", "-n", "-q", "-c1", "-W1", workloads[name].addresses[0]!.replace(/\d+$/, "250")], { timeout: 5_000 });

async function path(sandbox: Sandbox, what: string, through: boolean): Promise<Check[]> {
  const attempt = async () => {
    // A switch in userspace loses the first packet of a tunnel, which may be the one broadcast that a workload ever sends.
    await Promise.all([speakUp(sandbox, "web1"), speakUp(sandbox, "app2")]);
    const { check, lines } = await captured(sandbox, router.host, () => connects(sandbox, what, "web1", ends[1], 8080, ["app2"]));
    return { check, packets: lines.filter((line) => ends.every((address) => line.includes(`${address}.`)) && line.includes("Flags")).length };
  };
  let { check, packets } = await attempt();
  for (let tries = 1; !through && packets > 0 && tries < TRIES; tries++) ({ check, packets } = await attempt());
  const detail = `${packets} of its packets passed ${router.host}`;
  return [check, { what: through ? "through the virtual router" : "and not through the virtual router's host", detail, ...(packets > 0 !== through && { failure: "the other way was expected" }) }];
}

const SPOOFED = "10.1.1.99";

/** A workload uses a foreign address to request a neighbor, and its own for comparison. */
async function spoofed(sandbox: Sandbox): Promise<Check[]> {
  const { host, addresses } = workloads.web1;
  const address = (verb: "add" | "del") => sandbox.exec("web1", ["ip", "address", verb, `${SPOOFED}/24`, "dev", "eth0"], { timeout: 5_000 });
  const { check, lines } = await captured(sandbox, host, async () => {
    await address("add");
    await sandbox.exec("web1", ["ping", "-n", "-q", "-c3", "-i0.2", "-W1", "-I", SPOOFED, workloads.web3.addresses[0]!], { timeout: 10_000 });
    await address("del");
    return connects(sandbox, "a web server sends as itself", "web1", ends[1], 8080, ["app2"]);
  });
  const seen = (own: string) => lines.filter((line) => line.includes(own)).length;
  const detail = `${seen(SPOOFED)} packets from ${SPOOFED} left ${host}, ${seen(addresses[0]!)} of its own`;
  return [check, { what: "and not from another address", detail, ...((seen(SPOOFED) > 0 || seen(addresses[0]!) === 0) && { failure: "port security should drop them, and nothing else" }) }];
}

const agent = join(dirname(createRequire(import.meta.url).resolve("@pulumi-ovn/agent/package.json")), "bin/pulumi-ovn-vpc-agent.js");

/** A host loses all flows of its switch, as by a crash of ovs-vswitchd, and its agent writes them again. */
async function restored(sandbox: Sandbox, host: string): Promise<Check> {
  const { openvswitch, agentFolder } = sandbox.targets.hosts[host]!;
  await sandbox.exec(host, ["sh", "-c", "for bridge in lr-shop br-t1001 br-t1002 br-t1003; do ovs-ofctl -O OpenFlow14 del-flows $bridge; done"], { timeout: 20_000 });
  const { code, stderr } = await sandbox.exec(host, [process.execPath, agent, "--once", "--folder", agentFolder, "--openvswitch", openvswitch], { timeout: 60_000 });
  const lines = stderr.split("\n").filter((line) => line.startsWith("restored "));
  return { what: `${host} loses all flows, and its agent writes them again`, detail: `${lines.length} bridges`, ...((code !== 0 || lines.length === 0) && { failure: stderr }) };
}

export default {
  sandbox: { hosts: 4, ovn: false, workloads: Object.entries(workloads).map(([name, { tier, host, mac, addresses: [address] }]) => ({ name, host, mac, addresses: [`${address}/24`], gateways: [gatewayOf(tier)] })) },

  prepare: makeRouter,

  prove: ({ sandbox, example }): Promise<Check[]> =>
    serving(sandbox, "app2", 8080, () => serving(sandbox, "app2", 8090, () => serving(sandbox, "db3", 5432, () => serving(sandbox, "db4", 5432, async () => {
      const checks = [
        // Bridges flood packets for workloads that they have not learned; the first connection lets them learn.
        await connects(sandbox, "a web server reaches an application", "web1", ends[1], 8080, ["app2"]),
        ...(await path(sandbox, "once more", false)),
        await blocked(sandbox, "and no other port of it", "web1", ends[1], 8090),
        await connects(sandbox, "an application reaches the database", "app2", "10.1.3.13", 5432, ["db3"]),
        await connects(sandbox, "also the one beside the virtual router", "app1", "10.1.3.14", 5432, ["db4"]),
        ...(await spoofed(sandbox)),
        await blocked(sandbox, "a web server does not: its rule has the lower number", "web1", "10.1.3.13", 5432),
        await restored(sandbox, "node1"),
        await connects(sandbox, "a web server reaches an application as before", "web1", ends[1], 8080, ["app2"]),
      ];
      await example.run("config", "set", "enabled", "false", "--stack", "test");
      await example.run("up", "--yes", "--skip-preview", "--stack", "test");
      return [...checks, ...(await path(sandbox, "logical routers disabled", true))];
    })))),
} satisfies Scenario;
