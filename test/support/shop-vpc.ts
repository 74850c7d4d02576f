import type { VpcAclRuleArgs, VpcArgs } from "@pulumi-ovn/provider";

export const SQL: VpcAclRuleArgs = { number: 20, action: "allow", direction: "ingress", protocol: "tcp", ports: "5432" };
export const FROM_WEB: VpcAclRuleArgs = { number: 10, action: "deny", direction: "ingress", cidrs: ["10.1.1.0/24"] };

/** A VPC of two tiers over three hosts, with the rules of tier db. */
export const shopVpc = (workloads: VpcArgs["workloads"], db: readonly VpcAclRuleArgs[], change: Partial<VpcArgs> = {}): VpcArgs => ({
  name: "shop",
  hosts: { h1: { tunnelAddress: "198.18.0.1" }, h2: { tunnelAddress: "198.18.0.2" }, h3: { tunnelAddress: "198.18.0.3" } },
  tiers: {
    web: { cidrs: ["10.1.1.0/24"], gateways: ["10.1.1.1"], key: 1001, acl: "default_allow" },
    db: { cidrs: ["10.1.2.0/24"], gateways: ["10.1.2.1"], key: 1002, acl: "db" },
  },
  workloads,
  virtualRouter: { host: "h3" },
  acls: { db: [...db] },
  stateful: true,
  ...change,
});
