import {
  addressesOf,
  failuresIn,
  groupsOf,
  type IpStep,
  listOf,
  type LiveKernel,
  neighborOf,
  planKernel,
  proxyOf,
  routeOf,
  ruleOf,
  scopeOf,
  type Step,
} from "@pulumi-ovn/agent/testing";
import { type HostState, NOTHING } from "@pulumi-ovn/provider/agent";

describe("output of ip(8)", () => {
  test("contains routes: hosts without length, defaults, owners, tables, and routes of other types", () => {
    const rows = listOf(
      '[{"dst":"10.1.0.7","gateway":"198.51.100.2","dev":"br-ex","protocol":"87","flags":["onlink"]},{"dst":"default","dev":"br-ex","table":"1087","protocol":"3","metric":7,"flags":[]},{"type":"6","dst":"9.9.9.0/24","flags":[]},{"dst":"9.9.9.8","flags":[],"nexthops":[{"dev":"a"},{"dev":"b"}]},{"dst":"9.9.9.7","via":{"family":"inet6","host":"fe80::1"},"dev":"a","flags":[]}]',
    );
    expect(rows.map((row) => routeOf(4, row, undefined))).toEqual([
      { table: 254, destination: "10.1.0.7/32", device: "br-ex", via: "198.51.100.2", metric: null, plain: true, own: true },
      { table: 1087, destination: "0.0.0.0/0", device: "br-ex", via: null, metric: 7, plain: true, own: false },
      { table: 254, destination: "9.9.9.0/24", device: "", via: null, metric: null, plain: false, own: false },
      { table: 254, destination: "9.9.9.8/32", device: "", via: null, metric: null, plain: false, own: false },
      { table: 254, destination: "9.9.9.7/32", device: "a", via: null, metric: null, plain: false, own: false },
    ]);
    expect(routeOf(6, { dst: "default", dev: "x", metric: 1024 }, 5)).toEqual({
      table: 5,
      destination: "::/0",
      device: "x",
      via: null,
      metric: 1024,
      plain: true,
      own: false,
    });
    expect(routeOf(6, { dst: "2001:db8::5", dev: "x" }, 5).destination).toBe("2001:db8::5/128");
  });

  test("may lack a table, which older releases report as an error", () => {
    expect([listOf("["), listOf("[]"), listOf(undefined)]).toEqual([[], [], []]);
  });

  test("contains rules, their owner, and whether they apply to all packets", () => {
    expect(ruleOf(4, { priority: 32000, src: "all", table: "1087", protocol: "87" })).toEqual({
      family: 4,
      priority: 32000,
      table: 1087,
      plain: true,
      own: true,
    });
    expect(ruleOf(6, { priority: 32000, src: "all", table: "1087" })).toEqual({ family: 6, priority: 32000, table: 1087, plain: true, own: false });
    expect(ruleOf(4, { priority: 5, src: "10.0.0.0", srclen: 8, table: "7" }).plain).toBe(false);
    expect(ruleOf(4, { priority: 5, src: "all", iif: "eth0", table: "7" }).plain).toBe(false);
  });

  test("contains addresses with the owner, or the length of a host without owners, neighbours and proxies", () => {
    const row = {
      ifname: "br-ex",
      addr_info: [
        {},
        { local: "169.254.1.1", prefixlen: 32, protocol: "0x57" },
        { local: "169.254.169.1", prefixlen: 29 },
        { local: "fd53:d91e:400:7f17::1:1", prefixlen: 128 },
      ],
    };
    const own = (owners: boolean) => addressesOf(row, owners).map(({ device, address, own: its }) => [device, address, its]);
    expect(own(true)).toEqual([
      ["br-ex", "169.254.1.1/32", true],
      ["br-ex", "169.254.169.1/29", false],
      ["br-ex", "fd53:d91e:400:7f17::1:1/128", false],
    ]);
    expect(own(false)).toEqual([
      ["br-ex", "169.254.1.1/32", true],
      ["br-ex", "169.254.169.1/29", false],
      ["br-ex", "fd53:d91e:400:7f17::1:1/128", true],
    ]);
    expect(neighborOf({ dst: "198.51.100.2", dev: "br-ex", lladdr: "0a:00:00:00:00:01", state: ["PERMANENT"], protocol: "87" })).toEqual({
      device: "br-ex",
      address: "198.51.100.2",
      mac: "0a:00:00:00:00:01",
      own: true,
    });
    expect(proxyOf({ dst: "2001:db8::1", dev: "br-ex", proxy: null })).toEqual({ device: "br-ex", address: "2001:db8::1", own: false });
  });

  test("contains the kernel's errors, by line", () => {
    expect(
      failuresIn("RTNETLINK answers: File exists\nCommand failed -:2\nError: Nexthop device is not up.\nCommand failed -:5\nCommand failed -:6\n"),
    ).toEqual([
      { line: 2, words: "File exists" },
      { line: 5, words: "Nexthop device is not up." },
      { line: 6, words: "refused" },
    ]);
    expect(failuresIn("")).toEqual([]);
  });
});

