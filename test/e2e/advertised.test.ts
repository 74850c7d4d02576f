import { isolatedFrom, type Layer2NetworkArgs } from "@pulumi-ovn/provider";
import type { Running, Sandbox } from "@pulumi-ovn/sandbox";
import { LiveNetwork } from "../support/live-network";
import { liveSandbox } from "../support/live-sandbox";
import { blue } from "../support/network";
import { runScript } from "../support/run-script";
import { MACHINES, reached } from "../support/upgrade-flows";
import { acquainted, connections, serve, talkers } from "./egress-ip-traffic";

const NODES = ["node1", "node2"];
const OUTSIDE = ["192.0.2.1", "2001:db8::1"] as const;
const HOSTS = ["172.18.0.111", "172.18.0.112", "fc00:f853:ccd:e793::6f", "fc00:f853:ccd:e793::70"];
const GATEWAYS = ["203.203.0.1", "2010:100:200::1"];
const [vm1, vm2] = MACHINES.slice(0, 2).map((machine) => ({ ...machine, gateways: GATEWAYS }));
const other = {
  name: "g1",
  host: "node2",
  mac: "0a:58:cb:cc:00:11",
  addresses: ["203.204.0.17/16", "2010:100:300::11/60"],
  gateways: ["203.204.0.1", "2010:100:300::1"],
};
const GREEN = ["203.204.0.0/16", "2010:100:300::/60"];

let sandbox: Sandbox;
let network: LiveNetwork;
let green: LiveNetwork;
let servers: Running[] = [];
liveSandbox({ name: "advertised", hosts: 2, workloads: [vm1!, vm2!, other] }, async (...live) => {
  [sandbox, network] = live;
  green = new LiveNetwork(sandbox.zones, "green");
  // As the fabric would learn it: every packet for a network arrives by one gateway router, wherever the workload is.
  await run(
    "ext",
    `
    ip route add 203.203.0.0/16 via 172.18.0.11; ip route add 2010:100:200::/60 via fc00:f853:ccd:e793::b
    ip route add 203.204.0.0/16 via 172.18.0.22; ip route add 2010:100:300::/60 via fc00:f853:ccd:e793::16
  `,
  );
  servers = await Promise.all(["ext", "node2", "vm1", "vm2", "g1"].map((place) => serve(sandbox, place)));
});
afterAll(async () => {
  servers.forEach((server) => server.signal("SIGKILL"));
  await green?.[Symbol.asyncDispose]();
});

const run = (place: string, script: string) => runScript(sandbox, place, script);

const keys = { blue: { switch: 16_715_779, router: 16_715_780 }, green: { switch: 16_715_781, router: 16_715_782 } };
const workload = ({ host, mac, addresses }: typeof other) => ({ node: host, mac, addresses: addresses.map((address) => address.split("/")[0]!) });

const blueWith = (advertised?: Layer2NetworkArgs["advertised"]) =>
  network.write(
    blue(NODES, {
      tunnelKeys: keys.blue,
      workloads: { vm1: workload(vm1 as typeof other), vm2: workload(vm2 as typeof other) },
      ...(advertised && { advertised }),
    }),
  );

/** The same hosts, other addresses outside. */
function greenArgs(advertised: Layer2NetworkArgs["advertised"] = {}): Layer2NetworkArgs {
  const { nodes } = blue(NODES);
  const external = (last: number) => ({
    addresses: [`172.18.0.${last}/24`, `fc00:f853:ccd:e793::${last.toString(16)}/64`],
    nextHops: ["172.18.0.1", "fc00:f853:ccd:e793::1"],
    mac: `0a:58:00:00:00:${last}`,
  });
  return {
    name: "green",
    subnets: GREEN,
    tunnelKeys: keys.green,
    nodes: { node1: { ...nodes["node1"]!, external: external(21) }, node2: { ...nodes["node2"]!, external: external(22) } },
    workloads: { g1: workload(other) },
    advertised: { translateTo: HOSTS, ...advertised },
  };
}

/** With which sources a few connections arrive. */
async function sources(from: string, to: string): Promise<string[]> {
  await acquainted(sandbox, from, to);
  const { timeout = 0, ...tally } = (await connections(sandbox, from, to, 20)).tally;
  expect(timeout).toBeLessThanOrEqual(1); // a dropped SYN can't be made good, see `acquainted`
  return Object.keys(tally);
}
const answered = async (from: string, to: string) => Object.keys((await connections(sandbox, from, to, 5, "1500")).tally);

