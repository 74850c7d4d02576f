import * as pulumi from "@pulumi/pulumi";
import { Vpc, type VpcArgs } from "pulumi-ovn";
import { later, refusalOf, registeredBy } from "../../support/program";
import { SAMPLE } from "../vpc/sample";

const unknown = pulumi.output(pulumi.unknown) as pulumi.Output<never>;
const make = (args: VpcArgs, preview = false) => registeredBy(() => void new Vpc("blue", args), preview);
/** As a stack author writes it, with outputs. */
const withOutputs = (change: (vpc: VpcArgs) => void): VpcArgs => {
  // A copy from this realm: Pulumi looks for outputs only in arrays of its own realm.
  const args = JSON.parse(JSON.stringify(SAMPLE)) as VpcArgs;
  change(args);
  return args;
};

const d2 = SAMPLE.workloads!["d2"]!;

test("registers equal resources for outputs and for plain values", async () => {
  const outputs = withOutputs((vpc) => {
    vpc.hosts = later(SAMPLE.hosts);
    for (const [name, tier] of Object.entries(SAMPLE.tiers))
      vpc.tiers[name] = { ...tier, cidrs: later(tier.cidrs), gateways: [...tier.gateways.map(later)], ...(tier.acl !== undefined && { acl: later(tier.acl) }) };
    vpc.workloads!["d2"] = { ...d2, mac: later(d2.mac), addresses: later(d2.addresses), ...(d2.port !== undefined && { port: later(d2.port) }) };
    vpc.virtualRouter = { ...SAMPLE.virtualRouter, ports: later(SAMPLE.virtualRouter.ports ?? {}) };
    vpc.acls = later(SAMPLE.acls ?? {});
    vpc.enabled = later<boolean>(true);
    vpc.workloads!["w1"]!.portSecurity = later<boolean>(true);
    vpc.tunnelType = later<"gre" | "vxlan">("gre");
  });
  const expected = await make({
    ...SAMPLE,
    enabled: true,
    tunnelType: "gre",
    workloads: { ...SAMPLE.workloads, w1: { ...SAMPLE.workloads!["w1"]!, portSecurity: true } },
  });
  expect(expected.find(({ name }) => name === "blue-bridges-h1")!.inputs["portSecurity"]).toEqual({
    tap1: { mac: "0a:00:00:00:01:01", addresses: ["10.1.1.11", "fd01:1::11"] },
  });
  expect(expected.map(({ kind }) => kind)).toEqual(["Vpc", "VpcBridges", "VpcBridges", "VpcBridges", "LogicalRouterBridge", "LogicalRouterBridge"]);
  expect(await make(outputs)).toEqual(expected);
});

test("knows hosts and names of bridges if all else is unknown", async () => {
  let vpc!: Vpc;
  await registeredBy(
    () =>
      (vpc = new Vpc(
        "blue",
        withOutputs((args) => (args.hosts = unknown)),
      )),
    true,
  );
  expect([vpc.hosts, vpc.tierHosts, vpc.bridges, Object.keys(vpc.routers)]).toEqual([
    ["h1", "h2", "h3"],
    { db: ["h2", "h3"], web: ["h1", "h3"] },
    { db: "br-t1002", web: "br-t1001" },
    ["h1", "h2"],
  ]);
});

const BRIDGES = ["blue-bridges-h1", "blue-bridges-h2", "blue-bridges-h3"];
const ROUTERS = ["blue-router-h1", "blue-router-h2"];