const empty: LiveKernel = {
  vrfs: [],
  links: { "br-ex": { up: false, index: 6 } },
  sysctls: { "ipv6/conf/all/forwarding": "1" },
  addressOwners: true,
  dependents: {},
  addresses: [],
  routes: [],
  rules: [],
  neighbors: [],
  proxies: [],
  connected: [],
};
const desired: HostState = {
  ...NOTHING,
  devices: ["br-ex"],
  addresses: [
    { device: "br-ex", address: "169.254.1.1/32" },
    { device: "br-ex", address: "fd53:d91e:400:7f17::1:1/128" },
  ],
  routes: [
    { table: 1087, destination: "198.51.100.5/32", device: "br-ex", via: null },
    { table: 1087, destination: "10.1.0.9/24", device: "br-ex", via: "198.51.100.2" },
    { table: 1087, destination: "2001:DB8:0::5/128", device: "br-ex", via: null },
    { table: 1087, destination: "2001:db8:1::/64", device: "br-ex", via: "2001:db8::2" },
  ],
  rules: [
    { family: 4, priority: 32000, table: 1087 },
    { family: 6, priority: 32000, table: 1087 },
  ],
  neighbors: [{ device: "br-ex", address: "198.51.100.2", mac: "0a:00:00:00:00:01" }],
  proxies: [{ device: "br-ex", address: "2001:db8::1" }],
  bgp: { asNumber: 64513, routerId: null, table: 1087 },
};

/** All of a plan's lines. */
function lines(wanted: HostState, live: LiveKernel) {
  const { links, sysctls, problems, shared: _shared, removals: _gone, vrf: _vrf, ...changes } = planKernel(wanted, live, new Set(), ["br-ex"]);
  const text = ({ family, line }: IpStep) => `${family} ${line}`;
  return {
    links: links.map(text),
    sysctls: sysctls.map(({ path, value }) => `${path}=${value}`),
    made: Object.values(changes).flatMap(({ made }) => made.map(text)),
    removed: Object.values(changes).flatMap(({ removed }) => removed.map(text)),
    problems: problems.map(({ code, subject }) => `${code} ${subject}`),
  };
}

/** The desired state, as the kernel has it. */
const there: LiveKernel = {
  ...empty,
  links: { "br-ex": { up: true, index: 6 } },
  sysctls: {
    "ipv6/conf/all/forwarding": "1",
    "ipv4/conf/br-ex/forwarding": "1",
    "ipv4/conf/br-ex/proxy_arp": "1",
    "ipv6/conf/br-ex/forwarding": "1",
    "ipv6/conf/br-ex/proxy_ndp": "1",
    "ipv4/neigh/br-ex/proxy_delay": "0",
    "ipv6/neigh/br-ex/proxy_delay": "0",
  },
  addresses: desired.addresses.map((address) => ({ ...address, own: true })),
  routes: [
    ["198.51.100.5/32", null, null],
    ["10.1.0.0/24", "198.51.100.2", null],
    ["2001:db8::5/128", null, 1024],
    ["2001:db8:1::/64", "2001:db8::2", 1024],
  ].map(([destination, via, metric]) => ({
    table: 1087,
    destination: destination as string,
    via: via as string | null,
    metric: metric as number | null,
    device: "br-ex",
    plain: true,
    own: true,
  })),
  rules: [{ family: 4, priority: 0, table: 255, plain: true, own: false }, ...desired.rules.map((rule) => ({ ...rule, plain: true, own: true }))],
  neighbors: desired.neighbors.map((neighbor) => ({ ...neighbor, own: true })),
  proxies: desired.proxies.map((proxy) => ({ ...proxy, own: true })),
};

