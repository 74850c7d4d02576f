import { endedEarly, flowCookie, newMark, shellOnHost } from "@pulumi-ovn/provider/tools";
import type { Connections } from "@pulumi-ovn/provider/targets";
import { z } from "zod";
import type { VpcInState } from "../../vpc/model";
import { healthIn } from "../bgp/answers";
import { answersIn, healthQuestion, scriptOf } from "../bgp/questions";
import type { Look } from "../section";
import type { AgentFacts } from "./facts";

const answered = z.object({
  problems: z.array(z.object({ code: z.string(), subject: z.string(), message: z.string() })),
  resources: z.array(z.object({ owner: z.string(), sequence: z.number(), fallback: z.string().nullable() })),
  busySince: z.string().nullable(),
  lastChange: z.string().nullable(),
  changes: z.number(),
});

/** Report of a host's agent. */
export type LiveAgent = z.output<typeof answered>;

/** Asks the agent of a host. Returns a string with the reason if no agent answers, and undefined if the VPC has no agent there. */
export async function agentOf(
  host: string,
  { switches, routers }: VpcInState,
  targets: Connections,
  { vpcAgent }: Look,
): Promise<LiveAgent | string | undefined> {
  if (!switches.get(host)?.spec.agent && !routers.get(host)?.spec.agent) return undefined;
  const mark = newMark();
  const target = targets.host(host);
  const ended = await shellOnHost({ host: target }, scriptOf([healthQuestion(vpcAgent)], mark));
  const [answer] = answersIn(mark, ended.stdout, ended.stderr) ?? [];
  if (answer === undefined) throw endedEarly(target, { ...ended, stderr: ended.stderr.replaceAll(mark, "") }, false);
  const found = healthIn(answer, `${vpcAgent.host}:${vpcAgent.port}`, answered);
  return found instanceof Error ? found.message : found;
}

/** Pure. */
export function agentFacts(host: string, agent: LiveAgent | string | Error): AgentFacts {
  if (agent instanceof Error) return { host, state: "unknown", restored: null, lastChange: null };
  if (typeof agent === "string") return { host, state: "silent", restored: null, lastChange: null, detail: agent };
  const { problems, busySince, lastChange, changes: restored } = agent;
  const all = problems.map(({ code, message }) => `${code}: ${message}`).join("; ");
  if (all !== "") return { host, state: "problems", restored, lastChange, detail: all };
  return { host, state: "running", restored, lastChange, ...(busySince !== null && { detail: `busy since ${busySince}` }) };
}

/** Pure. Why the agent has disabled the logical router whose flows have a cookie. */
export function fallbackOf(agent: LiveAgent | string | Error | undefined, cookie: string): string | undefined {
  if (agent === undefined || agent instanceof Error || typeof agent === "string") return undefined;
  return agent.resources.find(({ owner }) => flowCookie(owner) === cookie)?.fallback ?? undefined;
}
