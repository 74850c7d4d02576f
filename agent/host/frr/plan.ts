import type { Bgp, HostState, Problem } from "@pulumi-ovn/provider/agent";
import { familyOf } from "../kernel/names";
import type { LiveBgp, LiveFrr, Redistributed } from "../live";
import type { FrrStep } from "../steps";
import { FAMILIES, MARK, TABLE_DIRECT, TAG } from "./config";
import { leaked, unleaked, vrfRefusal } from "./vrf";

export interface FrrPlan {
  readonly made: readonly FrrStep[];
  readonly removed: readonly FrrStep[];
  readonly problems: readonly Problem[];
}

/**
 * Pure. Changes nothing in an instance other than the desired instance. An operator's line that redistributes the same table is
 * equivalent to the agent's own line, and stays.
 */
export function planFrr(desired: Pick<HostState, "bgp" | "routes">, live: LiveFrr): FrrPlan {
  const { made, removed, problems } = planRunning(desired, live);
  if (!live.running || !live.zebra) return { made, removed, problems };
  const ofBgpd = (steps: readonly FrrStep[]) => steps.filter(({ daemon }) => daemon === "bgpd");
  return { made: ofBgpd(made), removed: ofBgpd(removed), problems: desired.bgp ? [...problems, live.zebra] : problems };
}

function planRunning({ bgp, routes }: Pick<HostState, "bgp" | "routes">, live: LiveFrr): FrrPlan {
  if (!live.running) return { made: [], removed: [], problems: bgp ? [live.problem] : live.silent ? [notWithdrawn(live.problem)] : [] };
  if (bgp === null) return { made: [], removed: withdrawn(live.bgp, live, undefined), problems: [] };
  const refused = refusal(bgp, live) ?? (bgp.vrf === undefined ? undefined : vrfRefusal(bgp, live.bgp, live.vrfs));
  if (refused || live.bgp === null) return { made: [], removed: [], problems: refused ? [refused] : [] };
  if (bgp.vrf !== undefined)
    return {
      made: [...marked(live, true), ...routerIdOf(bgp, live.bgp), ...leaked(bgp, live.vrfs)],
      removed: withdrawn(live.bgp, live, { vrf: bgp.vrf }),
      problems: [],
    };
  const how = live.version >= TABLE_DIRECT ? "table-direct" : "table";
  const problems: Problem[] = [];
  if (how === "table" && routes.some(({ destination }) => familyOf(destination) === 6)) {
    problems.push({
      code: "OVN_AGENT_FRR_OLD",
      subject: `FRR ${live.version}`,
      message: `FRR ${live.version} announces no IPv6 routes of a table; version ${TABLE_DIRECT} does`,
    });
  }
  return { made: announced(bgp, how, live.bgp, live), removed: withdrawn(live.bgp, live, { how, table: bgp.table }), problems };
}

const notWithdrawn = ({ message, ...problem }: Problem): Problem => ({
  ...problem,
  message: `${message}; what its running configuration has of the agent's (lines with route-map ${MARK}) is not withdrawn`,
});

/** Why FRR's instance can't serve the desired state. */
function refusal(bgp: Bgp, { bgp: live, vrfs }: Running): Problem | undefined {
  if (live === null) {
    const [other] = vrfs.filter(({ vrf, asNumber }) => asNumber !== null && vrf !== bgp.vrf);
    const which = other ? `BGP instance but that of VRF ${other.vrf}, and sessions in a VRF are not served` : "BGP instance";
    return { code: "OVN_AGENT_FRR_BGP", subject: "FRR", message: `FRR has no ${which}: configure "router bgp ${bgp.asNumber}" with its neighbours` };
  }
  if (live.asNumber !== bgp.asNumber)
    return {
      code: "OVN_AGENT_FRR_AS",
      subject: "FRR",
      message: `FRR runs AS ${live.asNumber}, and the agent's configuration has ${bgp.asNumber}; nothing is changed in FRR; make both equal`,
    };
  if (bgp.routerId !== null && live.routerId !== null && live.routerId !== bgp.routerId) {
    return {
      code: "OVN_AGENT_FRR_ROUTER_ID",
      subject: "FRR",
      message: `FRR has router id ${live.routerId}, and the agent's configuration has ${bgp.routerId}; another one would end all sessions, so nothing is changed in FRR`,
    };
  }
  return undefined;
}

type Line = Pick<Redistributed, "how" | "table">;
type Wanted = Line | { readonly vrf: string };
type Running = LiveFrr & { readonly running: true };

/** bgpd lets nothing pass where the route-map of a line is missing. */
const marked = ({ mark, untagged }: Running, needed: boolean): FrrStep[] =>
  (!mark || untagged) && needed ? [step("bgpd", `route-map ${MARK} permit 10`, `set tag ${TAG}`)] : [];

const routerIdOf = ({ asNumber, routerId }: Bgp, live: LiveBgp): FrrStep[] =>
  routerId !== null && live.routerId === null ? [step("bgpd", `router bgp ${asNumber}`, `bgp router-id ${routerId}`)] : [];

function announced(bgp: Bgp, how: Redistributed["how"], live: LiveBgp, running: Running): FrrStep[] {
  const { asNumber, table } = bgp;
  const missing = FAMILIES.filter((family) => !live.redistributed[family].some(same({ how, table })));
  const own = FAMILIES.some((family) => live.redistributed[family].some((line) => line.own && same({ how, table })(line)));
  return [
    ...(how === "table" && !running.imported.includes(table) ? [step("zebra", `ip import-table ${table}`)] : []),
    ...marked(running, missing.length > 0 || own),
    ...routerIdOf(bgp, live),
    ...missing.map((family) => step("bgpd", `router bgp ${asNumber}`, `address-family ipv${family} unicast`, `redistribute ${how} ${table} route-map ${MARK}`)),
  ];
}

/** @param wanted the line, or VRF, that stays. Undefined: nothing stays, nor the mark */
function withdrawn(bgp: LiveBgp | null, { mark, imported, vrfs }: Running, wanted: Wanted | undefined): FrrStep[] {
  const stays = wanted && "table" in wanted ? wanted : undefined;
  const removals = FAMILIES.flatMap((family) =>
    (bgp?.redistributed[family] ?? []).filter((line) => line.own && !(stays && same(stays)(line))).map((line) => ({ family, ...line })),
  );
  const tables = new Set(removals.filter(({ how, table }) => how === "table" && imported.includes(table)).map(({ table }) => table));
  if (stays) tables.delete(stays.table);
  return [
    ...unleaked(bgp, vrfs, wanted && "vrf" in wanted ? wanted.vrf : undefined),
    ...removals.map(({ family, how, table }) =>
      step("bgpd", `router bgp ${bgp!.asNumber}`, `address-family ipv${family} unicast`, `no redistribute ${how} ${table}`),
    ),
    ...[...tables].map((table) => step("zebra", `no ip import-table ${table}`)),
    ...(mark && wanted === undefined ? [step("bgpd", `no route-map ${MARK}`)] : []),
  ];
}

const same =
  (one: Line) =>
  (other: Line): boolean =>
    one.how === other.how && one.table === other.table;
const step = (daemon: FrrStep["daemon"], ...lines: string[]): FrrStep => ({ kind: "frr", daemon, lines });
