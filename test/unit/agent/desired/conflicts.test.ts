import { desired } from "@pulumi-ovn/agent";
import { exposureOf } from "../../../support/agent-input";
import { ELSEWHERE, EXT, GATEWAY, HERE, TENANT, bound, gatewayPort, joined, localnet, problems, routes, snapshot } from "./snapshots";

const tenant = (network: string, mac: string, router = "router1") => joined(router, network, mac);
const subnets = (ports: Parameters<typeof snapshot>[0], more = {}) =>
  routes(snapshot([EXT, ...GATEWAY, ...ports], { tenantNetworks: "subnet", ...more }))
    .map((route) => route.split(" ")[0])
    .filter((route) => !["198.51.100.2/32", "2001:db8::2/128"].includes(route!));

test("neither of two tenant networks with one subnet announces it, and the problem names both", () => {
  const ports = [...TENANT, ...tenant("tenant2", "0a:00:00:00:02:02 10.1.0.1/24 10.2.0.1/24")];
  expect(subnets(ports)).toEqual(["10.2.0.0/24", "2001:db8:1::/64"]);
  expect(desired(snapshot([EXT, ...GATEWAY, ...ports], { tenantNetworks: "subnet" })).problems).toEqual([
    { code: "OVN_AGENT_OVERLAP", subject: "tenant1 and tenant2", message: "networks tenant1 and tenant2 both have 10.1.0.0/24: neither of them announces it" },
  ]);
  // If one of the networks is excluded, they do not conflict.
  expect(subnets(ports, { exclude: { networks: ["tenant2"], ports: [], labels: {} } })).toEqual(["10.1.0.0/24", "2001:db8:1::/64"]);
});

test("a subnet inside of another one at any depth is a conflict, also of another exposure and behind another router", () => {
  const wide = [
    ...tenant("wide", "0a:00:00:00:02:02 10.0.0.1/8"),
    ...tenant("middle", "0a:00:00:00:02:03 10.1.0.1/16"),
    ...tenant("narrow", "0a:00:00:00:02:04 10.1.2.1/24"),
    ...tenant("free", "0a:00:00:00:02:05 172.20.0.1/24"),
  ];
  expect(subnets(wide)).toEqual(["172.20.0.0/24"]);
  expect(problems(snapshot([EXT, ...GATEWAY, ...wide], { tenantNetworks: "subnet" }))).toEqual([
    "OVN_AGENT_OVERLAP middle and narrow",
    "OVN_AGENT_OVERLAP middle and wide",
    "OVN_AGENT_OVERLAP narrow and wide",
  ]);
  const second = [...gatewayPort("router2", "ext", "0a:00:00:00:05:01 198.51.100.3/24", HERE), ...tenant("other", "0a:00:00:00:05:02 10.1.0.1/24", "router2")];
  const two = {
    a: exposureOf({ tenantNetworks: "subnet", select: { networks: ["tenant1"], ports: [], labels: {} } }),
    b: exposureOf({ tenantNetworks: "subnet", select: { networks: ["other"], ports: [], labels: {} } }),
  };
  const setting = snapshot([EXT, ...GATEWAY, ...TENANT, ...second], two);
  expect(routes(setting)).not.toContainEqual(expect.stringContaining("10.1.0.0/24"));
  expect(problems(setting)).toEqual(["OVN_AGENT_OVERLAP other and tenant1"]);
});

test("networks with one subnet that announce single addresses conflict only in equal addresses", () => {
  const ports = [...TENANT, ...tenant("tenant2", "0a:00:00:00:02:02 10.1.0.1/24")];
  const vms = [bound("a", "tenant1", "0a:00:00:00:00:01 10.1.0.5"), bound("b", "tenant2", "0a:00:00:00:00:02 10.1.0.6")];
  expect(subnets([...ports, ...vms], { tenantNetworks: "host" })).toEqual(["10.1.0.5/32", "10.1.0.6/32"]);
  expect(subnets([...ports, ...vms, bound("c", "tenant2", "0a:00:00:00:00:03 10.1.0.5")], { tenantNetworks: "host" })).toEqual(["10.1.0.6/32"]);
});

