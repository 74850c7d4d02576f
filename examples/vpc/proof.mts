import { once } from "node:events";
import { blocked, type Check, connects, type Sandbox, type Scenario, serving } from "@pulumi-ovn/sandbox";
import { router, tiers, workloads } from "./places.mts";
import { makeRouter } from "./router.mts";

const gatewayOf = (tier: string) => tiers[tier as keyof typeof tiers].gateway;

/** Packets of connections between these two on the wire of the virtual router's host, while some work goes on. */
async function seenAtRouter(sandbox: Sandbox, between: readonly [string, string], work: () => Promise<Check>): Promise<{ readonly check: Check; readonly packets: number }> {
  const capture = await sandbox.spawn(router.host, ["tcpdump", "-lnn", "--immediate-mode", "-i", "phy0", "ip proto 47"]);
  let text = "";
  capture.process.stdout!.on("data", (data: Buffer) => (text += data.toString()));
  await once(capture.process.stderr!, "data");
  const check = await work();
  capture.signal("SIGINT");
  await capture.exit;
  return { check, packets: text.split("\n").filter((line) => between.every((address) => line.includes(`${address}.`)) && line.includes("Flags")).length };
}

const ends: [string, string] = [workloads.web1.addresses[0]!, workloads.app2.addresses[0]!];

/** How often a connection is tried that should not be seen: a switch floods until it has got to what the first one told it. */
const TRIES = 20;

async function path(sandbox: Sandbox, what: string, through: boolean): Promise<Check[]> {
  const attempt = () => seenAtRouter(sandbox, ends, () => connects(sandbox, what, "web1", ends[1], 8080, ["app2"]));
  let { check, packets } = await attempt();
  for (let tries = 1; !through && packets > 0 && tries < TRIES; tries++) ({ check, packets } = await attempt());
  const detail = `${packets} of its packets passed ${router.host}`;
  return [check, { what: through ? "through the virtual router" : "and not through the virtual router's host", detail, ...(packets > 0 !== through && { failure: "the other way was expected" }) }];
}

export default {
  sandbox: { hosts: 4, ovn: false, workloads: Object.entries(workloads).map(([name, { tier, host, mac, addresses: [address] }]) => ({ name, host, mac, addresses: [`${address}/24`], gateways: [gatewayOf(tier)] })) },

  prepare: makeRouter,

  prove: ({ sandbox, example }): Promise<Check[]> =>
    serving(sandbox, "app2", 8080, () => serving(sandbox, "app2", 8090, () => serving(sandbox, "db3", 5432, () => serving(sandbox, "db4", 5432, async () => {
      const checks = [
        // Bridges flood what is for a workload that they have not heard of; the first connection tells them.
        await connects(sandbox, "a web server reaches an application", "web1", ends[1], 8080, ["app2"]),
        ...(await path(sandbox, "once more", false)),
        await blocked(sandbox, "and no other port of it", "web1", ends[1], 8090),
        await connects(sandbox, "an application reaches the database", "app2", "10.1.3.13", 5432, ["db3"]),
        await connects(sandbox, "also the one beside the virtual router", "app1", "10.1.3.14", 5432, ["db4"]),
        await blocked(sandbox, "a web server does not: its rule has the lower number", "web1", "10.1.3.13", 5432),
      ];
      await example.run("config", "set", "enabled", "false", "--stack", "test");
      await example.run("up", "--yes", "--skip-preview", "--stack", "test");
      return [...checks, ...(await path(sandbox, "logical routers disabled", true))];
    })))),
} satisfies Scenario;
