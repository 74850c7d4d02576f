import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BgpExposure } from "pulumi-ovn";
import { agentExposure } from "@pulumi-ovn/provider/agent";
import { Connections } from "@pulumi-ovn/provider/targets";
import { type Central, startCentral } from "@pulumi-ovn/sandbox";
import { Handled } from "../../support/handled";
import { previewed } from "../../support/previewed";
import { disconnect } from "../../support/provider";

const folder = mkdtempSync(join(tmpdir(), "exposed-"));
const OWNER = "urn:pulumi:dev::net::pulumi-nodejs:dynamic/ovn:BgpExposure::blue";
let central: Central;
let targets: Connections;
/** The same databases in files of targets of their own, as a file has each database once. */
let views: Readonly<Record<"blind" | "around" | "hasty", Connections>>;

beforeAll(async () => {
  central = await startCentral();
  await run("ovn-sbctl", "chassis-add h1 geneve 198.18.0.1 -- chassis-add h2 geneve 198.18.0.2");
  // A gateway router of h1, a distributed router with its gateway on h1, one with a group of chassis, and one of h3.
  await run(
    "ovn-nbctl",
    "ls-add ext -- lsp-add ext ln -- set logical_switch_port ln type=localnet options:network_name=physnet -- lr-add gr -- set logical_router gr options:chassis=h1 -- lr-add dr -- lr-add ha -- lr-add far -- set logical_router far options:chassis=h3",
  );
  for (const [index, [router, tenant]] of [
    ["gr", "10.1.0.1/24"],
    ["dr", "10.1.0.1/25"],
    ["ha", "10.3.0.1/24"],
    ["far", "10.1.0.1/24"],
  ].entries()) {
    await run(
      "ovn-nbctl",
      `lrp-add ${router} ${router}-ext 0a:00:00:00:0${index}:01 198.51.100.${index + 2}/24 -- lsp-add ext ext-${router} -- set logical_switch_port ext-${router} type=router options:router-port=${router}-ext addresses=router`,
    );
    await run(
      "ovn-nbctl",
      `ls-add t-${router} -- lrp-add ${router} ${router}-t 0a:00:00:00:0${index}:02 ${tenant} 2001:db8:${index}::1/64 -- lsp-add t-${router} t-${router}-p -- set logical_switch_port t-${router}-p type=router options:router-port=${router}-t addresses=router external_ids:team=${router}`,
    );
  }
  await run("ovn-nbctl", "lrp-set-gateway-chassis dr-ext h1 10 -- ha-chassis-group-add both -- ha-chassis-group-add-chassis both h1 5 -- lsp-add t-gr vm1");
  const group = (await run("ovn-nbctl", "--bare --columns=_uuid find HA_Chassis_Group name=both")).trim();
  await run(
    "ovn-nbctl",
    `set Logical_Router_Port ha-ext ha_chassis_group=${group} -- set Logical_Switch_Port t-gr-p external_ids:"neutron:subnet_pool_addr_scope4"=scope1`,
  );
  const zone = { northbound: central.northbound, southbound: central.southbound };
  const blind = { northbound: central.northbound };
  targets = new Connections({ zone });
  views = {
    blind: new Connections({ blind }),
    around: new Connections({ around: { ...zone, southbound: `${central.southbound},tcp:10.1.0.77:6642` } }),
    hasty: new Connections({ hasty: { ...zone, timeout: 1 } }),
  };
  for (const [name, settings] of Object.entries({ zone, blind })) writeFileSync(join(folder, `${name}.yaml`), JSON.stringify({ zones: { [name]: settings } }));
}, 60_000);
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await disconnect();
  for (const connections of [targets, ...Object.values(views ?? {})]) await connections?.close();
  await central?.stop();
});

async function run(name: string, text: string): Promise<string> {
  const { code, stdout, stderr } = await central.run(name, text.split(" "));
  if (code !== 0) throw new Error(`${name} ${text}: ${stderr}`);
  return stdout;
}
const BASE = { zone: "zone", mode: "agent", chassis: ["h1"], asNumber: 64513, floatingIPs: true };

/** Messages of a preview. */
async function preview(given: object) {
  const args = { ...BASE, ...given } as ConstructorParameters<typeof BgpExposure>[1];
  const [found] = await previewed(() => void new BgpExposure("blue", args), { "ovn:targets": join(folder, `${args.zone as string}.yaml`) });
  return found!;
}