test("packets leave an advertised network with their own source, except to nodes, and the fabric reaches workloads through any gateway router", async () => {
  await blueWith();
  await reached(sandbox);
  // Translated, answers leave by another gateway router than questions came in by, with its address.
  expect(await sources("vm2", OUTSIDE[0])).toEqual(["172.18.0.12"]);
  expect(await answered("ext", "203.203.0.18")).toEqual(["timeout"]);

  await blueWith({ translateTo: HOSTS });
  await reached(sandbox);
  expect(await sources("vm1", OUTSIDE[0])).toEqual(["203.203.0.17"]);
  expect(await sources("vm2", OUTSIDE[1])).toEqual(["2010:100:200::12"]);
  expect(await sources("vm1", "172.18.0.112")).toEqual(["172.18.0.11"]);
  expect(await sources("vm1", "fc00:f853:ccd:e793::70")).toEqual(["fc00:f853:ccd:e793::b"]);
  for (const address of ["203.203.0.17", "203.203.0.18"]) expect(await sources("ext", address)).toEqual(["172.18.0.1"]);
  for (const address of ["2010:100:200::11", "2010:100:200::12"]) expect(await sources("ext", address)).toEqual(["fc00:f853:ccd:e793::1"]);
  expect(await sources("vm1", "203.203.0.18")).toEqual(["203.203.0.17"]);

  // One destination more is one member more of a set: connections go on.
  const [translated, others] = [await talkers(sandbox, "vm1", "172.18.0.112", 10), await talkers(sandbox, "vm1", "203.203.0.18", 10)];
  await blueWith({ translateTo: [...HOSTS, "192.0.2.1"] });
  await reached(sandbox);
  expect([(await others()).alive, (await translated()).alive]).toEqual([10, 10]);
  expect(await sources("vm1", OUTSIDE[0])).toEqual(["172.18.0.11"]);
  expect(await sources("vm1", OUTSIDE[1])).toEqual(["2010:100:200::11"]);
});

test("two advertised networks reach each other through the fabric, unless one is isolated from the other", async () => {
  await blueWith({ translateTo: HOSTS });
  await green.write(greenArgs());
  await reached(sandbox);
  expect(await sources("vm1", "203.204.0.17")).toEqual(["203.203.0.17"]);
  expect(await sources("vm2", "2010:100:300::11")).toEqual(["2010:100:200::12"]);

  await blueWith({ translateTo: HOSTS, isolateFrom: GREEN });
  await reached(sandbox);
  expect(await answered("vm1", "203.204.0.17")).toEqual(["timeout"]);
  expect(await answered("vm2", "2010:100:300::11")).toEqual(["timeout"]);
  // Answers are dropped, too.
  expect(await answered("g1", "203.203.0.17")).toEqual(["timeout"]);
  expect(await sources("vm1", OUTSIDE[0])).toEqual(["203.203.0.17"]);
  expect(await sources("ext", "203.204.0.17")).toEqual(["172.18.0.1"]);
  expect(await sources("ext", "2010:100:300::11")).toEqual(["fc00:f853:ccd:e793::1"]);

  // The later network drops both directions by itself. With `dropFrom` only, an answer could leave: what is asked must not arrive.
  await blueWith({ translateTo: HOSTS });
  const blueSubnets = ["203.203.0.0/16", "2010:100:200::/60"];
  const isolated = isolatedFrom({ subnets: GREEN, advertised: {} }, [{ subnets: blueSubnets, advertised: {} }]);
  expect(isolated).toEqual({ isolateFrom: blueSubnets, dropFrom: blueSubnets });
  await green.write(greenArgs({ dropFrom: blueSubnets }));
  await reached(sandbox);
  expect(await answered("vm1", "203.204.0.17")).toEqual(["timeout"]);
  expect(await answered("vm2", "2010:100:300::11")).toEqual(["timeout"]);
  await green.write(greenArgs(isolated));
  await reached(sandbox);
  expect(await answered("g1", "203.203.0.17")).toEqual(["timeout"]);
  expect(await sources("ext", "203.204.0.17")).toEqual(["172.18.0.1"]);

  await green.write(undefined);
  await network.write(undefined);
  for (const { name } of sandbox.hosts)
    for (const table of ["Address_Set", "NAT", "Logical_Router_Policy", "Logical_Router"])
      expect([name, table, await run(name, `ovn-nbctl --bare --columns=_uuid list ${table}`)]).toEqual([name, table, ""]);
});
