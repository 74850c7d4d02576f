import { expandVpc, type VpcArgs } from "@pulumi-ovn/provider";
import { Connections } from "@pulumi-ovn/provider/targets";
import { handlers, isError } from "@pulumi-ovn/provider/tools";
import type { VpcPlanned } from "./vpc-plan";

const [HOSTS, TIERS] = [100, 10];

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const hostName = (host: number) => `host${host}`;
const hex = (value: number) => value.toString(16).padStart(2, "0");

/** Dual-stack tiers with an ACL list each, and a workload of every tier on every host. */
const VPC: VpcArgs = {
  name: "wide",
  hosts: Object.fromEntries(numbers(HOSTS).map((host) => [hostName(host), { tunnelAddress: `198.18.0.${host + 1}` }])),
  tiers: Object.fromEntries(
    numbers(TIERS).map((tier) => [
      `tier${tier}`,
      { cidrs: [`10.${tier}.0.0/16`, `fd00:${tier}::/64`], gateways: [`10.${tier}.0.1`, `fd00:${tier}::1`], key: 1000 + tier, acl: `list${tier}` },
    ]),
  ),
  workloads: Object.fromEntries(
    numbers(HOSTS).flatMap((host) =>
      numbers(TIERS).map((tier) => [
        `vm-${host}-${tier}`,
        {
          tier: `tier${tier}`,
          host: hostName(host),
          mac: `0a:58:00:00:${hex(tier)}:${hex(host)}`,
          addresses: [`10.${tier}.1.${host + 1}`, `fd00:${tier}::1:${host + 1}`],
        },
      ]),
    ),
  ),
  virtualRouter: { host: hostName(0) },
  acls: Object.fromEntries(
    numbers(TIERS).map((tier) => [
      `list${tier}`,
      numbers(10).map((rule) => ({
        number: 10 + rule,
        action: "allow" as const,
        direction: "ingress" as const,
        protocol: "tcp" as const,
        ports: `${8000 + 100 * rule}-${8079 + 100 * rule}`,
        cidrs: [`10.${(tier + rule) % TIERS}.0.0/16`],
      })),
    ]),
  ),
};

/** Arguments as a provider gets them: no two resources share a part. */
const received = (args: object) => JSON.parse(JSON.stringify(args)) as Record<string, unknown>;

/** Computes what the program and the provider compute for a preview of a new stack, without databases. */
async function main(): Promise<void> {
  const hosts = Object.fromEntries(Object.keys(VPC.hosts).map((host) => [host, { openvswitch: `unix:/nonexistent/${host}`, command: ["false"] }]));
  const targets = new Connections({}, hosts);
  const spent = process.cpuUsage();
  const plan = expandVpc(VPC);
  const planned = process.cpuUsage(spent);
  const resources = [
    ...Object.entries(plan.bridges).map(([host, news]) => ({ kind: "VpcBridges", host, news })),
    ...Object.entries(plan.routers).map(([host, news]) => ({ kind: "LogicalRouterBridge", host, news })),
  ];
  // The work of Pulumi between program and provider does not count.
  const requests = resources.map((resource) => ({ ...resource, news: received(resource.news) }));
  const checking = process.cpuUsage();
  await Promise.all(
    requests.map(async ({ kind, host, news }) => {
      const { diagnostics } = await handlers[kind]!.check({
        urn: `urn:pulumi:dev::bench::pulumi-nodejs:dynamic/ovn:${kind}::${host}`,
        secrets: [],
        targets,
        olds: {},
        news,
      });
      const error = diagnostics.find(isError);
      if (error) throw new Error(error.message);
    }),
  );
  const checked = process.cpuUsage(checking);
  const milliseconds = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1000;
  console.log(
    JSON.stringify({
      resources: resources.length,
      plan: milliseconds(planned),
      both: milliseconds(planned) + milliseconds(checked),
      megabytes: process.resourceUsage().maxRSS / 1024,
    } satisfies VpcPlanned),
  );
  await targets.close();
}

void main();
