import { ClaimBook, expandVpc, type VpcArgs } from "@pulumi-ovn/provider";
import { routerMac } from "@pulumi-ovn/provider/testing";
import { changed, SAMPLE } from "./sample";

test("bridges on every host of the VPC, logical routers on all of them but the virtual router's", () => {
  const plan = expandVpc(SAMPLE);
  expect(plan.hosts).toEqual(["h1", "h2", "h3"]);
  expect(plan.tierHosts).toEqual({ db: ["h2", "h3"], web: ["h1", "h3"] });
  expect(plan.bridgeNames).toEqual({ db: "br-t1002", web: "br-t1001" });
  const common = { vpc: "blue", tiers: { db: 1002, web: 1001 }, tunnelType: "gre", bfd: true, datapathType: "system" };
  expect(plan.bridges).toEqual({
    h1: { ...common, host: "h1", tunnelAddress: "192.0.2.1", remotes: { h2: "192.0.2.2", h3: "192.0.2.3" }, ports: { tap1: "web" } },
    h2: { ...common, host: "h2", tunnelAddress: "192.0.2.2", remotes: { h1: "192.0.2.1", h3: "192.0.2.3" }, ports: {} },
    h3: { ...common, host: "h3", tunnelAddress: "192.0.2.3", remotes: { h1: "192.0.2.1", h2: "192.0.2.2" }, ports: { "vr-web": "web" } },
  });
  const router = {
    vpc: "blue",
    tiers: {
      db: { key: 1002, cidrs: ["10.1.2.0/24"], gatewayMac: "0a:58:0a:01:02:01", acl: "default_allow" },
      web: { key: 1001, cidrs: ["10.1.1.0/24", "fd01:1::/64"], gatewayMac: "0a:58:0a:01:01:01", acl: "web" },
    },
    // d3 is on the host of the virtual router, which must see both directions.
    workloads: {
      d2: { tier: "db", mac: "0a:00:00:00:02:02", addresses: ["10.1.2.12"] },
      w1: { tier: "web", mac: "0a:00:00:00:01:01", addresses: ["10.1.1.11", "fd01:1::11"] },
    },
    acls: { web: SAMPLE.acls!["web"] },
    enabled: true,
    datapathType: "system",
  };
  expect(plan.routers).toEqual({
    h1: { host: "h1", mac: routerMac("blue", "h1"), remotes: ["h2", "h3"], ...router },
    h2: { host: "h2", mac: routerMac("blue", "h2"), remotes: ["h1", "h3"], ...router },
  });
});

test("BFD: on all tunnels, or on none; logical routers need its state only with an agent", () => {
  const of = (change: Partial<VpcArgs>) => {
    const { bridges, routers } = expandVpc({ ...SAMPLE, ...change });
    return [bridges["h1"]!.bfd, routers["h1"]!.bfd];
  };
  expect([of({}), of({ bfd: false }), of({ agent: true }), of({ agent: true, bfd: false })]).toEqual([
    [true, undefined],
    [undefined, undefined],
    [true, true],
    [undefined, undefined],
  ]);
});

test("enabled: on all hosts, on none, or on those that a map does not disable", () => {
  const of = (enabled: boolean | Record<string, boolean>) =>
    Object.entries(expandVpc(changed((vpc) => (vpc.enabled = enabled))).routers).map(([host, router]) => [host, router.enabled]);
  expect(of(false)).toEqual([
    ["h1", false],
    ["h2", false],
  ]);
  // h3 has the virtual router today, h4 nothing of the VPC.
  expect(of({ h2: false, h3: false, h4: true })).toEqual([
    ["h1", true],
    ["h2", false],
  ]);
});

test("port security: of the VPC, except for workloads with a setting of their own", () => {
  const of = (change: (vpc: typeof SAMPLE) => void) => Object.values(expandVpc(changed(change)).bridges).map(({ portSecurity }) => portSecurity);
  const w1 = { tap1: { mac: "0a:00:00:00:01:01", addresses: ["10.1.1.11", "fd01:1::11"] } };
  const ports = (vpc: typeof SAMPLE) => ((vpc.workloads!["d2"]!.port = "tap2"), (vpc.workloads!["d3"]!.port = "tap1"));
  const [d2, d3] = ["02", "03"].map((last) => ({ mac: `0a:00:00:00:02:${last}`, addresses: [`10.1.2.1${Number(last)}`] }));
  expect(of((vpc) => (ports(vpc), (vpc.portSecurity = true)))).toEqual([w1, { tap2: d2 }, { tap1: d3 }]);
  expect(of((vpc) => (ports(vpc), (vpc.portSecurity = true), (vpc.workloads!["d2"]!.portSecurity = false)))).toEqual([w1, undefined, { tap1: d3 }]);
  expect(of((vpc) => (vpc.workloads!["w1"]!.portSecurity = true))).toEqual([w1, undefined, undefined]);
  expect(of(ports)).toEqual([undefined, undefined, undefined]);
  // The virtual router sends for all.
  expect(expandVpc(changed((vpc) => (ports(vpc), (vpc.portSecurity = true)))).bridges["h3"]!.ports).toEqual({ tap1: "db", "vr-web": "web" });
});