describe("the plan for the kernel", () => {
  test("adds all objects, with their owner", () => {
    expect(lines(desired, empty)).toEqual({
      links: ["4 link set dev br-ex up"],
      sysctls: [
        "ipv4/conf/br-ex/forwarding=1",
        "ipv4/conf/br-ex/proxy_arp=1",
        "ipv4/neigh/br-ex/proxy_delay=0",
        "ipv6/conf/br-ex/forwarding=1",
        "ipv6/conf/br-ex/proxy_ndp=1",
        "ipv6/neigh/br-ex/proxy_delay=0",
      ],
      made: [
        "4 address add 169.254.1.1/32 dev br-ex proto 87",
        "6 address add fd53:d91e:400:7f17::1:1/128 dev br-ex proto 87 nodad",
        "4 neighbour replace 198.51.100.2 lladdr 0a:00:00:00:00:01 dev br-ex nud permanent protocol 87",
        "6 neighbour add proxy 2001:db8::1 dev br-ex protocol 87",
        "4 rule add priority 32000 lookup 1087 protocol 87",
        "6 rule add priority 32000 lookup 1087 protocol 87",
        "4 route add 198.51.100.5/32 dev br-ex scope link table 1087 protocol 87",
        "4 route add 10.1.0.0/24 via 198.51.100.2 dev br-ex onlink table 1087 protocol 87",
        "6 route add 2001:db8::5/128 dev br-ex table 1087 protocol 87",
        "6 route add 2001:db8:1::/64 via 2001:db8::2 dev br-ex onlink table 1087 protocol 87",
      ],
      removed: [],
      problems: [],
    });
  });

  const nothing = { links: [], sysctls: [], made: [], removed: [], problems: [] };

  test("is empty if all objects exist", () => {
    expect(lines(desired, there)).toEqual(nothing);
  });

  test("removes all objects, and leaves devices up and their settings unchanged", () => {
    expect(lines(NOTHING, there)).toEqual({
      ...nothing,
      removed: [
        "4 address del 169.254.1.1/32 dev br-ex",
        "6 address del fd53:d91e:400:7f17::1:1/128 dev br-ex",
        "4 neighbour del 198.51.100.2 dev br-ex",
        "6 neighbour del proxy 2001:db8::1 dev br-ex",
        "4 rule del priority 32000 lookup 1087 protocol 87",
        "6 rule del priority 32000 lookup 1087 protocol 87",
        "4 route del 198.51.100.5/32 dev br-ex scope link table 1087 protocol 87",
        "4 route del 10.1.0.0/24 via 198.51.100.2 dev br-ex onlink table 1087 protocol 87",
        "6 route del 2001:db8::5/128 dev br-ex table 1087 metric 1024 protocol 87",
        "6 route del 2001:db8:1::/64 via 2001:db8::2 dev br-ex onlink table 1087 metric 1024 protocol 87",
      ],
    });
  });

  test("replaces a route with another path, and a neighbour with another MAC; removes further routes to the destination", () => {
    const [first, second, third, ...rest] = there.routes;
    const live = {
      ...there,
      routes: [first!, { ...second!, via: null }, third!, ...rest, { ...first!, metric: 5 }, { ...third!, metric: 9, plain: false }],
      neighbors: [{ ...there.neighbors[0]!, mac: "0a:00:00:00:00:02" }],
    };
    expect(lines(desired, live)).toEqual({
      ...nothing,
      made: [
        "4 neighbour replace 198.51.100.2 lladdr 0a:00:00:00:00:01 dev br-ex nud permanent protocol 87",
        "4 route replace 10.1.0.0/24 via 198.51.100.2 dev br-ex onlink table 1087 protocol 87",
      ],
      removed: [
        "4 route del 198.51.100.5/32 dev br-ex scope link table 1087 metric 5 protocol 87",
        "6 route del 2001:db8::5/128 table 1087 metric 9 protocol 87",
      ],
    });
  });

  test("leaves objects of others with the same key, and names them", () => {
    const others = <T extends { own: boolean }>(list: readonly T[]): T[] => list.map((item) => ({ ...item, own: false }));
    const live: LiveKernel = {
      ...there,
      routes: [
        ...others(there.routes).map((route) => ({ ...route, via: "192.0.2.9" })),
        { ...there.routes[0]!, destination: "192.0.2.0/24", own: false },
        { ...there.routes[0]!, table: 5, own: false },
      ],
      rules: [
        { family: 4, priority: 32000, table: 7, plain: true, own: false },
        { family: 6, priority: 32000, table: 1087, plain: true, own: false },
      ],
      addresses: [
        { device: "br-two", address: "169.254.1.1/32", own: false },
        { device: "br-ex", address: "fd53:d91e:400:7f17::1:1/128", own: false },
      ],
      neighbors: others(there.neighbors).map((neighbor) => ({ ...neighbor, mac: "0a:00:00:00:00:99" })),
      proxies: others(there.proxies),
    };
    expect(lines(desired, live)).toEqual({
      ...nothing,
      made: ["4 rule add priority 32000 lookup 1087 protocol 87"],
      problems: [
        "OVN_AGENT_TAKEN address 169.254.1.1/32 of br-ex",
        "OVN_AGENT_TAKEN neighbour 198.51.100.2 of br-ex",
        "OVN_AGENT_TAKEN IPv4 rule 32000",
        "OVN_AGENT_TAKEN route 198.51.100.5/32 of table 1087",
        "OVN_AGENT_TAKEN route 10.1.0.9/24 of table 1087",
        "OVN_AGENT_TAKEN route 2001:DB8:0::5/128 of table 1087",
        "OVN_AGENT_TAKEN route 2001:db8:1::/64 of table 1087",
        "OVN_AGENT_FOREIGN_ROUTE route 192.0.2.0/24 of table 1087",
      ],
    });
    expect(lines(NOTHING, live)).toEqual(nothing);
  });

  test("changes nothing on a missing device, and reports it once; nor while the kernel forwards no IPv6", () => {
    const plan = lines(desired, { ...empty, links: {}, sysctls: { "ipv6/conf/all/forwarding": "0" } });
    expect(plan).toEqual({
      ...nothing,
      made: ["4 rule add priority 32000 lookup 1087 protocol 87", "6 rule add priority 32000 lookup 1087 protocol 87"],
      problems: ["OVN_AGENT_DEVICE br-ex", "OVN_AGENT_FORWARDING net.ipv6.conf.all.forwarding"],
    });
    expect(planKernel(desired, { ...empty, links: {} }, new Set(["br-ex"]), []).problems).toEqual([]);
  });

  test("omits and names routes to a tenant network that contains addresses of the host's own networks; routes of a provider network, or of the same device, stay", () => {
    const connected = [
      { device: "eth0", destination: "10.1.0.128/25" },
      { device: "br-ex", destination: "2001:db8:1::/64" },
      { device: "eth0", destination: "198.51.100.0/24" },
    ];
    const plan = lines(desired, { ...there, connected });
    expect(plan).toEqual({
      ...nothing,
      removed: ["4 route del 10.1.0.0/24 via 198.51.100.2 dev br-ex onlink table 1087 metric 0 protocol 87"].map((line) =>
        expect.stringMatching(line.split(" dev ")[0]!),
      ),
      problems: ["OVN_AGENT_HOST_NETWORK 10.1.0.9/24"],
    });
  });

  test("reports many foreign routes in the table as one problem", () => {
    const others = [0, 1, 2].map((index) => ({ ...there.routes[0]!, destination: `192.0.${index}.0/24`, own: false }));
    const plan = planKernel(desired, { ...there, routes: [...there.routes, ...others] }, new Set(), ["br-ex"]);
    expect(plan.problems).toEqual([
      {
        code: "OVN_AGENT_FOREIGN_ROUTE",
        subject: "route 192.0.0.0/24 of table 1087",
        message: "route 192.0.0.0/24 of table 1087 and 2 more are not the agent's, and FRR would announce all of the table: take another one",
      },
    ]);
    expect(plan.shared).toEqual(new Set([1087]));
  });

  test("continues without IPv6 if the kernel has none", () => {
    const plan = lines(desired, { ...empty, ipv4Only: true });
    expect([...plan.made, ...plan.links, ...plan.sysctls].filter((line) => line.startsWith("6") || line.includes("ipv6"))).toEqual([]);
    expect(plan.made).toContain("4 rule add priority 32000 lookup 1087 protocol 87");
    expect(plan.problems).toEqual(["OVN_AGENT_FORWARDING IPv6"]);
  });

  test("changes settings of IPv6 only on devices with IPv6 routes", () => {
    const four = { ...desired, routes: desired.routes.slice(0, 2), addresses: desired.addresses.slice(0, 1) };
    expect(planKernel(four, empty, new Set(), []).sysctls.map(({ path }) => path)).toEqual([
      "ipv4/conf/br-ex/forwarding",
      "ipv4/conf/br-ex/proxy_arp",
      "ipv4/neigh/br-ex/proxy_delay",
    ]);
  });

  test("keeps the last IPv4 address of a device while routes of others need it", () => {
    const live = {
      ...there,
      addresses: [...there.addresses, { device: "br-ex", address: "169.254.2.2/32", own: true }],
      dependents: { "br-ex": ["192.0.2.0/24", "192.0.3.0/24"] },
    };
    const plan = lines(NOTHING, live);
    expect(plan.removed.filter((line) => line.includes("address"))).toEqual([
      "6 address del fd53:d91e:400:7f17::1:1/128 dev br-ex",
      "4 address del 169.254.2.2/32 dev br-ex",
    ]);
    expect(plan.problems).toEqual(["OVN_AGENT_ADDRESS_HELD address 169.254.1.1/32 of br-ex"]);
  });

  test("treats addresses without owners as the agent's on bridges only: a node's DNS cache also has one", () => {
    const cache = { device: "nodelocaldns", address: "169.254.20.10/32", own: true };
    const live = { ...there, addressOwners: false, addresses: [...there.addresses, cache] };
    expect(lines(desired, live)).toEqual(nothing);
    expect(lines(NOTHING, live).removed.filter((line) => line.includes("169"))).toEqual(["4 address del 169.254.1.1/32 dev br-ex"]);
    expect(lines({ ...desired, addresses: [{ device: "br-ex", address: "169.254.20.10/32" }] }, live).problems).toEqual([
      "OVN_AGENT_TAKEN address 169.254.20.10/32 of br-ex",
    ]);
    expect(lines(desired, { ...empty, addressOwners: false }).made[0]).toBe("4 address add 169.254.1.1/32 dev br-ex");
  });
});

