import type { VpcArgs } from "@pulumi-ovn/provider";

/** Two tiers of both families, three hosts, the virtual router on the third. */
export const SAMPLE: VpcArgs = {
  name: "blue",
  hosts: { h1: { tunnelAddress: "192.0.2.1" }, h2: { tunnelAddress: "192.0.2.2" }, h3: { tunnelAddress: "192.0.2.3" }, h4: { tunnelAddress: "192.0.2.4" } },
  tiers: {
    web: { cidrs: ["10.1.1.0/24", "fd01:1::/64"], gateways: ["10.1.1.1", "fd01:1::1"], key: 1001, acl: "web" },
    db: { cidrs: ["10.1.2.0/24"], gateways: ["10.1.2.1"], key: 1002, acl: "default_allow" },
  },
  workloads: {
    w1: { tier: "web", host: "h1", mac: "0a:00:00:00:01:01", addresses: ["10.1.1.11", "fd01:1::11"], port: "tap1" },
    d2: { tier: "db", host: "h2", mac: "0a:00:00:00:02:02", addresses: ["10.1.2.12"] },
    d3: { tier: "db", host: "h3", mac: "0a:00:00:00:02:03", addresses: ["10.1.2.13"] },
  },
  virtualRouter: { host: "h3", ports: { web: "vr-web" } },
  acls: {
    web: [
      { number: 20, action: "deny", direction: "ingress" },
      { number: 10, action: "allow", direction: "ingress", protocol: "tcp", ports: "80", cidrs: ["10.1.2.0/24"] },
    ],
  },
};

export type Change = (args: VpcArgs) => void;

/** The sample, changed. */
export function changed(change: Change): VpcArgs {
  const args = structuredClone(SAMPLE);
  change(args);
  return args;
}