test("workloads with their hosts, in a fixed order, for readers of the state", () => {
  const { places } = expandVpc(SAMPLE);
  expect(places.tiers).toEqual({
    db: { key: 1002, cidrs: ["10.1.2.0/24"], gateways: ["10.1.2.1"], gatewayMac: "0a:58:0a:01:02:01", acl: "default_allow" },
    web: { key: 1001, cidrs: ["10.1.1.0/24", "fd01:1::/64"], gateways: ["10.1.1.1", "fd01:1::1"], gatewayMac: "0a:58:0a:01:01:01", acl: "web" },
  });
  expect([Object.keys(places.workloads), places.workloads["w1"], places.virtualRouter]).toEqual([
    ["d2", "d3", "w1"],
    SAMPLE.workloads!["w1"],
    { host: "h3", ports: { web: "vr-web" } },
  ]);
});

test("a moved virtual router: logical routers exchange their hosts with it, bridges of hosts stay unchanged", () => {
  const [before, after] = [
    expandVpc(
      changed((vpc) => {
        vpc.virtualRouter = { host: "h3" };
      }),
    ),
    expandVpc(
      changed((vpc) => {
        vpc.virtualRouter = { host: "h1" };
      }),
    ),
  ];
  expect([Object.keys(before.routers), Object.keys(after.routers)]).toEqual([
    ["h1", "h2"],
    ["h2", "h3"],
  ]);
  expect(after.bridges).toEqual(before.bridges);
});

test("without its last workload a host is not part of the VPC, except the virtual router's", () => {
  const plan = expandVpc(
    changed((vpc) => {
      delete vpc.workloads!["w1"];
      delete vpc.workloads!["d3"];
    }),
  );
  expect([plan.hosts, Object.keys(plan.bridges["h2"]!.remotes), Object.keys(plan.routers)]).toEqual([["h2", "h3"], ["h3"], ["h2"]]);
});

test("the order of arguments has no effect", () => {
  const backwards = (value: unknown): unknown =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(
          Object.entries(value)
            .reverse()
            .map(([key, inner]) => [key, backwards(inner)]),
        )
      : value;
  expect(JSON.stringify(expandVpc(backwards(SAMPLE) as VpcArgs))).toBe(
    JSON.stringify(expandVpc(changed(() => undefined))).replace(
      JSON.stringify(SAMPLE.acls!["web"]),
      JSON.stringify((backwards(SAMPLE) as VpcArgs).acls!["web"]),
    ),
  );
});

test("an unused list is on no logical router; stateful VPCs have a conntrack zone", () => {
  const plan = expandVpc(
    changed((vpc) => {
      vpc.acls!["spare"] = [];
      vpc.stateful = true;
      vpc.conntrackZone = 77;
    }),
  );
  expect(Object.keys(plan.routers["h1"]!.acls!)).toEqual(["web"]);
  expect(plan.routers["h1"]!.conntrackZone).toBe(77);
  expect(
    expandVpc(
      changed((vpc) => {
        vpc.stateful = true;
      }),
    ).routers["h1"]!.conntrackZone,
  ).toBe(20_534);
});

/** Failures of a second VPC of a program. */
function conflicts(second: VpcArgs, first = SAMPLE): [string, string, string][] {
  const book = new ClaimBook();
  const entered = [
    ["one", first],
    ["two", second],
  ] as const;
  const [, failures] = entered.map(([name, args]) => {
    const { hosts, claims } = expandVpc(args);
    return book.enter({ name: `Vpc "${name}"`, zones: new Set(hosts) }, claims);
  });
  return failures!.map(({ path, code, message }) => [path, code, message]);
}

const green = (change: (vpc: VpcArgs) => void): VpcArgs =>
  changed((vpc) => {
    vpc.name = "green";
    vpc.tiers["web"]!.key = 2001;
    vpc.tiers["db"]!.key = 2002;
    vpc.workloads!["w1"]!.port = "tap2";
    vpc.virtualRouter.ports = {};
    change(vpc);
  });

