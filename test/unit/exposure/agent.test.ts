import { ArgumentError, type BgpExposureArgs, type Contribution } from "@pulumi-ovn/provider";
import { agentExposure } from "@pulumi-ovn/provider/agent";
import { type AgentFacts, type AgentPortFacts, bgpExposure, validate } from "@pulumi-ovn/provider/testing";
import { complaints } from "../../support/refusals";

const port = (network: string, networks: string[], more: Partial<AgentPortFacts> = {}): AgentPortFacts => ({
  network,
  provider: false,
  networks,
  ends: { [`lrp-${network}`]: {}, [`lsp-${network}`]: {} },
  scopes: {},
  ...more,
});
const router = (...tenants: AgentPortFacts[]) => ({
  ports: Object.fromEntries([port("ext", ["198.51.100.2/24"], { provider: true }), ...tenants].map((one) => [`lrp-${one.network}`, one])),
});
const NAMED: AgentFacts["named"] = { networks: {}, ports: {}, labels: {}, scopes: {} };
const observedFacts = (more: Partial<AgentFacts> = {}): AgentFacts => ({ chassis: { h1: true, h2: true, h9: false }, named: NAMED, gateways: {}, ...more });
const BASE = { zone: "z", mode: "agent", name: "blue", chassis: ["h2", "h1"], asNumber: 64513 };

function render(change: Partial<BgpExposureArgs> | object, facts = observedFacts()) {
  const args = { ...BASE, ...change };
  const failures = validate(bgpExposure.schema, args);
  if (failures.length > 0) throw new ArgumentError(failures);
  return bgpExposure.render(bgpExposure.schema.parse(args), facts);
}
const FLOATING = { floatingIPs: true };
const SUBNETS = { tenantNetworks: "subnet" };

test("writes one entry of NB_Global's options, which agents can read, and no rows", () => {
  const named = { ...NAMED, networks: { b: true, a: true }, ports: { vm1: true }, labels: { exclude: true }, scopes: { s1: true } };
  const all = {
    ...FLOATING,
    ...SUBNETS,
    loadBalancers: true,
    providerPorts: true,
    routerIds: { h2: "192.0.2.2", h1: "192.0.2.1" },
    table: 1300,
    tenantAddresses: "global",
    addressScopes: ["s1"],
    gateways: ["2001:db8:5::1", "fe80:0::1"],
    select: { networks: ["b", "a"], ports: ["vm1"] },
    exclude: { labels: { tier: "x", a: "b" } },
  };
  const { set, outputs } = render(all, observedFacts({ named }));
  const [{ part, ...place }] = set.contributions as readonly [Contribution];
  expect([set.database, set.rows, set.requires, set.contributions!.length, place]).toEqual([
    "OVN_Northbound",
    [],
    undefined,
    1,
    { table: "NB_Global", row: { name: "." }, column: "options" },
  ]);
  expect(part).toEqual({
    kind: "entry",
    key: "pulumi-ovn-bgp:blue",
    value:
      '{"version":1,"chassis":["h1","h2"],"asNumber":64513,"routerIds":{"h1":"192.0.2.1","h2":"192.0.2.2"},"table":1300,"floatingIPs":true,"loadBalancers":true,"providerPorts":true,"tenantNetworks":"subnet","tenantAddresses":"global",' +
      '"addressScopes":["s1"],"select":{"networks":["a","b"],"ports":["vm1"],"labels":{}},"exclude":{"networks":[],"ports":[],"labels":{"a":"b","tier":"x"}},"gateways":["2001:db8:5::1","fe80::1"]}',
  });
  expect(outputs).toEqual({ tables: { h1: [1300], h2: [1300] } });
  if (part.kind === "entry") expect(agentExposure.parse(JSON.parse(part.value))).toMatchObject({ table: 1300, select: { ports: ["vm1"] } });
});

test("omitted arguments have their defaults", () => {
  expect(render(FLOATING).set.contributions!.map(({ part }) => part.kind === "entry" && part.value)).toEqual([
    '{"version":1,"chassis":["h1","h2"],"asNumber":64513,"routerIds":{},"table":1200,"floatingIPs":true,"loadBalancers":false,"providerPorts":false,"tenantAddresses":"all"}',
  ]);
});