test.each<[string, (vpc: VpcArgs) => void, string[]]>([
  ["a workload's addresses", (vpc) => (vpc.workloads!["d2"] = { ...d2, addresses: unknown }), ROUTERS],
  ["a workload's MAC", (vpc) => (vpc.workloads!["d2"] = { ...d2, mac: unknown }), ROUTERS],
  ["a workload's interface", (vpc) => (vpc.workloads!["d2"] = { ...d2, port: unknown }), BRIDGES],
  ["a tier's list", (vpc) => (vpc.tiers["db"] = { ...SAMPLE.tiers["db"]!, acl: unknown }), ROUTERS],
  ["a tier's subnets", (vpc) => (vpc.tiers["db"] = { ...SAMPLE.tiers["db"]!, cidrs: unknown }), ROUTERS],
  [
    "what a workload sends as, where that is checked",
    (vpc) => ((vpc.workloads!["w1"]!.portSecurity = true), (vpc.workloads!["d2"] = { ...d2, addresses: unknown })),
    [...BRIDGES, ...ROUTERS],
  ],
  ["whether sources are checked", (vpc) => (vpc.portSecurity = unknown), BRIDGES],
  ["all lists", (vpc) => (vpc.acls = unknown), ROUTERS],
  ["the virtual router's interfaces", (vpc) => (vpc.virtualRouter = { ...SAMPLE.virtualRouter, ports: unknown }), BRIDGES],
  ["a tunnel address", (vpc) => (vpc.hosts = { ...SAMPLE.hosts, h1: { tunnelAddress: unknown } }), BRIDGES],
  ["whether it is enabled", (vpc) => (vpc.enabled = unknown), ROUTERS],
  ["the type of tunnels", (vpc) => (vpc.tunnelType = unknown), [...BRIDGES, ...ROUTERS]],
])("in a preview that does not know %s, everything else is known", async (_, change, expected) => {
  const found = await make(withOutputs(change), true);
  expect(found.map(({ name }) => name)).toEqual(["blue", ...BRIDGES, ...ROUTERS]);
  expect(found.filter(({ inputs }) => pulumi.containsUnknowns(inputs)).map(({ name }) => name)).toEqual(expected);
  expect(found.slice(1).map(({ name, inputs }) => name.endsWith(`-${String(inputs["host"])}`))).toEqual([true, true, true, true, true]);
});

test("refuses outputs for names, hosts of workloads and keys, each with its path, and registers nothing", async () => {
  const why = "can't be an output: names, hosts of workloads and tunnel keys say which resources and bridges there are; other values can [plain]";
  const refused = async (change: (vpc: Record<string, any>) => void) => {
    const { text = "", made } = await refusalOf(() => void new Vpc("blue", withOutputs(change as never)));
    expect(made.map(({ kind }) => kind)).toEqual(["Vpc"]);
    const [first, ...lines] = text.split("\n");
    expect(first).toBe('Vpc "blue" can\'t be made from these arguments:');
    return lines.map((line) => line.replace(`: ${why}`, "").trim());
  };
  expect(
    await refused((vpc) => {
      vpc["name"] = later("blue");
      vpc["tiers"].db = { ...vpc["tiers"].db, key: Promise.resolve(1002) };
      vpc["tiers"].web = later(vpc["tiers"].web);
      vpc["workloads"].d2 = { ...d2, host: later("h2"), tier: later("db") };
      vpc["workloads"].w1 = later({});
      vpc["virtualRouter"] = { host: later("h3") };
    }),
  ).toEqual(["name", "tiers.web", "tiers.db.key", "virtualRouter.host", "workloads.w1", "workloads.d2.tier", "workloads.d2.host"]);
  expect(await refused((vpc) => ((vpc["tiers"] = later({})), (vpc["workloads"] = later({})), (vpc["virtualRouter"] = later({}))))).toEqual([
    "tiers",
    "virtualRouter",
    "workloads",
  ]);
});

test("checks known values immediately", async () => {
  const texts: string[] = [];
  await registeredBy(() => {
    try {
      new Vpc(
        "blue",
        withOutputs((vpc) => ((vpc.acls = unknown), (vpc.workloads!["d2"] = { ...d2, host: "h9", tier: "app" }))),
      );
    } catch (error) {
      texts.push((error as Error).message);
    }
  }, true);
  expect(texts).toEqual([
    'Vpc "blue" can\'t be made from these arguments:\n  workloads.d2.host: "h9" is not one of h1, h2, h3, h4; did you mean "h1"? [unknown-host]\n  workloads.d2.tier: "app" is not one of db, web [unknown-tier]',
  ]);
});

test("finds a second VPC with an equal key before the rest of either is known", async () => {
  const errors: string[] = [];
  await registeredBy(() => {
    new Vpc(
      "one",
      withOutputs((vpc) => (vpc.acls = unknown)),
    );
    try {
      new Vpc(
        "two",
        withOutputs((vpc) => ((vpc.name = "green"), (vpc.acls = unknown))),
      );
    } catch (error) {
      errors.push((error as Error).message);
    }
  }, true);
  expect(errors).toEqual([expect.stringContaining('tiers.db.key: tunnel key 1002 is already used by tier "db" of Vpc "one" [duplicate]')]);
});
