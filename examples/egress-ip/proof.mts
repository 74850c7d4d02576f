import { type Check, leavesAs, type Scenario } from "@pulumi-ovn/sandbox";

const EGRESS = { "192.0.2.1": ["172.18.0.202", "172.18.0.203"], "2001:db8::1": ["fc00:f853:ccd:e793::ca", "fc00:f853:ccd:e793::cb"] };

export default {
  async prove({ sandbox }): Promise<Check[]> {
    const checks: Check[] = [];
    for (const [target, addresses] of Object.entries(EGRESS)) {
      for (const workload of ["vm1", "vm2"]) checks.push(await leavesAs(sandbox, "by an egress address", workload, target, addresses));
    }
    checks.push(await leavesAs(sandbox, "not selected: by its own node", "vm3", "192.0.2.1", ["172.18.0.13"]));
    return checks;
  },
} satisfies Scenario;
