import { memo } from "../../../kit/memo/memo";
import { type AgentExposure, agentExposure } from "../agent/exposure";
import type { Snapshot } from "./snapshot/snapshot";
import type { Bgp } from "./host/host-state";
import type { Problem } from "./problem";

/** Exposures for this chassis. */
export interface ExposuresHere {
  readonly exposures: readonly AgentExposure[];
  /** null: no exposure names the chassis. */
  readonly bgp: Bgp | null;
  readonly problems: readonly Problem[];
}

/** Exposures that name the chassis, by name. There is one BGP instance, so exposures with other settings than the first are omitted. */
export function exposuresHere({ chassis, exposures, unreadable }: Pick<Snapshot, "chassis" | "exposures" | "unreadable">): ExposuresHere {
  const found: AgentExposure[] = [];
  const problems = Object.entries(unreadable).map(
    ([name, why]): Problem => ({
      code: "OVN_AGENT_EXPOSURE_HELD",
      subject: name,
      message: `exposure "${name}" can't be read, and what was last read of it holds: ${why}`,
    }),
  );
  let bgp: Bgp | null = null;
  for (const [name, text] of Object.entries(exposures).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const exposure = read(text);
    if (typeof exposure === "string") {
      problems.push({ code: "OVN_AGENT_EXPOSURE", subject: name, message: `exposure "${name}" is left out: ${exposure}` });
      continue;
    }
    if (!exposure.chassis.includes(chassis.name)) continue;
    const { asNumber, table } = exposure;
    const routerId: string | null = exposure.routerIds[chassis.name] ?? null;
    if (bgp === null) bgp = { asNumber, routerId, table };
    const differs =
      bgp.asNumber !== asNumber
        ? "AS number"
        : bgp.table !== table
          ? "routing table"
          : routerId !== null && bgp.routerId !== null && routerId !== bgp.routerId
            ? "router id"
            : undefined;
    if (differs !== undefined) {
      problems.push({
        code: "OVN_AGENT_EXPOSURES_DIFFER",
        subject: name,
        message: `exposure "${name}" is left out: it has another ${differs} than an exposure before it, and a chassis has one`,
      });
      continue;
    }
    bgp = { ...bgp, routerId: bgp.routerId ?? routerId };
    found.push(exposure);
  }
  return { exposures: found, bgp, problems };
}

/** Exposures that this release can read, for any chassis. */
export const readableIn = ({ exposures }: Pick<Snapshot, "exposures">): AgentExposure[] =>
  Object.values(exposures)
    .map(read)
    .filter((exposure) => typeof exposure !== "string");

/** Returns why a text is not an exposure. Undefined if it is an exposure. */
export function unreadable(text: string): string | undefined {
  const exposure = read(text);
  return typeof exposure === "string" ? exposure : undefined;
}

/** Returns the exposures, by name, that can be read and that name the chassis. */
export function exposuresNaming({ name }: Snapshot["chassis"], exposures: Snapshot["exposures"]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(exposures).filter(([, text]) => {
      const exposure = read(text);
      return typeof exposure !== "string" && exposure.chassis.includes(name);
    }),
  );
}

/** Returns an exposure, or why the text is not an exposure. Equal texts return the same object, so that results derived from it can be cached. */
const read = memo(1_000, (text: string): AgentExposure | string => {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return "it is not JSON";
  }
  const { success, data, error } = agentExposure.safeParse(json);
  if (success) return data;
  const { path, message } = error.issues[0]!;
  if (path[0] === "version") return "this agent does not know its version; it needs a newer release";
  return `${path.map(String).join(".")}: ${message}`;
});
