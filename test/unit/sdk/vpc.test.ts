import * as pulumi from "@pulumi/pulumi";
import { hostsOfTier, hostsOfVpc, Vpc, type VpcArgs, vpcsOfHost } from "pulumi-ovn";
import { refusalOf, registeredBy } from "../../support/program";
import { changed, SAMPLE } from "../vpc/sample";

/** The error text for arguments. Undefined if the VPC is registered. */
async function refused(args: VpcArgs): Promise<string | undefined> {
  const { text, made } = await refusalOf(() => void new Vpc("blue", args));
  expect(made.some(({ kind }) => kind === "VpcBridges")).toBe(text === undefined);
  return text;
}

test("registers bridges on every host of the VPC, and logical routers on all but the virtual router's", async () => {
  let vpc!: Vpc;
  const made = await registeredBy(() => {
    vpc = new Vpc("blue", SAMPLE);
  });
  expect(made.map(({ kind, name }) => `${kind} ${name}`).filter((text) => !text.startsWith("Vpc "))).toEqual([
    "VpcBridges blue-bridges-h1",
    "VpcBridges blue-bridges-h2",
    "VpcBridges blue-bridges-h3",
    "LogicalRouterBridge blue-router-h1",
    "LogicalRouterBridge blue-router-h2",
  ]);
  expect([vpc.hosts, vpc.tierHosts, vpc.bridges]).toEqual([["h1", "h2", "h3"], { db: ["h2", "h3"], web: ["h1", "h3"] }, { db: "br-t1002", web: "br-t1001" }]);
  expect([Object.keys(vpc.switches), Object.keys(vpc.routers)]).toEqual([
    ["h1", "h2", "h3"],
    ["h1", "h2"],
  ]);
});

test("returns a host's VPCs, from components and from arguments", async () => {
  let vpc!: Vpc;
  await registeredBy(() => {
    vpc = new Vpc("blue", SAMPLE);
  });
  const green = { virtualRouter: { host: "h4" }, workloads: { g1: { tier: "web", host: "h1" } } };
  expect(["h1", "h3", "h4", "h5"].map((host) => vpcsOfHost(host, { green, blue: vpc }))).toEqual([["blue", "green"], ["blue"], ["green"], []]);
  expect([hostsOfVpc(green), hostsOfTier(green, "web"), hostsOfTier(SAMPLE, "web"), hostsOfVpc(SAMPLE)]).toEqual([
    ["h1", "h4"],
    ["h1", "h4"],
    vpc.tierHosts["web"],
    vpc.hosts,
  ]);
});

test("registers logical routers, which send to any host, after all bridges and tunnels", async () => {
  const events: string[] = [];
  const newResource = async ({ type, name }: pulumi.runtime.MockResourceArgs) => {
    const kind = type.split(":").pop()!;
    events.push(`begin ${kind}`);
    // A resource that does not wait for the bridges is registered during these turns.
    for (let turn = 0; kind === "VpcBridges" && turn < 100; turn++) await new Promise(setImmediate);
    events.push(`end ${kind}`);
    return { id: name, state: {} };
  };
  await pulumi.runtime.setMocks({ newResource, call: () => ({}) }, "net", "dev", false);
  new Vpc("blue", SAMPLE);
  await pulumi.runtime.disconnect();
  const count = (event: string) => events.filter((other) => other === event).length;
  expect([
    count("end VpcBridges"),
    count("begin LogicalRouterBridge"),
    events.lastIndexOf("end VpcBridges") < events.indexOf("begin LogicalRouterBridge"),
  ]).toEqual([3, 2, true]);
});

test("reports every failure together, with its path and code, before anything is registered", async () => {
  const args = changed((vpc) => {
    vpc.tiers["db"]!.gateways = ["10.9.9.9"];
    vpc.workloads!["d2"]!.host = "h9";
  });
  expect(await refused(args)).toBe(
    'Vpc "blue" can\'t be made from these arguments:\n' +
      '  tiers.db.gateways[0]: gateway 10.9.9.9 is outside of tier "db": 10.1.2.0/24 [not-in-subnet]\n' +
      '  workloads.d2.host: "h9" is not one of h1, h2, h3, h4; did you mean "h1"? [unknown-host]',
  );
});

test("refuses tunnels over IPv6 by default from the second host on", async () => {
  const args = (last: string): VpcArgs =>
    changed((vpc) => {
      Object.keys(vpc.hosts).forEach((host, index) => (vpc.hosts[host]!.tunnelAddress = `fd00::${index + 1}`));
      for (const own of Object.values(vpc.workloads!)) own.host = "h3";
      vpc.workloads!["d3"]!.host = last;
    });
  expect(await refused(args("h3"))).toBeUndefined();
  expect(await refused(args("h4"))).toBe(
    'Vpc "blue" can\'t be made from these arguments:\n  tunnelType: gre over IPv6 needs the userspace datapath: use geneve or vxlan, or datapathType "netdev" [family]',
  );
});

test("adopts nothing", async () => {
  expect(await refused({ ...SAMPLE, adopt: true } as VpcArgs)).toMatch(/\n  adopt: .* \[unknown-argument\]$/);
});

test("does not delay resources after a disabled VPC with an unused tier and without an interface of the virtual router", async () => {
  const other = changed((vpc) => {
    vpc.name = "green";
    vpc.tiers = { idle: { ...vpc.tiers["db"]!, key: 2001 }, web: { ...vpc.tiers["web"]!, key: 2002 } };
    vpc.workloads = { g1: { ...vpc.workloads!["w1"]!, port: "tap9" } };
    vpc.virtualRouter = { host: "h3" };
    vpc.enabled = false;
  });
  const made = await registeredBy(() => {
    new Vpc("green", other);
    new Vpc("blue", SAMPLE);
  });
  const of = (vpc: string) => made.filter(({ name }) => name.startsWith(`${vpc}-`)).map(({ kind, name }) => `${kind} ${name.slice(vpc.length + 1)}`);
  expect(of("green")).toEqual(["VpcBridges bridges-h1", "VpcBridges bridges-h3", "LogicalRouterBridge router-h1"]);
  expect(of("blue")).toEqual([
    "VpcBridges bridges-h1",
    "VpcBridges bridges-h2",
    "VpcBridges bridges-h3",
    "LogicalRouterBridge router-h1",
    "LogicalRouterBridge router-h2",
  ]);
  expect(made.filter(({ kind }) => kind === "LogicalRouterBridge").map(({ inputs }) => [inputs["vpc"], inputs["enabled"]])).toEqual([
    ["blue", true],
    ["blue", true],
    ["green", false],
  ]);
  expect(Object.keys(made.find(({ name }) => name === "green-bridges-h1")!.inputs["tiers"] as object)).toEqual(["idle", "web"]);
});

test("refuses a second VPC with an equal key on a host of the first", async () => {
  const second = changed((vpc) => {
    vpc.name = "green";
    vpc.tiers["web"]!.key = 7;
    vpc.workloads = {};
    vpc.virtualRouter = { host: "h1" };
  });
  const { text, made } = await refusalOf(() => {
    new Vpc("one", SAMPLE);
    new Vpc("two", second);
  });
  expect(text).toBe('Vpc "two" can\'t be made from these arguments:\n  tiers.db.key: tunnel key 1002 is already used by tier "db" of Vpc "one" [duplicate]');
  expect(made.some(({ name }) => name.startsWith("two-"))).toBe(false);
});