describe("is refused before anything is written", () => {
  test.each<[title: string, change: object, facts: AgentFacts, expected: string[]]>([
    ["no chassis", { ...FLOATING, chassis: [] }, observedFacts(), ['chassis: mode "agent" needs at least one chassis']],
    [
      "what the mode needs",
      { ...FLOATING, chassis: undefined, asNumber: undefined, name: undefined },
      observedFacts(),
      ['chassis: mode "agent" needs at least one chassis', 'asNumber: mode "agent" needs the AS number of the chassis', 'name: mode "agent" needs a name'],
    ],
    ["what the other mode has", { ...FLOATING, routers: {} }, observedFacts(), ['routers: belongs to mode "ovn", and the mode is "agent"']],
    [
      "an unknown chassis",
      { ...FLOATING, chassis: ["h1", "h9"] },
      observedFacts(),
      ['chassis[1]: there is no chassis "h9" in the Southbound database of zone "z": ovn-controller has not registered it, or its system-id is another one'],
    ],
    ["a chassis twice", { ...FLOATING, chassis: ["h1", "h1"] }, observedFacts(), ["chassis[1]: h1 is listed twice"]],
    [
      "an AS number out of range",
      { ...FLOATING, asNumber: 4_294_967_296 },
      observedFacts(),
      ["asNumber: AS number 4294967296 is out of range: 1 to 4294967295"],
    ],
    ["AS number 0", { ...FLOATING, asNumber: 0 }, observedFacts(), ["asNumber: AS number 0 is out of range: 1 to 4294967295"]],
    ["a reserved AS number", { ...FLOATING, asNumber: 23_456 }, observedFacts(), ["asNumber: AS number 23456 is reserved: no router can have it"]],
    [
      "a router id of IPv6",
      { ...FLOATING, routerIds: { h1: "2001:db8::1" } },
      observedFacts(),
      ["routerIds.h1: 2001:db8::1 is not a BGP identifier: it has the form of an IPv4 address"],
    ],
    [
      "a router id of two chassis",
      { ...FLOATING, routerIds: { h1: "192.0.2.1", h2: "192.0.2.1" } },
      observedFacts(),
      ["routerIds.h2: router id 192.0.2.1 is already used by h1"],
    ],
    ["a router id of another chassis", { ...FLOATING, routerIds: { h3: "192.0.2.3" } }, observedFacts(), ['routerIds.h3: "h3" is not among the chassis']],
    ["a table beyond those of FRR", { ...FLOATING, table: 65_536 }, observedFacts(), ["table: FRR announces tables up to 65535, not 65536"]],
    [
      "a table of the kernel's own",
      { ...FLOATING, table: 254 },
      observedFacts(),
      ["table: table 254 is the kernel's own (main): the routing daemon needs another one"],
    ],
    ["nothing to announce", {}, observedFacts(), [": announces nothing: needs floatingIPs, loadBalancers, providerPorts or tenantNetworks"]],
    ["an empty selection", { ...SUBNETS, select: {} }, observedFacts(), ["select: names nothing: needs networks, ports or labels"]],
    [
      "an unknown network",
      { ...SUBNETS, select: { networks: ["a", "b"] } },
      observedFacts({ named: { ...NAMED, networks: { a: true, b: false } } }),
      ['select.networks[1]: there is no Logical_Switch "b" in the zone'],
    ],
    [
      "an unknown port",
      { ...FLOATING, exclude: { ports: ["vm9"] } },
      observedFacts({ named: { ...NAMED, ports: { vm9: false } } }),
      ['exclude.ports[0]: there is no port "vm9" in the zone, of a switch or of a router'],
    ],
    [
      "labels that no port has",
      { ...SUBNETS, select: { labels: { a: "b" } } },
      observedFacts({ named: { ...NAMED, labels: { select: false } } }),
      ["select.labels: no port of the zone has these labels in its external_ids"],
    ],
    [
      "an unknown scope",
      { ...SUBNETS, addressScopes: ["s9"] },
      observedFacts({ named: { ...NAMED, scopes: { s9: false } } }),
      ['addressScopes[0]: no port of the zone is in address scope "s9"'],
    ],
    [
      "scopes without tenant networks",
      { ...FLOATING, addressScopes: ["s1"] },
      observedFacts({ named: { ...NAMED, scopes: { s1: true } } }),
      ["addressScopes: has no meaning without tenantNetworks"],
    ],
    [
      "a gateway of IPv4",
      { ...FLOATING, gateways: ["2001:db8:5::1", "198.51.100.1"] },
      observedFacts(),
      ["gateways[1]: 198.51.100.1 is not an IPv6 address: the chassis answer for IPv4 gateways by themselves"],
    ],
    [
      "a gateway twice, however it is written",
      { ...FLOATING, gateways: ["2001:db8:5::1", "2001:db8:5:0::1"] },
      observedFacts(),
      ["gateways[1]: 2001:db8:5::1 is listed twice"],
    ],
    [
      "networks with addresses in common, of one router or of two",
      SUBNETS,
      observedFacts({ gateways: { r1: router(port("a", ["10.1.0.1/24"])), r2: router(port("b", ["10.1.0.129/25"])) } }),
      ["tenantNetworks: network a 10.1.0.0/24 overlaps network b 10.1.0.128/25"],
    ],
  ])("%s", (_title, change, facts, expected) => {
    expect(complaints(() => render(change, facts))).toEqual(expected);
  });

  test("routers are for mode ovn, agents' arguments are not", () => {
    const ovn = { mode: "ovn", routers: { gr1: { table: 1201 } }, name: undefined };
    const facts = { routers: { gr1: { chassis: "h1", ports: {}, nat: [], vips: [] } }, taken: {} };
    const given = bgpExposure.schema.parse({ ...BASE, ...ovn, ...SUBNETS, table: 1300, routerIds: {}, gateways: ["2001:db8:5::1"] });
    expect(complaints(() => bgpExposure.render(given, facts))).toEqual(
      ["chassis", "asNumber", "routerIds", "table", "gateways"].map((argument) => `${argument}: belongs to mode "agent", and the mode is "ovn"`),
    );
  });

  test("another mode is accepted while the observed facts are the former mode's", () => {
    expect(complaints(() => bgpExposure.render(bgpExposure.schema.parse({ ...BASE, ...FLOATING }), { routers: {}, taken: {} }))).toEqual([
      "mode: the zone's database must be reached to change the mode",
    ]);
  });
});

