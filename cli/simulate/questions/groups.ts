import { isIn } from "../addresses";
import { fromText, toText } from "./text";
import { type Connection, isOf, questionsOf } from "./questions";
import type { World } from "../zones/world";

/** A question for all senders and receivers that are alike. The question is about the first of each. */
export interface AskedGroup extends Connection {
  /** Names, as effects have them. A sender that is also a receiver sends to the others. */
  readonly senders: readonly string[];
  readonly receivers: readonly string[];
  /** Number of connections. */
  readonly count: number;
}

/** Pure. The questions of `questionsOf`, with those that have the same answer as one. */
export function questionGroups(before: World, after: World): AskedGroup[] {
  const names = [...before.workloads.keys(), ...after.workloads.keys()];
  const roles = (name: string) => [before, after].map((world) => roleOf(world, name));
  return groupedQuestions(names, roles, (asked) => questionsOf(withWorkloads(before, asked), withWorkloads(after, asked)));
}

/**
 * Pure. Questions with those that have the same answer as one.
 * @param names of all workloads
 * @param roleOf equal for workloads that can replace each other
 * @param among the questions about some workloads
 */
export function groupedQuestions(
  names: readonly string[],
  roleOf: (name: string) => unknown,
  among: (asked: ReadonlySet<string>) => readonly Connection[],
): AskedGroup[] {
  const groups = [...Map.groupBy([...new Set(names)].sort(), (name) => JSON.stringify(roleOf(name))).values()];
  const groupOf = new Map(groups.map((group) => [group[0]!, group]));
  /** Receivers of the first workload of their own group. */
  const seconds = new Set(groups.flatMap(([, second]) => second ?? []));
  const asked = new Set([...groupOf.keys(), ...seconds]);
  return among(asked).flatMap((question): AskedGroup[] => {
    const [from, to] = [fromText(question.after), toText(question.after)];
    const senders = groupOf.get(from) ?? [from];
    const within = senders[1] === to;
    if (seconds.has(from) || (seconds.has(to) && !within)) return [];
    const receivers = within ? senders : (groupOf.get(to) ?? [to]);
    return [{ ...question, senders, receivers, count: senders.length * (within ? senders.length - 1 : receivers.length) }];
  });
}

/** All that paths from or to a workload depend on. Workloads with equal roles can replace each other in all zones. */
function roleOf({ workloads, zones, flows, announced }: World, name: string): unknown {
  const home = workloads.get(name);
  if (home === undefined) return null;
  const key = zones.get(home)!.ports.get(name)?.key;
  const parts = [...flows].map(([zone, { classes }]) => {
    const own = zones.get(zone)!.ports.get(name)?.key;
    return [classes.get(name), own === undefined || own === key ? "" : own];
  });
  const addresses =
    zones
      .get(home)!
      .workloads.find((each) => each.name === name)
      ?.addresses.filter((each) => isOf(each, 4) || isOf(each, 6)) ?? [];
  const announcing = [...announced].flatMap(([zone, prefixes]) =>
    prefixes.filter((prefix) => addresses.some((each) => isIn(prefix, each))).map((prefix) => `${zone} ${prefix}`),
  );
  return [home, announcing, ...parts];
}

function withWorkloads(world: World, names: ReadonlySet<string>): World {
  const zones = [...world.zones].map(([zone, facts]) => [zone, { ...facts, workloads: facts.workloads.filter(({ name }) => names.has(name)) }] as const);
  return { ...world, zones: new Map(zones) };
}
