import { eachOnHost, failed, type HostTarget } from "../shell/host";
import { OFCTL, timeout } from "../shell/ofctl";

/**
 * All flows of bridges in the switch's words, with names of ports and without statistics, by one run of the host's command. Undefined for
 * a missing bridge.
 */
export async function bridgeFlows(target: HostTarget, bridges: readonly string[]): Promise<(readonly string[] | undefined)[]> {
  return eachOnHost(
    target,
    bridges.map((bridge) => ({ argv: [...OFCTL, "--names", "--no-stats", ...timeout(target), "dump-flows", bridge], bridge })),
    (result) => (failed(result) ? undefined : result.stdout.split("\n").flatMap((line) => (line.includes("actions=") ? [line.trim()] : []))),
  );
}
