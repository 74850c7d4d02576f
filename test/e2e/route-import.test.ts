import type { Layer2NetworkArgs } from "@pulumi-ovn/provider";
import type { Running, Sandbox } from "@pulumi-ovn/sandbox";
import { until } from "@pulumi-ovn/sandbox/testing";
import { LiveNetwork } from "../support/live-network";
import { liveSandbox } from "../support/live-sandbox";
import { blue } from "../support/network";
import { runScript } from "../support/run-script";
import { MACHINES, reached } from "../support/upgrade-flows";
import { acquainted, connections, serve } from "./egress-ip-traffic";

const TABLE = 1101;
const [OUTSIDE4, OUTSIDE6] = ["192.0.2.1", "2001:db8::1"];
const WORKLOAD = { "192.0.2.1": "203.203.0.17", "2001:db8::1": "2010:100:200::11" } as Record<string, string>;
const vm1 = { ...MACHINES[0]!, gateways: ["203.203.0.1", "2010:100:200::1"] };
const control = {
  name: "g1",
  host: "node1",
  mac: "0a:58:cb:cc:00:11",
  addresses: ["203.204.0.17/16", "2010:100:300::11/60"],
  gateways: ["203.204.0.1", "2010:100:300::1"],
};

let sandbox: Sandbox;
let network: LiveNetwork;
let green: LiveNetwork;
let server: Running;
liveSandbox({ name: "route-import", hosts: 1, frr: true, workloads: [vm1, control] }, async (...live) => {
  [sandbox, network] = live;
  green = new LiveNetwork(sandbox.zones, "green");
  await run(
    "ext",
    `
    ip route add 203.203.0.0/16 via 172.18.0.11; ip route add 2010:100:200::/60 via fc00:f853:ccd:e793::b
    ip route add 203.204.0.0/16 via 172.18.0.21; ip route add 2010:100:300::/60 via fc00:f853:ccd:e793::15
  `,
  );
  // The host's daemon writes routes from its peer into a separate table.
  await vtysh(
    "node1",
    "route-map import permit 10",
    `set table ${TABLE}`,
    "exit",
    "router bgp 64513",
    "address-family ipv4 unicast",
    "neighbor 172.18.0.1 route-map import in",
    "exit",
    "address-family ipv6 unicast",
    "neighbor fc00:f853:ccd:e793::1 route-map import in",
  );
  await run("node1", "ovs-vsctl set Open_vSwitch . external_ids:dynamic-routing-port-mapping=uplink=br-ex");
  server = await serve(sandbox, "ext");
});
afterAll(async () => {
  server?.signal("SIGKILL");
  await green?.[Symbol.asyncDispose]();
});

const run = (place: string, script: string) => runScript(sandbox, place, script);

const vtysh = (place: string, ...lines: string[]) => sandbox.exec(place, ["vtysh", ...["configure terminal", ...lines].flatMap((line) => ["-c", line])]);
const announce = (family: "ipv4" | "ipv6", ...lines: string[]) => vtysh("ext", "router bgp 64512", `address-family ${family} unicast`, ...lines);

/** Ports of the gateway router that have learned a prefix, by prefix. */
async function learned(): Promise<Record<string, string[]>> {
  const routes = JSON.parse(await run("node1", "ovn-sbctl --format=json --columns=ip_prefix,logical_port list Learned_Route")) as {
    data: [string, [string, string]][];
  };
  const ports = JSON.parse(await run("node1", "ovn-sbctl --format=json --columns=_uuid,logical_port list Port_Binding")) as {
    data: [[string, string], string][];
  };
  const names = new Map(ports.data.map(([[, uuid], name]) => [uuid, name]));
  const pairs = routes.data.map(([prefix, [, uuid]]) => [prefix, names.get(uuid)!] as const);
  return Object.fromEntries([...Map.groupBy(pairs, ([prefix]) => prefix)].sort().map(([prefix, found]) => [prefix, found.map(([, port]) => port).sort()]));
}
const eventually = (what: string, expected: Record<string, string[]>) =>
  until(what, 60_000, async () => JSON.stringify(await learned()) === JSON.stringify(expected));
const answered = async (from: string, to: string) => Object.keys((await connections(sandbox, from, to, 5, "1500")).tally);
/** The control's own routers have a static default route, and learn nothing. */
async function reaches(to: string, expected: "answers" | "timeout"): Promise<void> {
  await acquainted(sandbox, "g1", to);
  if (expected === "answers") await acquainted(sandbox, "vm1", to);
  expect(await answered("vm1", to)).toEqual([expected === "answers" ? WORKLOAD[to] : "timeout"]);
}

