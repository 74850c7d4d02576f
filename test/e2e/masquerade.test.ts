import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Running, Sandbox } from "@pulumi-ovn/sandbox";
import type { LiveNetwork } from "../support/live-network";
import { liveSandbox } from "../support/live-sandbox";
import { blue } from "../support/network";
import { runScript } from "../support/run-script";
import { MACHINES, reached } from "../support/upgrade-flows";
import { acquainted, connections, expectSpread, serve } from "./egress-ip-traffic";

const HOST = ["172.18.0.111", "fc00:f853:ccd:e793::6f"] as const;
const OUTSIDE = ["192.0.2.1", "2001:db8::1"] as const;
const machine = { ...MACHINES[0]!, gateways: ["203.203.0.1", "2010:100:200::1"] };

let sandbox: Sandbox;
let network: LiveNetwork;
let servers: Running[] = [];
liveSandbox({ name: "masquerade", hosts: 1, workloads: [machine] }, async (...live) => {
  [sandbox, network] = live;
  await run("ip route add default via 172.18.0.1; ip route add default via fc00:f853:ccd:e793::1");
  servers = await Promise.all(["ext", "node1"].map((place) => serve(sandbox, place)));
});
afterAll(() => servers.forEach((server) => server.signal("SIGKILL")));

const run = (script: string) => runScript(sandbox, "node1", script);

/** The script of the page that a user reads. */
const [, FLOWS] = /```sh\n([^`]+)```/.exec(readFileSync(join(__dirname, "../../docs/how-to/masquerade.md"), "utf8"))!;

test("a network that shares its host's addresses works only with the flows of the page, as does the host", async () => {
  const mac = await run("cat /sys/class/net/br-ex/address 2>/dev/null || ovs-vsctl get Interface br-ex mac_in_use | tr -d '\"'");
  const external = { addresses: [`${HOST[0]}/24`, `${HOST[1]}/64`], nextHops: ["172.18.0.1", "fc00:f853:ccd:e793::1"], mac };
  const workloads = { vm1: { node: "node1", mac: machine.mac, addresses: machine.addresses.map((address) => address.split("/")[0]!) } };
  const shared = { networkId: 6, masquerade: { hostFlows: true }, snatPorts: "32768-60999", gatewayRouterCtCommitAll: true };
  await network.write(blue(["node1"], { nodes: { node1: { id: 2, external } }, workloads, tunnelKeys: [5, 6], ...shared }));
  await reached(sandbox);
  expect(await run("ovs-ofctl dump-flows br-int | grep -o 'nat(src=169.254.0.21[^,)]*' | sort -u")).toBe("nat(src=169.254.0.21:32768-60999");
  for (const target of OUTSIDE) expect([target, (await connections(sandbox, "vm1", target, 5, "2500")).tally]).toEqual([target, { timeout: 5 }]);

  await run(FLOWS!);
  for (const [index, target] of OUTSIDE.entries()) {
    for (const from of ["vm1", "node1"]) await acquainted(sandbox, from, target);
    expectSpread(await connections(sandbox, "vm1", target, 200), 200, HOST[index]!);
    expectSpread(await connections(sandbox, "node1", target, 50), 50, HOST[index]!);
  }
  // The host's own services go on answering.
  for (const address of HOST) await acquainted(sandbox, "ext", address!);
  expectSpread(await connections(sandbox, "ext", HOST[0]!, 20), 20, "172.18.0.1");
  expectSpread(await connections(sandbox, "ext", HOST[1]!, 20), 20, "fc00:f853:ccd:e793::1");
  await network.write(undefined);
}, 300_000);
