import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LogicalRouterBridge } from "pulumi-ovn";
import { expandVpc, type LogicalRouterBridgeArgs } from "@pulumi-ovn/provider";
import { previewed } from "../../support/previewed";
import { disconnect } from "../../support/provider";
import { SAMPLE } from "../vpc/sample";

// A logical router by itself, whose arguments no component has compared; its preview reaches no host.
const folder = mkdtempSync(join(tmpdir(), "router-"));
const targets = join(folder, "targets.yaml");
beforeAll(() =>
  writeFileSync(
    targets,
    JSON.stringify({
      hosts: Object.fromEntries(["h1", "h2", "h3"].map((host) => [host, { openvswitch: `unix:${folder}/none`, command: [join(folder, "none")] }])),
    }),
  ),
);
afterAll(async () => {
  await disconnect();
  rmSync(folder, { recursive: true });
});

const { h1, h2 } = expandVpc(SAMPLE).routers as Record<"h1" | "h2", LogicalRouterBridgeArgs>;
type Change = (args: LogicalRouterBridgeArgs) => void;
/** Failures in a preview, for it and for another host's router with the same common arguments. */
async function failures(change: Change): Promise<(readonly string[])[]> {
  const all = [h1, h2].map((args) => JSON.parse(JSON.stringify(args)) as LogicalRouterBridgeArgs);
  all.forEach(change);
  const found = await previewed(() => all.forEach((args) => void new LogicalRouterBridge(args.host, args)), { "ovn:targets": targets });
  return found.map((one) => one.failures);
}
const w1 = (args: LogicalRouterBridgeArgs) => args.workloads!["w1"]!;

test.each<[what: string, change: Change, ...failures: string[]]>([
  ["what a VPC makes of its arguments", () => undefined],
  ["tiers with one gateway MAC", (args) => (args.tiers["db"]!.gatewayMac = args.tiers["web"]!.gatewayMac)],
  [
    "tiers that overlap",
    (args) => (args.tiers["db"]!.cidrs = ["10.1.0.0/16"]),
    'tiers.web.cidrs[0]: tier "db" 10.1.0.0/16 overlaps tier "web" 10.1.1.0/24 [overlap]',
  ],
  [
    "a workload outside of its tier",
    (args) => (w1(args).addresses = ["10.1.2.99", "fd01:1::11"]),
    'workloads.w1.addresses[0]: workload "w1" 10.1.2.99 is outside of tier "web": 10.1.1.0/24, fd01:1::/64 [not-in-subnet]',
  ],
  [
    "two workloads with one MAC",
    (args) => (w1(args).mac = "0a:00:00:00:02:02"),
    'workloads.w1.mac: MAC 0a:00:00:00:02:02 is already used by workload "d2" [duplicate]',
  ],
  [
    "a workload with a gateway's MAC",
    (args) => (w1(args).mac = args.tiers["db"]!.gatewayMac),
    `workloads.w1.mac: MAC ${h1.tiers["db"]!.gatewayMac} is already used by the virtual router (tier "db") [duplicate]`,
  ],
  ["the router's own MAC on a workload", (args) => (args.mac = w1(args).mac), 'mac: MAC 0a:00:00:00:01:01 is already used by workload "w1" [duplicate]'],
  [
    "the router's own MAC on a gateway",
    (args) => (args.mac = args.tiers["web"]!.gatewayMac),
    `mac: MAC ${h1.tiers["web"]!.gatewayMac} is already used by the virtual router (tier "web") [duplicate]`,
  ],
])("%s", async (_what, change, ...expected) => {
  expect(await failures(change)).toEqual([expected, expected]);
});
