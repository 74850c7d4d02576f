import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sandbox } from "@pulumi-ovn/sandbox";
import { router, tiers } from "./places.mts";

/** The virtual router: a namespace of its host with an interface in each tier, that forwards. */
export async function makeRouter(sandbox: Sandbox): Promise<void> {
  await sandbox.addWorkload(router.host, { name: "router" });
  const pid = (await readFile(join(sandbox.folder, "router", "pid"), "utf8")).trim();
  const ports = Object.entries(router.ports);
  await run(sandbox, router.host, ports.map(([tier, port]) => `ip link add ${port} type veth peer name ${tier} netns ${pid} && ip link set ${port} addrgenmode none up`));
  await run(sandbox, "router", [
    "echo 1 > /proc/sys/net/ipv4/ip_forward",
    ...Object.entries(tiers).flatMap(([tier, { gateway, gatewayMac }]) => [
      `ip link set ${tier} address ${gatewayMac} up`,
      `ip address add ${gateway}/24 dev ${tier}`,
      `ethtool -K ${tier} tx off > /dev/null`,
    ]),
  ]);
}

async function run(sandbox: Sandbox, place: string, lines: readonly string[]): Promise<void> {
  const { code, stderr } = await sandbox.exec(place, ["sh", "-e", "-s"], { input: lines.join("\n"), timeout: 20_000 });
  if (code !== 0) throw new Error(`on ${place}: ${stderr}`);
}
