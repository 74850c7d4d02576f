import type { HostSettings } from "@pulumi-ovn/provider/agent";
import { isVrfName, VRF_NAME } from "../host/vrf-name";
import { AgentError } from "./errors";

/** Throws an AgentError for an invalid name of a VRF: it is used unchanged in commands of ip(8) and vtysh. */
export function checkVrf({ vrf }: HostSettings): void {
  if (vrf !== undefined && !isVrfName(vrf)) throw new AgentError("OVN_AGENT_VRF_NAME", `vrf ${JSON.stringify(vrf)}: expected ${VRF_NAME}`);
}
