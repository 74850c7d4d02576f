import { ArgumentError, type BgpExposureArgs, type ExposureFacts } from "@pulumi-ovn/provider";
import { bgpExposure, type RouterFacts, type RouterPortFacts, validate } from "@pulumi-ovn/provider/testing";
import { complaints, failuresOf } from "../../support/refusals";

const port = (network: string, networks: string[], more: Partial<RouterPortFacts> = {}): RouterPortFacts => ({
  networks,
  network,
  provider: false,
  labels: {},
  scopes: {},
  neighbors: [],
  hosts: [],
  ...more,
});
const router = (index: number, more: Partial<RouterFacts> = {}, ports: Record<string, RouterPortFacts> = {}): RouterFacts => ({
  chassis: `h${index}`,
  ports: {
    [`down${index}`]: port(`tenant${index}`, [`10.${index}.0.1/24`]),
    [`up${index}`]: port(`ext${index}`, [`172.18.0.1${index}/24`], { provider: true }),
    ...ports,
  },
  nat: [`172.18.0.5${index}`],
  vips: [`172.18.0.6${index}`],
  ...more,
});
const observedFacts = (routers: ExposureFacts["routers"] = { gr1: router(1), gr2: router(2) }, taken: ExposureFacts["taken"] = {}): ExposureFacts => ({
  routers,
  taken,
});
const BASE = { zone: "z", mode: "ovn", routers: { gr1: { table: 1201 }, gr2: { table: 1202 } } };

function render(change: Partial<BgpExposureArgs> | object, facts = observedFacts()) {
  const args = { ...BASE, ...change };
  const failures = validate(bgpExposure.schema, args);
  if (failures.length > 0) throw new ArgumentError(failures);
  return bgpExposure.render(bgpExposure.schema.parse(args), facts);
}
/** `table row option=value` of every option that is set. */
const options = (change: object, facts?: ExposureFacts) =>
  render(change, facts).set.contributions!.map(
    ({ table, row, column, part }) => `${table} ${"name" in row ? row.name : ""} ${column}:${part.kind === "entry" ? `${part.key}=${part.value}` : ""}`,
  );

describe("written rows", () => {
  test("of each announcing router set its route exchange, its table, and each port's announcements", () => {
    expect(options({ floatingIPs: true, loadBalancers: true, tenantNetworks: "subnet" })).toEqual(
      [1, 2].flatMap((n) => [
        `Logical_Router gr${n} options:dynamic-routing=true`,
        `Logical_Router gr${n} options:requested-tnl-key=120${n}`,
        `Logical_Router_Port down${n} options:dynamic-routing-redistribute=connected`,
        `Logical_Router_Port up${n} options:dynamic-routing-redistribute=lb,nat`,
      ]),
    );
  });

  test("are absent for a router that announces nothing, and the resource has no rows of its own", () => {
    const { set, outputs } = render({ tenantNetworks: "subnet", exclude: { networks: ["tenant1"] } });
    expect(set.contributions!.map(({ row }) => ("name" in row ? row.name : ""))).toEqual(["gr2", "gr2", "down2"]);
    expect([set.database, set.rows, set.requires]).toEqual([
      "OVN_Northbound",
      [],
      [{ feature: "router option dynamic-routing", schema: "7.11.0", release: "25.03" }],
    ]);
    expect(outputs).toEqual({ announced: { h2: ["10.2.0.0/24"] }, tables: { h2: [1202] } });
  });

  test("set one option for all that an outside port announces", () => {
    expect(options({ providerPorts: true, floatingIPs: true, loadBalancers: true }).filter((text) => text.includes("up1"))).toEqual([
      "Logical_Router_Port up1 options:dynamic-routing-redistribute=connected-as-host,lb,nat",
    ]);
    expect(options({ tenantNetworks: "host", floatingIPs: true, loadBalancers: true }).filter((text) => text.includes("down1"))).toEqual([
      "Logical_Router_Port down1 options:dynamic-routing-redistribute=connected-as-host",
    ]);
  });
});

