import { AGENT_ADDRESS, VPC_AGENT_ADDRESS } from "@pulumi-ovn/agent";
import type { Connections } from "@pulumi-ovn/provider/targets";
import { agentAddress } from "../../agent/address";
import type { StackState } from "../../stack/stack-state";
import { sections } from "../../status/sections";
import type { Check, Complaint } from "./check";

/** Errors of `pulumi-ovn status`: VPCs and BGP exposures, with agents at their default addresses. */
export function statusCheck(state: () => Promise<StackState>, targets: Connections): Check {
  const look = { agent: agentAddress("agent", AGENT_ADDRESS), vpcAgent: agentAddress("vpc-agent", VPC_AGENT_ADDRESS) };
  return {
    title: "status",
    complaints: async () => {
      const stack = await state();
      const seen = await Promise.all(sections.map((section) => section(stack, targets, look)));
      const tables = seen.flatMap((each) => each?.tables({ all: false }) ?? []);
      return tables.flatMap(({ title, rows }) =>
        rows.filter(({ error }) => error).map(({ cells }): Complaint => ({ subject: `status: ${title}: ${cells.filter(Boolean).join(" ")}`, problem: "" })),
      );
    },
  };
}
