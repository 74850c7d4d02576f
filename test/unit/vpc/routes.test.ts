import { expandVpc, logicalRouterBridge, type LogicalRouterBridgeArgs } from "@pulumi-ovn/provider";
import { attachmentFlows, parsedFlows, parseFlow, redirectFlows, routesOf, routingFlows } from "@pulumi-ovn/provider/testing";
import { SAMPLE } from "./sample";

const { routers } = expandVpc(SAMPLE);
const h1 = routers["h1"]!;
const parsed = (args: LogicalRouterBridgeArgs) => logicalRouterBridge.schema.parse(structuredClone(args));

/** Flows of each bridge of a logical router, without caches. */
function plain(args: LogicalRouterBridgeArgs) {
  const spec = parsed(args);
  const routing = { mac: spec.mac, tiers: spec.tiers, workloads: spec.workloads, acls: spec.acls, zone: spec.conntrackZone };
  const tier = (name: string) => [...attachmentFlows(name, routing), ...(spec.enabled ? redirectFlows(name, routing) : [])];
  return { "lr-blue": routingFlows(routing).sort(), "br-t1001": tier("web").sort(), "br-t1002": tier("db").sort() };
}

function rendered(args: LogicalRouterBridgeArgs) {
  const { bridges } = logicalRouterBridge.render(parsed(args), {}).flows;
  for (const list of bridges) expect(parsedFlows(list)).toEqual(list.flows.map(parseFlow));
  return Object.fromEntries(bridges.map(({ bridge, flows }) => [bridge, flows.toSorted()]));
}

/** Each differs from the first in one argument, of those that hosts have in common and of those that they have not. */
const ALIKE: Readonly<Record<string, LogicalRouterBridgeArgs>> = {
  "as it is": h1,
  "another host": routers["h2"]!,
  "a workload's MAC": { ...h1, workloads: { ...h1.workloads, w1: { ...h1.workloads!["w1"]!, mac: "0a:00:00:00:09:09" } } },
  "a workload's address": { ...h1, workloads: { ...h1.workloads, w1: { ...h1.workloads!["w1"]!, addresses: ["10.1.1.99"] } } },
  "a workload less": { ...h1, workloads: {} },
  "a rule": { ...h1, acls: { web: [{ ...h1.acls!["web"]![0]!, action: "allow" }] } },
  "a tier's gateway": { ...h1, tiers: { ...h1.tiers, db: { ...h1.tiers["db"]!, gatewayMac: "0a:00:00:00:00:77" } } },
  "a list": { ...h1, tiers: { ...h1.tiers, db: { ...h1.tiers["db"]!, acl: "default_deny" } } },
  conntrack: { ...h1, conntrackZone: 7 },
  "another zone": { ...h1, conntrackZone: 8 },
  disabled: { ...h1, enabled: false },
};

test("every logical router has its own flows, in any order of rendering", () => {
  const expected = Object.entries(ALIKE).map(([what, args]) => [what, plain(args)]);
  expect(new Set(expected.map(([, flows]) => JSON.stringify(flows))).size).toBe(expected.length);
  for (const round of [expected, expected.toReversed()]) expect(round.map(([what]) => [what, rendered(ALIKE[what as string]!)])).toEqual(round);
});

test("hosts of one VPC share equal objects, and another VPC has its own", () => {
  const [one, other] = [parsed(h1), parsed(routers["h2"]!)];
  expect(routesOf(one)).toBe(routesOf(other));
  expect(routesOf(parsed(ALIKE["a rule"]!))).not.toBe(routesOf(one));
  expect(routesOf({ ...one, conntrackZone: 7 })).not.toBe(routesOf(one));
});

test("refused arguments are refused again", () => {
  const args = parsed({ ...h1, acls: {} });
  for (let time = 0; time < 2; time++)
    expect(() => logicalRouterBridge.render(args, {})).toThrow(
      expect.objectContaining({ failures: [{ path: "tiers.web.acl", code: "unknown-acl", message: '"web" is not one of default_allow, default_deny' }] }),
    );
});
