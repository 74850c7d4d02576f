import type { AppliedPlan } from "../applied";
import type { Omission } from "../zones/build";
import { addressOf } from "../addresses";
import { omissionText } from "../report/omissions";
import type { Answer, Question } from "../types";
import type { World } from "../zones/world";
import type { Baseline } from "../simulation";
import type { Asker, Askers } from "./results";

/** Answers about Layer2Networks, from the simulation of their zones. */
export function zoneAskers(applied: AppliedPlan): Askers {
  const { before: old, after: wanted } = applied;
  const compare = (given: Question) => {
    const question = published([old, wanted], given);
    return applied.compare({ before: question, after: question });
  };
  return {
    before: async (_urn, question) => withOmissions((await compare(question)).before, old.omissions),
    after: async (_urn, question) => withOmissions((await compare(question)).after, [...old.omissions, ...wanted.omissions]),
  };
}

/** Answers about Layer2Networks at the time of a baseline. */
export function baselineAsker(baseline: Baseline): Asker {
  const { world } = baseline;
  return async (_urn, question) => withOmissions(await baseline.answer(published([world], question)), world.omissions);
}

/** The question for an address that a gateway or a load balancer translates before or after the plan. Without it, packets do not arrive. */
function published(worlds: readonly World[], question: Question): Question {
  const { to } = question;
  const all = worlds.flatMap(({ zones }) => [...zones.values()]);
  const isPublished = all.some(
    ({ floating, virtual }) => floating.some(({ address }) => address === to.address) || virtual.some(({ vip }) => addressOf(vip) === to.address),
  );
  return to.kind === "outside" && isPublished ? { ...question, to: { kind: "published", address: to.address } } : question;
}

/** A resource that is left out can change the answers of all paths through its zone. */
function withOmissions(answer: Answer, omissions: readonly Omission[]): Answer {
  const { there, back, unknowns } = answer;
  const paths = [there, ...(back ? [back] : [])];
  const zones = new Set(paths.flatMap(({ steps }) => steps.map(({ zone }) => zone)));
  const omission = omissions.find(({ zone }) => zones.size === 0 || zones.has(zone));
  return omission === undefined ? answer : { ...answer, reach: undefined, unknowns: [...unknowns, omissionText(omission, String)] };
}