test("only the tenant network yields in a conflict with a provider network", () => {
  const ports = [...tenant("tenant2", "0a:00:00:00:02:02 203.0.113.1/24"), bound("vm", "ext", "0a:00:00:00:00:09 203.0.113.9")];
  expect(subnets(ports, { providerPorts: true })).toEqual(["203.0.113.9/32"]);
  expect(desired(snapshot([EXT, ...GATEWAY, ...ports], { providerPorts: true, tenantNetworks: "subnet" })).problems[0]!.message).toBe(
    "networks ext and tenant2 both have 203.0.113.0/24: tenant2, a tenant network, does not announce it".replace("203.0.113.0/24", "203.0.113.9/32"),
  );
  expect(problems(snapshot([EXT, ...GATEWAY, ...ports], { providerPorts: true, tenantNetworks: "subnet" }))).toEqual(["OVN_AGENT_OVERLAP ext and tenant2"]);
});

test("an address of two networks is not a next hop, and routes through it are not announced", () => {
  const clash = [localnet("ln-vlan", "ext2", "physnet", 5), bound("vm", "ext2", "0a:00:00:00:00:09 198.51.100.2")];
  expect(routes(snapshot([EXT, ...GATEWAY, ...TENANT, ...clash], { providerPorts: true, tenantNetworks: "subnet" }))).toEqual([
    "2001:db8::2/128 br-ex",
    "2001:db8:1::/64 via 2001:db8::2 br-ex",
  ]);
});

test("parts of one network, one network behind two gateways, switches of one physical network, and neighbours do not conflict", () => {
  const parts = tenant("tenant2", "0a:00:00:00:02:02 10.2.0.1/16 10.2.1.1/24");
  expect(subnets(parts)).toEqual(["10.2.0.0/16", "10.2.1.0/24"]);
  const second = gatewayPort("router2", "ext", "0a:00:00:00:05:01 198.51.100.3/24", HERE);
  const shared = snapshot([EXT, ...GATEWAY, ...TENANT, ...second, ...joined("router2", "tenant1", "0a:00:00:00:05:02 10.1.0.254/24")], {
    tenantNetworks: "subnet",
  });
  expect(routes(shared).filter((route) => route.startsWith("10.1"))).toEqual(["10.1.0.0/24 via 198.51.100.2 br-ex"]);
  const switches = snapshot(
    [EXT, localnet("ln-vlan", "ext2", "physnet"), bound("a", "ext", "0a:00:00:00:00:09 198.51.100.9"), bound("b", "ext2", "0a:00:00:00:00:0a 198.51.100.9")],
    { providerPorts: true },
  );
  expect([routes(switches), problems(switches)]).toEqual([["198.51.100.9/32 br-ex"], []]);
  expect(subnets([...tenant("a", "0a:00:00:00:02:02 10.1.0.1/25"), ...tenant("b", "0a:00:00:00:02:03 10.1.0.129/25")])).toEqual([
    "10.1.0.0/25",
    "10.1.0.128/25",
  ]);
});

test("a hundred conflicting pairs are named, and the number of the others is reported", () => {
  const many = Array.from({ length: 60 }, (_, index) => tenant(`t${index}`, `0a:00:00:00:07:${index.toString(16).padStart(2, "0")} 10.1.0.1/24`)).flat();
  const found = desired(snapshot([EXT, ...GATEWAY, ...many], { tenantNetworks: "subnet" })).problems;
  expect(found).toHaveLength(101);
  expect(found.map(({ subject }) => subject)).toContain("more networks");
});

test("a tenant network of all addresses is not announced", () => {
  expect(subnets(tenant("tenant2", "0a:00:00:00:02:02 0.0.0.0/0"))).toEqual([]);
});

