import { defineKind } from "../define";
import { z } from "zod";
import { flowSet, judgeFlows } from "../../backends/flows/set/check";
import type { BridgeFlowList } from "../../backends/flows/set";
import type { FlowRendered, HostArgs } from "../../backends/flows/kind";
import { memo } from "../../kit/memo/memo";
import { interfaceName, name, schemaOf } from "./fields";

/**
 * OpenFlow flows on bridges of a host, with a cookie that derives from the resource. Flows of other cookies never change; one with the same
 * table, priority and match is refused. The host's own ovs-ofctl(8) reads and writes them. Each bridge changes by one bundle.
 */
export interface BridgeFlowsArgs extends HostArgs {
  /** Existing bridges, in the order in which flows are added. Name bridges first that others send packets to. */
  bridges: BridgeFlowListArgs[];
}

export interface BridgeFlowListArgs {
  /** Name of the bridge: at most 15 characters. */
  bridge: string;
  /**
   * Flows in the syntax of ovs-ofctl(8), without cookie, timeouts and flags: `table=0,priority=100,ip,nw_dst=10.0.0.0/24,actions=output:p1`.
   * Ports may be named. Order has no meaning; duplicates are refused. Default: none.
   */
  flows?: string[];
}

const schema = schemaOf<BridgeFlowsArgs>()(
  z.strictObject({
    host: name,
    bridges: z.array(z.strictObject({ bridge: interfaceName, flows: z.array(z.string()).default([]) })).min(1, "needs at least one bridge"),
  }),
);

/** Any flows on a host's bridges. */
export const bridgeFlows = defineKind({
  backend: "flows",
  name: "BridgeFlows",
  schema,
  judge: ({ bridges }) => judgeFlows(rendered(bridges).set.bridges),
  render: ({ bridges }) => rendered(bridges),
  outputs: [],
});

/** A check judges and renders one list. */
const rendered = memo((bridges: readonly BridgeFlowList[]): FlowRendered => ({ set: flowSet(bridges) }));