describe("expected announcements", () => {
  test("are listed by chassis, each prefix once, IPv4 first, over all routers of a chassis", () => {
    const facts = observedFacts({
      gr1: router(1, { nat: ["2001:db8::7", "172.18.0.51", "172.18.0.11"], vips: ["172.18.0.11"] }),
      gr2: router(2, { chassis: "h1" }),
    });
    expect(render({ routers: { gr1: { table: 1301 }, gr2: { table: 1202 } }, floatingIPs: true, tenantNetworks: "subnet" }, facts).outputs).toEqual({
      announced: { h1: ["10.1.0.0/24", "10.2.0.0/24", "172.18.0.11/32", "172.18.0.51/32", "172.18.0.52/32", "2001:db8::7/128"] },
      tables: { h1: [1202, 1301] },
    });
  });

  test("of networks and provider ports follow a selection, those of floating IPs do not; exclusions apply to all", () => {
    const all = { floatingIPs: true, loadBalancers: true, providerPorts: true, tenantNetworks: "subnet" };
    const announced = (change: object) =>
      (render({ ...all, routers: { gr1: { table: 1201 } }, ...change }, observedFacts({ gr1: router(1) })).outputs!["announced"] as Record<string, string[]>)[
        "h1"
      ];
    expect(announced({})).toEqual(["10.1.0.0/24", "172.18.0.11/32", "172.18.0.51/32", "172.18.0.61/32"]);
    expect(announced({ select: { ports: ["down1"] } })).toEqual(["10.1.0.0/24", "172.18.0.51/32", "172.18.0.61/32"]);
    expect(announced({ select: { networks: ["ext1"] } })).toEqual(["172.18.0.11/32", "172.18.0.51/32", "172.18.0.61/32"]);
    expect(announced({ exclude: { networks: ["ext1"] } })).toEqual(["10.1.0.0/24"]);
    expect(announced({ select: { ports: ["down1"] }, exclude: { ports: ["down1"] } })).toEqual(["172.18.0.51/32", "172.18.0.61/32"]);
  });

  test("require all labels", () => {
    const labelled = router(
      1,
      {},
      { down1: port("tenant1", ["10.1.0.1/24"], { labels: { team: "red", tier: "web" } }), side1: port("side1", ["10.8.0.1/24"], { labels: { team: "red" } }) },
    );
    const announced = (labels: object) =>
      render({ routers: { gr1: { table: 1201 } }, tenantNetworks: "subnet", select: { labels } }, observedFacts({ gr1: labelled })).outputs!["announced"];
    expect(announced({ team: "red" })).toEqual({ h1: ["10.1.0.0/24", "10.8.0.0/24"] });
    expect(announced({ team: "red", tier: "web" })).toEqual({ h1: ["10.1.0.0/24"] });
  });

  const dual = (...networks: string[]) =>
    observedFacts({ gr1: router(1, {}, { down1: port("tenant1", networks, { scopes: { 4: "s4", 6: "s6" } }), side1: port("side1", ["10.8.0.1/24"]) }) });
  const scoped = (change: object, ...networks: string[]) =>
    render({ routers: { gr1: { table: 1201 } }, tenantNetworks: "subnet", ...change }, dual(...networks)).outputs!["announced"];

  test("may be only global addresses of IPv6", () => {
    expect(scoped({ tenantAddresses: "global" }, "2001:db8:1::1/64", "3fff::1/64")).toEqual({ h1: ["2001:db8:1::/64", "3fff::/64"] });
    expect(scoped({ tenantAddresses: "global" }, "fd00::1/64")).toEqual({});
    expect(scoped({ tenantAddresses: "global" }, "4000::1/64")).toEqual({});
    expect(complaints(() => scoped({ tenantAddresses: "global" }, "2001:db8:1::1/64", "fd00::1/64", "10.1.0.1/24"))).toEqual([
      "routers.gr1: port down1 is in fd00::/64 and 10.1.0.0/24, too, which must not be announced, and OVN announces the networks of a port together: give one of them a port of its own, or exclude this one",
    ]);
  });

  test("may be limited by address scopes, by family", () => {
    expect(scoped({ addressScopes: ["s4"] }, "10.1.0.1/24")).toEqual({ h1: ["10.1.0.0/24"] });
    expect(scoped({ addressScopes: ["s4", "s6"] }, "10.1.0.1/24", "fd00::1/64")).toEqual({ h1: ["10.1.0.0/24", "fd00::/64"] });
    expect(scoped({ addressScopes: ["s6"] }, "10.1.0.1/24")).toEqual({});
    expect(failuresOf(() => scoped({ addressScopes: ["s6"] }, "10.1.0.1/24", "fd00::1/64")).map(({ path, code }) => [path, code])).toEqual([
      ["routers.gr1", "mixed"],
    ]);
    expect(scoped({ addressScopes: ["s4"], exclude: { networks: ["side1"] } }, "10.1.0.1/24")).toEqual({ h1: ["10.1.0.0/24"] });
  });
});

