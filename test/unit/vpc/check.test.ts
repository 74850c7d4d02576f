import { expandVpc, type VpcArgs } from "@pulumi-ovn/provider";
import { codedFailures } from "../../support/refusals";
import { BAD_ARGUMENTS } from "./bad-arguments";
import { changed, SAMPLE } from "./sample";

const failuresOf = (args: VpcArgs) => codedFailures(() => expandVpc(args));

test("the sample is accepted", () => {
  expect(failuresOf(SAMPLE)).toEqual([]);
});

test.each(BAD_ARGUMENTS)("%s", (_what, change, expected) => {
  expect(failuresOf(changed(change))).toEqual(expected);
});

test.each([{ tunnelType: "geneve" }, { tunnelType: "vxlan" }, { datapathType: "netdev" }] as const)("tunnels over IPv6 are accepted: %j", (how) => {
  const hosts = Object.fromEntries(Object.keys(SAMPLE.hosts).map((host, index) => [host, { tunnelAddress: `fd00::${index + 1}` }]));
  expect(failuresOf({ ...SAMPLE, ...how, hosts })).toEqual([]);
});

test("`enabled` by host needs known hosts and booleans", () => {
  expect(failuresOf(changed((vpc) => (vpc.enabled = { h1: false, h9: false })))).toEqual([
    ["enabled.h9", "unknown-host", '"h9" is not one of h1, h2, h3, h4; did you mean "h1"?'],
  ]);
  const why = "expected true, false, or one of them by host: { node3: false }";
  expect(failuresOf(changed((vpc) => (vpc.enabled = { h1: "no" } as never)))).toEqual([["enabled", "invalid_type", why]]);
});

test("an unknown host among very many is reported briefly", () => {
  const many = changed((vpc) => {
    vpc.virtualRouter = { host: "x" };
    vpc.workloads = {};
    vpc.hosts = Object.fromEntries(Array.from({ length: 14 }, (_, n) => [`h${n + 10}`, { tunnelAddress: `192.0.2.${n + 1}` }]));
  });
  expect(failuresOf(many)).toEqual([
    ["virtualRouter.host", "unknown-host", '"x" is not one of h10, h11, h12, h13, h14, h15, h16, h17, h18, h19, h20, h21 and 2 more'],
  ]);
});