const SUBNETS = { tenantNetworks: "subnet" };
test.each<[what: string, given: object, ...failures: string[]]>([
  [
    "a chassis that there is not",
    { chassis: ["h1", "h8"] },
    'chassis[1]: there is no chassis "h8" in the Southbound database of zone "zone": ovn-controller has not registered it, or its system-id is another one [unknown-chassis]',
  ],
  ["an AS number out of range [out-of-range]", { asNumber: 4_294_967_296 }, "asNumber: AS number 4294967296 is out of range: 1 to 4294967295 [out-of-range]"],
  ["an AS number that nobody has", { asNumber: 65_535 }, "asNumber: AS number 65535 is reserved: no router can have it [reserved]"],
  [
    "a router id out of range [out-of-range]",
    { routerIds: { h1: "300.0.2.1" } },
    'routerIds.h1: "300.0.2.1" is not an IP address: expected four decimal numbers from 0 to 255, such as 192.0.2.1, or IPv6 [address]',
  ],
  ["a table of the kernel", { table: 254 }, "table: table 254 is the kernel's own (main): the routing daemon needs another one [reserved]"],
  [
    "a network that there is not",
    { select: { networks: ["t-gr", "t-none"] } },
    'select.networks[1]: there is no Logical_Switch "t-none" in the zone [unknown-network]',
  ],
  [
    "a port that there is not",
    { exclude: { ports: ["vm1", "gr-t", "vm9"] } },
    'exclude.ports[2]: there is no port "vm9" in the zone, of a switch or of a router [unknown-port]',
  ],
  [
    "labels that there are not",
    { select: { labels: { team: "gr", floor: "2" } } },
    "select.labels: no port of the zone has these labels in its external_ids [unknown-port]",
  ],
  [
    "an address scope that there is not",
    { ...SUBNETS, addressScopes: ["scope1", "scope2"] },
    'addressScopes[1]: no port of the zone is in address scope "scope2" [unknown-scope]',
  ],
  ["tenant networks with addresses in common", SUBNETS, "tenantNetworks: network t-dr 10.1.0.0/25 overlaps network t-gr 10.1.0.0/24 [overlap]"],
  ["routers, which are the other mode's", { routers: { gr: { table: 1201 } } }, 'routers: belongs to mode "ovn", and the mode is "agent" [value]'],
  [
    "agents' arguments in the other mode",
    { mode: "ovn", routers: { gr: { table: 1201 } }, chassis: undefined, table: 1300, floatingIPs: undefined, tenantNetworks: "subnet" },
    'asNumber: belongs to mode "agent", and the mode is "ovn" [value]',
    'table: belongs to mode "agent", and the mode is "ovn" [value]',
  ],
])("%s is refused in the preview", async (_what, given, ...expected) => {
  expect((await preview(given)).failures).toEqual(expected);
});

test("accepts arguments without a conflict, and can't verify chassis without the zone's Southbound database", async () => {
  expect((await preview({ ...SUBNETS, exclude: { labels: { team: "dr" } } })).failures).toEqual([]);
  expect((await preview({ ...SUBNETS, chassis: ["h2"] })).failures).toEqual([]);
  const { failures, inputs } = await preview({ ...SUBNETS, select: { networks: ["t-ha"] }, zone: "blind", chassis: ["h1", "h8"] });
  expect(failures).toEqual([]);
  expect(inputs["observed"]).toMatchObject({ chassis: null, named: { networks: { "t-ha": true } } });
  expect(
    Object.entries((inputs["observed"] as { gateways: Record<string, { ports: Record<string, { provider: boolean }> }> }).gateways).map(
      ([router, { ports }]) => [router, Object.entries(ports).map(([port, { provider }]) => `${port} ${provider}`)],
    ),
  ).toEqual(["dr", "gr", "ha"].map((router) => [router, [`${router}-ext true`, `${router}-t false`]]));
});