const FLOATING = { floatingIPs: true };
const SUBNETS = { tenantNetworks: "subnet" };

describe("is refused before anything is written", () => {
  test.each<[title: string, change: object, facts: ExposureFacts, expected: string[]]>([
    ["another mode", { ...FLOATING, mode: "bird" }, observedFacts(), ['mode: "bird" is not one of "ovn", "agent"']],
    ["no mode", { ...FLOATING, mode: undefined }, observedFacts(), ["mode: is required"]],
    ["no router", { ...FLOATING, routers: {} }, observedFacts(), ["routers: needs at least one router"]],
    ["nothing to announce", {}, observedFacts(), [": announces nothing: needs floatingIPs, loadBalancers, providerPorts or tenantNetworks"]],
    [
      "a table of the kernel's own",
      { ...FLOATING, routers: { gr1: { table: 254 } } },
      observedFacts(),
      ["routers.gr1.table: table 254 is the kernel's own (main): the routing daemon needs another one"],
    ],
    [
      "one table of two routers",
      { ...FLOATING, routers: { gr1: { table: 1201 }, gr2: { table: 1201 } } },
      observedFacts(),
      ["routers.gr2.table: routing table 1201 is already used by gr1"],
    ],
    [
      "a table that is another's key",
      FLOATING,
      observedFacts(undefined, { 1202: 'Logical_Switch "blue"' }),
      ['routers.gr2.table: table 1202 would be the router\'s tunnel key, and is that of Logical_Switch "blue"'],
    ],
    [
      "a router that there is not",
      { ...FLOATING, routers: { gr9: { table: 1209 } } },
      observedFacts({ gr9: null }),
      ['routers.gr9: there is no Logical_Router "gr9" in the zone, or several'],
    ],
    [
      "a distributed router",
      { ...FLOATING, routers: { gr1: { table: 1201 } } },
      observedFacts({ gr1: router(1, { chassis: null }) }),
      ['routers.gr1: Logical_Router "gr1" has no chassis (options:chassis): only gateway routers announce what they have from one place'],
    ],
    [
      "floating IPs of a router without a provider network",
      { ...FLOATING, routers: { gr1: { table: 1201 } } },
      observedFacts({ gr1: router(1, { ports: { down1: port("tenant1", ["10.1.0.1/24"]) } }) }),
      [
        'routers.gr1: Logical_Router "gr1" has no port on a provider network (a switch with a localnet port), from which floating IPs, load balancers and provider ports are announced',
      ],
    ],
    [
      "an unknown network",
      { ...SUBNETS, select: { networks: ["tenant1", "tenant9"] } },
      observedFacts(),
      ['select.networks[1]: none of the routers has a port on network "tenant9"'],
    ],
    [
      "an unknown network that is excluded",
      { ...SUBNETS, exclude: { networks: ["tenant9"] } },
      observedFacts(),
      ['exclude.networks[0]: none of the routers has a port on network "tenant9"'],
    ],
    [
      "an unknown port",
      { ...SUBNETS, select: { ports: ["down9"] } },
      observedFacts(),
      ['select.ports[0]: none of the routers has a port "down9" on a network'],
    ],
    [
      "labels that no network has",
      { ...SUBNETS, select: { labels: { team: "red" } } },
      observedFacts(),
      ["select.labels: none of the routers has a port on a network with these labels"],
    ],
    ["an empty selection", { ...SUBNETS, exclude: {} }, observedFacts(), ["exclude: names nothing: needs networks, ports or labels"]],
    [
      "an unknown address scope",
      { ...SUBNETS, addressScopes: ["s9"] },
      observedFacts(),
      ['addressScopes[0]: none of the routers\' networks is in address scope "s9"'],
    ],
    [
      "address scopes without tenant networks",
      { ...FLOATING, addressScopes: ["s4"] },
      observedFacts({ gr1: router(1, {}, { down1: port("tenant1", ["10.1.0.1/24"], { scopes: { 4: "s4" } }) }), gr2: router(2) }),
      ["addressScopes: has no meaning without tenantNetworks"],
    ],
    [
      "global addresses without tenant networks",
      { ...FLOATING, tenantAddresses: "global" },
      observedFacts(),
      ["tenantAddresses: has no meaning without tenantNetworks"],
    ],
    ["an unknown argument", { ...FLOATING, router: {} }, observedFacts(), ['router: there is no argument "router"; did you mean "routers"?']],
    [
      "networks with addresses in common",
      SUBNETS,
      observedFacts({ gr1: router(1), gr2: router(2, {}, { down2: port("tenant2", ["10.1.0.129/25"]) }) }),
      ["routers.gr2: network tenant1 10.1.0.0/24 overlaps network tenant2 10.1.0.128/25"],
    ],
    [
      "a floating IP on two routers",
      FLOATING,
      observedFacts({ gr1: router(1), gr2: router(2, { nat: ["172.18.0.51"] }) }),
      ["routers.gr2: address 172.18.0.51 is already used by gr1"],
    ],
    [
      "a load balancer on two routers",
      { loadBalancers: true },
      observedFacts({ gr1: router(1), gr2: router(2, { vips: ["172.18.0.61"] }) }),
      ["routers.gr2: address 172.18.0.61 is already used by gr1"],
    ],
    [
      "neighbours, whose floating IPs OVN would announce, too",
      FLOATING,
      observedFacts({ gr1: router(1, {}, { up1: port("ext", ["172.18.0.11/24"], { provider: true, neighbors: ["up7", "up8"] }) }), gr2: router(2) }),
      ['routers.gr1: network "ext" of port up1 has further routers\' ports (up7, up8), whose addresses OVN would announce from this router, too'],
    ],
    [
      "hosts without the floating IPs that OVN 25.03 announces with them",
      { tenantNetworks: "host", loadBalancers: true, routers: { gr1: { table: 1201 } } },
      observedFacts({ gr1: router(1) }),
      [
        "routers.gr1: OVN 25.03 announces the floating IPs and load balancers of a router with the addresses of its networks: list floatingIPs and loadBalancers as well (172.18.0.51)",
      ],
    ],
    [
      "provider ports without the load balancers that OVN 25.03 announces with them",
      { providerPorts: true, floatingIPs: true, routers: { gr1: { table: 1201 } } },
      observedFacts({ gr1: router(1) }),
      [
        "routers.gr1: OVN 25.03 announces the floating IPs and load balancers of a router with the addresses of its networks: list floatingIPs and loadBalancers as well (172.18.0.61)",
      ],
    ],
  ])("%s", (_title, change, facts, expected) => {
    expect(complaints(() => render(change, facts))).toEqual(expected);
  });

  test("accepts arguments that only look like a conflict", () => {
    // A network on two routers, subnets among neighbours, hosts of a router without anything else, an overlap that is excluded.
    const shared = observedFacts({
      gr1: router(1, {}, { down1: port("tenant", ["10.1.0.1/24"], { neighbors: ["down2"] }) }),
      gr2: router(2, {}, { down2: port("tenant", ["10.1.0.2/24"], { neighbors: ["down1"] }) }),
    });
    expect(render(SUBNETS, shared).outputs!["announced"]).toEqual({ h1: ["10.1.0.0/24"], h2: ["10.1.0.0/24"] });
    expect(
      render(
        { tenantNetworks: "host", routers: { gr1: { table: 1201 } } },
        observedFacts({ gr1: router(1, { nat: [], vips: [] }, { down1: port("tenant1", ["10.1.0.1/24"], { hosts: ["10.1.0.5"] }) }) }),
      ).outputs!["announced"],
    ).toEqual({ h1: ["10.1.0.1/32", "10.1.0.5/32"] });
    const apart = observedFacts({ gr1: router(1), gr2: router(2, {}, { down2: port("tenant2", ["10.1.0.129/25"]) }) });
    expect(render({ ...SUBNETS, exclude: { networks: ["tenant2"] } }, apart).outputs!["announced"]).toEqual({ h1: ["10.1.0.0/24"] });
    // Floating IPs that are not announced may be on several routers.
    expect(() => render(SUBNETS, observedFacts({ gr1: router(1), gr2: router(2, { nat: ["172.18.0.51"] }) }))).not.toThrow();
  });
});