test("a round reads each device and table of the state once", () => {
  expect(scopeOf({ ...desired, taggedPorts: [{ name: "br-ex.7", bridge: "br-ex", tag: 7, mac: "0a:00:00:00:00:01" }] }, false)).toEqual({
    devices: ["br-ex", "br-ex.7"],
    tables: [1087],
    everywhere: false,
  });
  expect(scopeOf(NOTHING, true)).toEqual({ devices: [], tables: [], everywhere: true });
});

test("consecutive steps of one family share a run, also across steps of the other family; the order within a family stays", () => {
  const ip = (family: 4 | 6, line: string): Step => ({ kind: "ip", family, line, subject: "" });
  const flows: Step = { kind: "flows", bridge: "b", bundle: [] };
  const sysctl: Step = { kind: "sysctl", path: "p", value: "1" };
  const groups = groupsOf([ip(4, "a"), sysctl, sysctl, ip(4, "b"), ip(6, "c"), ip(4, "d"), ip(6, "e"), flows, flows, ip(6, "f"), ip(4, "g"), ip(6, "h")]);
  expect(groups.map((group) => group.map((step) => (step.kind === "ip" ? step.line : step.kind)).join(" "))).toEqual([
    "a",
    "sysctl sysctl",
    "b d",
    "c e",
    "flows",
    "flows",
    "f h",
    "g",
  ]);
});