describe("is accepted", () => {
  const clash = (more: Partial<AgentPortFacts> = {}) =>
    observedFacts({
      gateways: { r1: router(port("a", ["10.1.0.1/24"])), r2: router(port("b", ["10.1.0.1/24"], more)) },
      named: {
        networks: { a: true, b: true, ext: true },
        ports: { "lrp-b": true, "lsp-b": true },
        labels: { select: true, exclude: true },
        scopes: { s1: true },
      },
    });

  test("networks of which one is excluded by any criterion", () => {
    for (const exclude of [{ networks: ["b"] }, { ports: ["lrp-b"] }, { ports: ["lsp-b"] }])
      expect(render({ ...SUBNETS, exclude }, clash()).set.contributions).toHaveLength(1);
    expect(render({ ...SUBNETS, select: { networks: ["a"] } }, clash()).set.contributions).toHaveLength(1);
    expect(render({ ...SUBNETS, exclude: { labels: { x: "y" } } }, clash({ ends: { "lrp-b": {}, "lsp-b": { x: "y" } } })).set.contributions).toHaveLength(1);
    expect(render({ ...SUBNETS, addressScopes: ["s1"] }, clash({ scopes: { 4: "s1" } })).set.contributions).toHaveLength(1);
    expect(render({ ...SUBNETS, tenantAddresses: "global" }, clash()).set.contributions).toHaveLength(1);
    // Behind a gateway that is left out there is nothing.
    expect(render({ ...SUBNETS, exclude: { networks: ["ext"] } }, clash()).set.contributions).toHaveLength(1);
  });

  test("one network behind two routers, and subnets of provider networks", () => {
    expect(
      render(SUBNETS, observedFacts({ gateways: { r1: router(port("a", ["10.1.0.1/24"])), r2: router(port("a", ["10.1.0.2/24"])) } })).set.contributions,
    ).toHaveLength(1);
  });

  test("a chassis that can't be verified", () => {
    expect(render({ ...FLOATING, chassis: ["h9"] }, observedFacts({ chassis: null })).set.contributions).toHaveLength(1);
  });
});
