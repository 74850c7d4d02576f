import { hostsOf, stateIn, virtualRouterHost, vpcsIn } from "@pulumi-ovn/cli/testing";
import { flowCookie } from "@pulumi-ovn/provider/tools";
import { vpcState } from "../../support/vpc-state";
import { changed, SAMPLE } from "../vpc/sample";

const read = (state: object) => vpcsIn(stateIn(JSON.stringify(state), "it"));

it("has arguments, cookies, and topology of a VPC", () => {
  const [vpc, ...more] = read(vpcState(SAMPLE));
  expect([more, vpc?.name, hostsOf(vpc!), [...vpc!.routers.keys()]]).toEqual([[], "blue", ["h1", "h2", "h3"], ["h1", "h2"]]);
  expect(vpc!.switches.get("h1")).toEqual({
    spec: {
      host: "h1",
      vpc: "blue",
      tiers: { db: 1002, web: 1001 },
      tunnelType: "gre",
      tunnelAddress: "192.0.2.1",
      remotes: { h2: "192.0.2.2", h3: "192.0.2.3" },
      ports: { tap1: "web" },
      portSecurity: {},
      bfd: true,
      agent: false,
      datapathType: "system",
    },
    owner: "urn:pulumi:dev::net::ovn:network:Vpc$pulumi-nodejs:dynamic/ovn:VpcBridges::blue-h1",
    cookie: flowCookie("urn:pulumi:dev::net::ovn:network:Vpc$pulumi-nodejs:dynamic/ovn:VpcBridges::blue-h1"),
    recorded: undefined,
  });
  expect([vpc!.routers.get("h1")?.recorded, vpc!.topology?.workloads["w1"]?.host, virtualRouterHost(vpc!)]).toEqual(["enabled", "h1", "h3"]);
});

it("uses the resource's original URN", () => {
  const [vpc] = read(vpcState(SAMPLE, { inputs: { "LogicalRouterBridge h1": { owner: "urn:old" } } }));
  expect(vpc!.routers.get("h1")?.cookie).toBe(flowCookie("urn:old"));
});

it("finds the virtual router's host in the state of a release without topology, if possible", () => {
  const [vpc] = read(vpcState(SAMPLE, { component: {} }));
  expect([vpc!.topology, virtualRouterHost(vpc!)]).toEqual([undefined, "h3"]);
  const [cut] = read(vpcState(SAMPLE, { component: {}, without: ["LogicalRouterBridge h1"] }));
  expect(virtualRouterHost(cut!)).toBeUndefined();
});

it("distinguishes two components with a common name", () => {
  const [one, two] = [vpcState(SAMPLE), vpcState(changed((args) => (args.virtualRouter.host = "h4")))].map(
    (state) => (state as { deployment: { resources: object[] } }).deployment.resources,
  );
  const other = JSON.parse(JSON.stringify(two).replaceAll("Vpc::blue", "Vpc::other")) as object[];
  const vpcs = read({ version: 3, deployment: { resources: [...one!, ...other] } });
  expect(vpcs.map(hostsOf)).toEqual([
    ["h1", "h2", "h3"],
    ["h1", "h2", "h3", "h4"],
  ]);
});

it("is empty for a stack without a VPC", () => {
  expect(read({ version: 3, deployment: { resources: [{ urn: "urn:pulumi:a::b::pulumi:pulumi:Stack::x", type: "pulumi:pulumi:Stack" }] } })).toEqual([]);
});

it("names an unreadable argument", () => {
  expect(() =>
    read(
      vpcState(SAMPLE, {
        inputs: { "LogicalRouterBridge h1": { mac: { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "x" } } },
      }),
    ),
  ).toThrow(
    expect.objectContaining({
      code: "OVN_STATE",
      message: expect.stringMatching(/LogicalRouterBridge::blue-h1: its argument mac can't be read from the state/) as unknown,
    }),
  );
});