test("sets one option, which northd copies to SB_Global, and removes it", async () => {
  const options = async (): Promise<Record<string, unknown>> => {
    await run("ovn-nbctl", "--wait=sb sync");
    const text = await run("ovn-sbctl", "--format=json --columns=options list SB_Global");
    const [[[, entries]]] = (JSON.parse(text) as { data: [[[string, [string, string][]]]] }).data;
    return Object.fromEntries(entries.filter(([key]) => key.startsWith("pulumi-ovn-bgp:")));
  };
  const before = await run("ovn-nbctl", "get NB_Global . external_ids");
  const exposure = new Handled("BgpExposure");
  const args = { ...BASE, owner: OWNER, name: "blue" };
  const { inputs, failures } = await exposure.check({}, args, targets);
  const value =
    '{"version":1,"chassis":["h1"],"asNumber":64513,"routerIds":{},"table":1200,"floatingIPs":true,"loadBalancers":false,"providerPorts":false,"tenantAddresses":"all"}';
  expect([failures, inputs["rows"]]).toEqual([[], { "NB_Global . options:pulumi-ovn-bgp:blue": value }]);
  const { outs } = await exposure.create(inputs, targets);
  expect([outs["announced"], outs["tables"]]).toEqual([{ h1: [] }, { h1: [1200] }]);
  const arrived = await options();
  expect(arrived).toEqual({ "pulumi-ovn-bgp:blue": value });
  expect(agentExposure.parse(JSON.parse(value))).toMatchObject({ chassis: ["h1"], asNumber: 64513 });

  // Another resource with the same name does not overwrite it.
  const other = await exposure.check({}, { ...args, owner: `${OWNER}2`, asNumber: 64514 }, targets);
  await expect(exposure.create(other.inputs, targets)).rejects.toMatchObject({ code: "OVN_FOREIGN_ROW" });

  await run("ovn-nbctl", "set NB_Global . options:pulumi-ovn-bgp\\:blue=broken");
  const { props } = (await exposure.read(outs, targets))!;
  expect(Object.keys(props["drift"] as object)).toEqual(["NB_Global . options:pulumi-ovn-bgp:blue"]);
  const changed = await exposure.check(props, { ...args, providerPorts: true }, targets);
  expect(exposure.diff(props, changed.inputs).changes).toBe(true);
  const updated = await exposure.update(props, changed.inputs, targets);
  expect(await options()).toEqual({ "pulumi-ovn-bgp:blue": value.replace('"providerPorts":false', '"providerPorts":true') });
  await exposure.delete(updated.outs, targets);
  expect([await options(), await run("ovn-nbctl", "get NB_Global . external_ids")]).toEqual([{}, before]);
});

describe("the output lists what agents should announce, from the current databases", () => {
  const args = { zone: "zone", mode: "agent", chassis: ["h2", "h1"], asNumber: 64513, owner: OWNER, name: "named" };
  const exposure = new Handled("BgpExposure");
  const made = async (change: object) => (await exposure.create((await exposure.check({}, { ...args, ...change }, targets)).inputs, targets)).outs;
  const nbctl = (...words: string[]) => central.run("ovn-nbctl", ["--wait=sb", ...words]).then(({ code, stderr }) => expect([code, stderr]).toEqual([0, ""]));
  const port = (network: string, name: string, addresses: string) =>
    nbctl("lsp-add", network, name, "--", "lsp-set-addresses", name, `0a:00:00:00:05:${addresses.split(".")[3]!.slice(0, 2)} ${addresses}`);
  const bind = (name: string, chassis: string) => run("ovn-sbctl", `lsp-bind ${name} ${chassis} -- set port_binding ${name} up=true`);
  const BEFORE = { h1: ["198.51.100.51/32"], h2: ["198.51.100.52/32", "2001:db8:9::52/128"] };

  beforeAll(async () => {
    for (const chassis of ["h1", "h2"]) await run("ovn-sbctl", `set chassis ${chassis} other_config:ovn-bridge-mappings=physnet:br-ex`);
    await port("ext", "p1", "198.51.100.51");
    await port("ext", "p2", "198.51.100.52 2001:db8:9::52");
    await port("t-gr", "w1", "10.1.0.61");
    for (const [name, chassis] of [
      ["p1", "h1"],
      ["p2", "h2"],
      ["w1", "h2"],
    ] as const)
      await bind(name, chassis);
    await run("ovn-sbctl", "lsp-bind gr-ext h1");
  });

  test("is read by a create and a refresh, not by a check: a moved workload does not change the resource", async () => {
    const outs = await made({ providerPorts: true, select: { ports: ["p1", "p2"] } });
    expect([outs["announced"], outs["tables"]]).toEqual([BEFORE, { h1: [1200], h2: [1200] }]);
    await run("ovn-sbctl", "lsp-unbind p2");
    await bind("p2", "h1");
    const moved = { h1: ["198.51.100.51/32", "198.51.100.52/32", "2001:db8:9::52/128"], h2: [] };
    const checked = await exposure.check(outs, { ...args, providerPorts: true, select: { ports: ["p1", "p2"] } }, targets);
    expect([exposure.diff(outs, checked.inputs).changes, checked.inputs["announced"]]).toEqual([false, undefined]);
    const { props, inputs } = (await exposure.read(outs, targets))!;
    expect([props, inputs!["announced"]]).toEqual([{ ...outs, announced: moved }, undefined]);
    const narrower = await exposure.check(props, { ...args, providerPorts: true, select: { ports: ["p2"] } }, targets);
    const updated = await exposure.update(props, narrower.inputs, targets);
    expect(updated.outs["announced"]).toEqual({ ...moved, h1: moved.h1.slice(1) });
    await exposure.delete(updated.outs, targets);
  });

  test("has each kind of address at its gateway's chassis: floating IPs of both families, load balancers, whole networks, and workloads on other chassis", async () => {
    await nbctl(
      "lsp-set-options",
      "ext-gr",
      "router-port=gr-ext",
      "nat-addresses=router",
      "--",
      "lr-nat-add",
      "gr",
      "dnat_and_snat",
      "198.51.100.71",
      "10.1.0.61",
      "--",
      "lr-nat-add",
      "gr",
      "dnat_and_snat",
      "2001:db8:9::71",
      "2001:db8:0::61",
    );
    await nbctl("lb-add", "lb1", "198.51.100.81:80", "10.1.0.61:80", "--", "lr-lb-add", "gr", "lb1", "--", "lrp-del", "dr-t");
    const announced = async (change: object, view?: "around" | "blind") => {
      const [zone, from] = [view && { zone: view }, view ? views[view] : targets];
      const { outs } = await exposure.create((await exposure.check({}, { ...args, ...change, ...zone }, from)).inputs, from);
      await exposure.delete(outs, from);
      return outs["announced"];
    };
    const own = ["198.51.100.2/32"];
    expect(await announced({ floatingIPs: true })).toEqual({ h1: [...own, "198.51.100.71/32", "2001:db8:9::71/128"], h2: [] });
    expect(await announced({ loadBalancers: true })).toEqual({ h1: ["198.51.100.81/32"], h2: [] });
    expect(await announced({ tenantNetworks: "subnet" })).toEqual({ h1: ["10.1.0.0/24", ...own, "2001:db8::/64"], h2: [] });
    expect(await announced({ tenantNetworks: "host" })).toEqual({ h1: ["10.1.0.61/32", ...own], h2: [] });
    expect(await announced({ tenantNetworks: "host", chassis: ["h2"] })).toEqual({ h2: [] });
    // Which MAC a bridge has is for its host's agent to look at.
    await nbctl("set", "Logical_Router_Port", "gr-ext", 'mac="02:00:00:00:00:01"');
    expect(await announced({ loadBalancers: true })).toEqual({ h1: ["198.51.100.81/32"], h2: [] });
    // A chassis would lose its way to the databases through a network around one of their servers.
    expect(await announced({ tenantNetworks: "subnet" }, "around")).toEqual({ h1: [...own, "2001:db8::/64"], h2: [] });
    // Nothing is known without the Southbound database, and a chassis with no way into the network announces nothing of it.
    expect(await announced({ tenantNetworks: "subnet" }, "blind")).toEqual({});
    await run("ovn-sbctl", "remove chassis h1 other_config ovn-bridge-mappings");
    expect(await announced({ floatingIPs: true })).toEqual({ h1: [], h2: [] });
  });
});

