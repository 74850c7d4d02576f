import { problemText } from "../vpc/problem";
import type { ChassisFacts, ExposureFacts, ProblemFacts, RouteFacts, RouteState } from "./facts";
import type { LiveChassis } from "./live";
import type { ExposureInState } from "./state";

/** Pure. Compares the chassis' announcements of an exposure with the expected announcements. */
export function exposureFacts({ name, zone, mode, announced, tables }: ExposureInState, live: ReadonlyMap<string, LiveChassis | Error>): ExposureFacts {
  const chassis = Object.keys(tables)
    .sort()
    .map((one): ChassisFacts => {
      const found = live.get(one)!;
      const common = { chassis: one, tables: tables[one]! };
      if (found instanceof Error)
        return {
          ...common,
          reached: false,
          detail: problemText(found),
          problems: [],
          routes: (announced[one] ?? []).toSorted().map((prefix) => ({ prefix, state: "unknown" })),
        };
      if (mode === "ovn")
        return {
          ...common,
          reached: true,
          problems: problemsOf(one, { ...found, agent: undefined }),
          routes: routesOf(announced[one] ?? [], tables[one]!, found),
        };
      const wanted = found.agent instanceof Error ? undefined : found.agent?.announced;
      return { ...common, reached: true, problems: problemsOf(one, found), routes: routesOf(wanted, tables[one]!, found) };
    });
  return { name, zone, mode, chassis };
}

function problemsOf(chassis: string, { kernel, frr, agent }: LiveChassis): ProblemFacts[] {
  const silent = (source: ProblemFacts["source"], part: unknown): ProblemFacts[] =>
    part instanceof Error ? [{ source, code: null, message: part.message }] : [];
  return [
    ...silent("kernel", kernel),
    ...silent("frr", frr),
    ...silent("agent", agent),
    ...(agent === undefined || agent instanceof Error ? [] : toldBy(chassis, agent)),
  ];
}

function toldBy(expected: string, { healthy, chassis, problems }: Exclude<LiveChassis["agent"], Error | undefined>): ProblemFacts[] {
  const own = (message: string): ProblemFacts[] => [{ source: "agent", code: null, message }];
  if (chassis !== null && chassis !== expected)
    return own(`the agent of chassis ${chassis} answers: the host of this name in the file of targets is another one`);
  if (!healthy && problems.length === 0) return own("the agent has just started: it has not compared the host yet");
  return problems.map(({ code, message }) => ({ source: "agent", code, message }));
}

/** @param wanted undefined: the agent, who knows, does not answer */
function routesOf(wanted: readonly string[] | undefined, tables: readonly number[], { kernel, frr }: LiveChassis): RouteFacts[] {
  const present = kernel instanceof Error ? undefined : new Set(tables.flatMap((table) => kernel.get(table) ?? []));
  const should = new Set(wanted);
  const stateOf = (prefix: string): RouteState => {
    if (wanted === undefined || present === undefined) return "unknown";
    if (!should.has(prefix)) return "unexpected";
    if (!present.has(prefix)) return "missing";
    if (frr instanceof Error) return "unknown";
    return frr.has(prefix) ? "announced" : "not-originated";
  };
  const byAgent = wanted === undefined || frr instanceof Error ? [] : [...frr].filter(([, origin]) => origin.byAgent).map(([prefix]) => prefix);
  return [...new Set([...should, ...(present ?? []), ...byAgent])].sort().map((prefix) => ({ prefix, state: stateOf(prefix) }));
}