describe("other chassis of the zone", () => {
  const both = (more: object) => exposureOf({ chassis: ["h1", "h2"], ...more });
  /** As the agents of both chassis see it. */
  const views = (ports: Parameters<typeof snapshot>[0], exposures: Record<string, string>, more: Parameters<typeof snapshot>[2] = {}) =>
    (["h1", "h2"] as const).map((name) => {
      const [uuid, other] = name === "h1" ? [HERE, { [ELSEWHERE]: "h2" }] : [ELSEWHERE, { [HERE]: "h1" }];
      const seen = snapshot(ports, exposures, { ...more, chassis: { name, uuid }, otherChassis: other });
      return { routes: routes(seen).map((route) => route.split(" ")[0]!), problems: desired(seen).problems.map(({ code, message }) => `${code} ${message}`) };
    });
  const far = gatewayPort("router2", "ext", "0a:00:00:00:05:01 198.51.100.3/24", ELSEWHERE);

  test("neither of two tenant networks behind gateways of two chassis announces a common subnet, and each chassis names the other", () => {
    const rows = [EXT, ...GATEWAY, ...TENANT, ...far, ...tenant("other", "0a:00:00:00:05:02 10.1.0.129/25 10.9.0.1/24", "router2")];
    const [one, two] = views(rows, { all: both({ tenantNetworks: "subnet" }) });
    expect([one!.routes, two!.routes]).toEqual([
      ["198.51.100.2/32", "2001:db8::2/128", "2001:db8:1::/64"],
      ["10.9.0.0/24", "198.51.100.3/32"],
    ]);
    expect([one!.problems, two!.problems]).toEqual([
      ["OVN_AGENT_OVERLAP networks other (chassis h2) and tenant1 both have 10.1.0.128/25: neither of them announces it"],
      ["OVN_AGENT_OVERLAP networks other and tenant1 (chassis h1) both have 10.1.0.128/25: neither of them announces it"],
    ]);
    // A network behind two gateways counts once. A subnet that no exposure announces does not conflict.
    expect(
      views([EXT, ...GATEWAY, ...TENANT, ...far, ...tenant("tenant1", "0a:00:00:00:05:02 10.1.0.254/24", "router2")], {
        all: both({ tenantNetworks: "subnet" }),
      }).map(({ problems }) => problems),
    ).toEqual([[], []]);
    expect(views(rows, { all: exposureOf({ tenantNetworks: "subnet" }) })[0]!.routes).toContain("10.1.0.0/24");
    expect(views(rows, { all: both({ tenantNetworks: "subnet", exclude: { networks: ["other"], ports: [], labels: {} } }) })[0]!.routes).toContain(
      "10.1.0.0/24",
    );
    const apart = { all: exposureOf({ tenantNetworks: "subnet" }), far: exposureOf({ chassis: ["h2"], tenantNetworks: "host" }) };
    expect(views(rows, apart)[0]!.routes).toContain("10.1.0.0/24");
    expect(
      views([...rows, bound("vm", "other", "0a:00:00:00:05:05 10.1.0.200", { chassis: ELSEWHERE })], apart).map((view) =>
        view.routes.filter((route) => route.startsWith("10.1.")),
      ),
    ).toEqual([[], []]);
  });

  test.each([
    ["a workload", [bound("vm", "ext", "0a:00:00:00:00:09 10.1.0.9", { chassis: ELSEWHERE })], {}],
    ["a router", gatewayPort("router2", "ext", "0a:00:00:00:05:01 10.1.0.9/24", ELSEWHERE), {}],
    [
      "a floating IP, whose workload is not seen",
      joined("router2", "ext", "0a:00:00:00:05:01 198.51.100.3/24", { switch: { natAddresses: ['0a:00:00:00:05:21 10.1.0.9 is_chassis_resident("unseen")'] } }),
      {},
    ],
    [
      "a load balancer",
      [...gatewayPort("router2", "ext", "0a:00:00:00:05:01 10.1.0.3/24", ELSEWHERE)],
      { loadBalancers: [{ name: "lb", vips: { "10.1.0.9:80": "10.7.0.5:80" }, routersKnown: true, datapaths: ["dp-router2"] }] },
    ],
  ])("%s on a provider network elsewhere keeps its address, which a tenant network does not announce", (what, rows, more) => {
    const exposures = { all: both({ providerPorts: true, floatingIPs: true, loadBalancers: true, tenantNetworks: "subnet" }) };
    const [one, two] = views([EXT, ...GATEWAY, ...TENANT, ...rows], exposures, more);
    expect(one!.routes).not.toContain("10.1.0.0/24");
    expect(one!.problems).toContainEqual(
      expect.stringMatching(/^OVN_AGENT_OVERLAP networks ext.* and tenant1 both have 10\.1\.0\.\d\/32: tenant1, a tenant network, does not announce it$/),
    );
    expect(two!.problems).toEqual([]);
    if (!what.includes("not seen")) expect(two!.routes).toContain("10.1.0.9/32");
  });

  test("no workload announces an address of two provider networks, unless both are on one wire", () => {
    const rows = (tag: number | null) => [
      EXT,
      localnet("ln-vlan", "ext2", "physnet", tag),
      bound("a", "ext", "0a:00:00:00:00:09 198.51.100.9"),
      bound("b", "ext2", "0a:00:00:00:00:0a 198.51.100.9", { chassis: ELSEWHERE }),
    ];
    const exposures = { all: both({ providerPorts: true }) };
    expect(views(rows(5), exposures).map((view) => view.routes)).toEqual([[], []]);
    expect(views(rows(null), exposures).map((view) => view.routes)).toEqual([["198.51.100.9/32"], ["198.51.100.9/32"]]);
  });
});