test("uses the current rows without northd, also with a timeout of a second", async () => {
  const exposure = new Handled("BgpExposure");
  await run("ovn-sbctl", "set chassis h1 other_config:ovn-bridge-mappings=physnet:br-ex");
  const { inputs } = await exposure.check({}, { ...BASE, owner: OWNER, name: "hasty", zone: "hasty" }, views.hasty);
  await central.kill("northd");
  const { outs } = await exposure.create(inputs, views.hasty).finally(() => central.start("northd"));
  expect(outs["announced"]).toEqual({ h1: ["198.51.100.2/32", "198.51.100.71/32", "2001:db8:9::71/128"] });
  await exposure.delete(outs, views.hasty);
});

test("a refresh reports a missing object of the arguments, keeps the written rows, and finds no drift when the object is back", async () => {
  const exposure = new Handled("BgpExposure");
  const option = () => run("ovn-nbctl", "get NB_Global . options:pulumi-ovn-bgp\\:green");
  await run("ovn-nbctl", "ls-add t-brief");
  const { inputs } = await exposure.check({}, { ...BASE, owner: OWNER, name: "green", tenantNetworks: "host", select: { networks: ["t-brief"] } }, targets);
  const { outs } = await exposure.create(inputs, targets);
  const before = await option();

  await run("ovn-nbctl", "ls-del t-brief");
  const { props, inputs: refreshed } = (await exposure.read(outs, targets))!;
  expect([props, refreshed]).toEqual([
    { ...outs, digest: "refused", drift: { refused: 'select.networks[0]: there is no Logical_Switch "t-brief" in the zone' } },
    undefined,
  ]);
  expect(await option()).toBe(before);

  await run("ovn-nbctl", "ls-add t-brief");
  const back = (await exposure.read(props, targets))!.props;
  expect(back).toEqual(outs);
  await run("ovn-nbctl", "ls-del t-brief");
  // It also goes from the refused state.
  await exposure.delete(props, targets);
  await expect(option()).rejects.toThrow('no key "pulumi-ovn-bgp:green"');
});