test.each<[string, (vpc: VpcArgs) => void, [string, string, string][]]>([
  ["another name, keys and interfaces", () => undefined, []],
  [
    "an equal key",
    (vpc) => {
      vpc.tiers["db"]!.key = 1001;
    },
    [["tiers.db.key", "duplicate", 'tunnel key 1001 is already used by tier "web" of Vpc "one"']],
  ],
  [
    "an equal name",
    (vpc) => {
      vpc.name = "blue";
    },
    [["name", "duplicate", 'the name blue of a VPC is already used by the VPC of Vpc "one"']],
  ],
  [
    "an interface of the other one",
    (vpc) => {
      vpc.workloads!["w1"]!.port = "tap1";
    },
    [["workloads.w1.port", "duplicate", 'interface tap1 of host "h1" is already used by workload "w1" of Vpc "one"']],
  ],
  [
    "interfaces with names of the other one's own",
    (vpc) => {
      vpc.workloads!["w1"]!.port = "br-t1002";
      vpc.workloads!["d2"]!.port = "t1001-h3";
      vpc.workloads!["d3"]!.port = "pr1001";
      vpc.virtualRouter.ports = { db: "lr-blue" };
    },
    [
      ["virtualRouter.ports.db", "duplicate", 'name lr-blue is already used by the bridge of the logical router of Vpc "one"'],
      ["workloads.d2.port", "duplicate", 'name t1001-h3 is already used by the tunnel of tier "web" to host "h3" of Vpc "one"'],
      ["workloads.d3.port", "duplicate", 'name pr1001 is already used by a patch port of tier "web" of Vpc "one"'],
      ["workloads.w1.port", "duplicate", 'name br-t1002 is already used by the bridge of tier "db" of Vpc "one"'],
    ],
  ],
  [
    "interfaces with names of the other one's own on hosts that do not have them, and one that does",
    (vpc) => {
      vpc.workloads!["w1"]!.port = "t1001-h1";
      vpc.workloads!["d2"] = { ...vpc.workloads!["d2"]!, host: "h4", port: "br-t1001" };
      vpc.workloads!["d3"]!.port = "br-t1001";
    },
    [["workloads.d3.port", "duplicate", 'name br-t1001 is already used by the bridge of tier "web" of Vpc "one"']],
  ],
  [
    "all of them on other hosts",
    (vpc) => {
      vpc.name = "blue";
      vpc.tiers["db"]!.key = 1001;
      vpc.workloads = {};
      vpc.virtualRouter = { host: "h4" };
    },
    [],
  ],
])("two VPCs over the same hosts with %s", (_what, change, expected) => {
  expect(conflicts(green(change))).toEqual(expected);
});

test("a VPC whose interfaces have the names of an earlier one, on at least one common host", () => {
  const first = changed((vpc) => {
    vpc.workloads!["w1"]!.port = "lr-green";
    vpc.workloads!["d2"]!.port = "t2002-h1";
    // The first one of these counts nowhere.
    vpc.workloads!["d0"] = { ...vpc.workloads!["w1"]!, tier: "db", host: "h4", mac: "0a:00:00:00:02:04", addresses: ["10.1.2.14"], port: "br-t2001" };
    vpc.workloads!["d3"]!.port = "br-t2001";
  });
  expect(
    conflicts(
      green(() => undefined),
      first,
    ),
  ).toEqual([
    ["name", "duplicate", 'name lr-green is already used by workload "w1" of Vpc "one"'],
    ["tiers.db.key", "duplicate", 'name t2002-h1 is already used by workload "d2" of Vpc "one"'],
    ["tiers.web.key", "duplicate", 'name br-t2001 is already used by workload "d3" of Vpc "one"'],
  ]);
});

test("two stateful VPCs with one conntrack zone", () => {
  const book = new ClaimBook();
  const claims = ["one", "two"].map((name, index) => {
    const args =
      index === 0
        ? changed((vpc) => {
            vpc.stateful = true;
            vpc.conntrackZone = 5;
          })
        : green((vpc) => {
            vpc.stateful = true;
            vpc.conntrackZone = 5;
          });
    return book.enter({ name: `Vpc "${name}"`, zones: new Set(["h1"]) }, expandVpc(args).claims);
  });
  expect(claims[1]).toEqual([{ path: "conntrackZone", code: "duplicate", message: 'conntrack zone 5 is already used by the logical router of Vpc "one"' }]);
});

test("100 hosts and 10 tiers are planned", () => {
  const numbers = Array.from({ length: 100 }, (_, n) => n + 1);
  const tiers = Array.from({ length: 10 }, (_, n) => n + 1);
  const plan = expandVpc({
    name: "wide",
    hosts: Object.fromEntries(numbers.map((n) => [`h${n}`, { tunnelAddress: `192.0.2.${n}` }])),
    tiers: Object.fromEntries(tiers.map((t) => [`t${t}`, { cidrs: [`10.1.${t}.0/24`], gateways: [`10.1.${t}.1`], key: t }])),
    workloads: Object.fromEntries(
      numbers.flatMap((n) =>
        tiers.map((t) => [
          `w${n}-${t}`,
          {
            tier: `t${t}`,
            host: `h${n}`,
            mac: `0a:00:00:00:${t.toString(16).padStart(2, "0")}:${n.toString(16).padStart(2, "0")}`,
            addresses: [`10.1.${t}.${n + 100}`],
          },
        ]),
      ),
    ),
    virtualRouter: { host: "h1" },
  });
  expect([Object.keys(plan.bridges).length, Object.keys(plan.routers).length, Object.keys(plan.routers["h2"]!.workloads!).length]).toEqual([100, 99, 990]);
});