const external = (last: number, nextHops: string[]) => ({ addresses: [`172.18.0.${last}/24`, `fc00:f853:ccd:e793::${last.toString(16)}/64`], nextHops });
const workload = ({ mac, addresses }: { mac: string; addresses: readonly string[] }) => ({
  node: "node1",
  mac,
  addresses: addresses.map((address) => address.split("/")[0]!),
});
const blueWith = (importRoutes?: NonNullable<Layer2NetworkArgs["advertised"]>["importRoutes"]) =>
  network.write(
    blue(["node1"], {
      nodes: { node1: { id: 2, external: external(11, []) } },
      tunnelKeys: { switch: 16_715_779, router: 16_715_780 },
      workloads: { vm1: workload(vm1) },
      advertised: { ...(importRoutes && { importRoutes }) },
    }),
  );
const UPLINK = "rtoe-GR_blue_node1";
const IMPORT = { table: TABLE, uplink: "uplink" };

test("the gateway router follows routes that the host's daemon learns, only by its external port; without them no packet leaves", async () => {
  await green.write({
    name: "green",
    subnets: ["203.204.0.0/16", "2010:100:300::/60"],
    tunnelKeys: { switch: 16_715_781, router: 16_715_782 },
    nodes: { node1: { id: 2, external: external(21, ["172.18.0.1", "fc00:f853:ccd:e793::1"]) } },
    workloads: { g1: workload(control) },
    advertised: {},
  });
  await blueWith();
  // Routes are in the table before the router knows of it: a running network gets them, too.
  await announce("ipv4", `network ${OUTSIDE4}/32`);
  await announce("ipv6", `network ${OUTSIDE6}/128`);
  await until(
    "routes in the table",
    60_000,
    async () => (await run("node1", `(ip route show table ${TABLE}; ip -6 route show table ${TABLE}) 2> /dev/null || true`)).split("\n").length === 2,
  );
  await reached(sandbox);
  expect(await learned()).toEqual({});
  await reaches(OUTSIDE4!, "timeout");

  await blueWith(IMPORT);
  await eventually("both routes", { [OUTSIDE4!]: [UPLINK], [OUTSIDE6!]: [UPLINK] });
  await reached(sandbox);
  for (const to of [OUTSIDE4!, OUTSIDE6!]) await reaches(to, "answers");

  await announce("ipv4", `no network ${OUTSIDE4}/32`);
  await eventually("the other route alone", { [OUTSIDE6!]: [UPLINK] });
  await reached(sandbox);
  await reaches(OUTSIDE4!, "timeout");
  await reaches(OUTSIDE6!, "answers");
});

test("an empty table removes learned routes, so that none stay when learning ends", async () => {
  await blueWith({ ...IMPORT, table: TABLE + 1 });
  await eventually("nothing", {});
  await blueWith();
  await reached(sandbox);
  await reaches(OUTSIDE6!, "timeout");
  expect(
    await run(
      "node1",
      "ovn-nbctl get Logical_Router GR_blue_node1 options; ovn-nbctl get Logical_Router_Port rtoe-GR_blue_node1 options; ovn-nbctl get Logical_Router_Port rtotr-GR_blue_node1 options",
    ),
  ).not.toMatch(/dynamic-routing|requested-tnl-key/);

  // This kernel may have no VRF devices, so the test checks the options that ovn-controller receives.
  await blueWith({ ...IMPORT, vrf: "blue" });
  await reached(sandbox);
  expect(JSON.parse(await run("node1", `ovn-sbctl --format=json --columns=options find Port_Binding logical_port=${UPLINK}`)).data[0][0][1]).toEqual(
    expect.arrayContaining([
      ["dynamic-routing", "true"],
      ["dynamic-routing-maintain-vrf", "true"],
      ["dynamic-routing-port-name", "uplink"],
      ["dynamic-routing-vrf-name", "blue"],
    ]),
  );

  await blueWith(IMPORT);
  await eventually("the route again", { [OUTSIDE6!]: [UPLINK] });
  await network.write(undefined);
  await green.write(undefined);
  await eventually("nothing after the network", {});
  for (const table of ["Logical_Router", "Logical_Router_Port", "Logical_Switch"])
    expect([table, await run("node1", `ovn-nbctl --bare --columns=_uuid list ${table}`)]).toEqual([table, ""]);
});
