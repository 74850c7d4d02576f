import { ROUTE_TAG } from "@pulumi-ovn/agent";
import { z } from "zod";
import type { Answer } from "./questions";

const route = z.looseObject({ dst: z.string(), protocol: z.union([z.string(), z.number()]).optional() });

/** Protocol of routes that bgpd has learned (RTPROT_BGP). The table does not announce them. */
const BGP = "186";

/** Exit code of ip(8) when the kernel refuses a request: a table without routes does not exist. */
const NO_TABLE = 2;

/** Pure. Destinations of a table. */
export function routesIn(answer: Answer, family: 4 | 6): string[] | Error {
  if (answer.status === NO_TABLE) return [];
  if (answer.status !== 0) return failure("ip", answer);
  const read = z.array(route).safeParse(json(answer.stdout.trim() === "" ? "[]" : answer.stdout));
  if (!read.success) return new Error("ip: its answer is not what ip(8) prints");
  return read.data.filter(({ protocol }) => String(protocol) !== BGP).map(({ dst }) => destination(dst, family));
}

const destination = (text: string, family: 4 | 6): string => {
  if (text === "default") return family === 4 ? "0.0.0.0/0" : "::/0";
  return text.includes("/") ? text : `${text}/${family === 4 ? 32 : 128}`;
};

const paths = z.array(z.looseObject({ peerId: z.string().optional(), peer: z.looseObject({ peerId: z.string() }).optional(), tag: z.number().optional() }));
const origins = z.looseObject({ routes: z.record(z.string(), z.union([paths, z.looseObject({ paths })])).default({}) });

/** A prefix that FRR is the origin of. */
export interface Origin {
  readonly prefix: string;
  /** It has the tag of what the agent has redistributed. */
  readonly byAgent: boolean;
}

/** Tag of a path that no neighbour has announced: without details, and with them by family. */
const OWN: ReadonlySet<string> = new Set(["(unspec)", "0.0.0.0", "::"]);

/** Pure. Prefixes that FRR originates. Empty for an FRR without BGP. */
export function originsIn(answer: Answer): Origin[] | Error {
  if (answer.status !== 0) return failure("vtysh", answer);
  // vtysh prints errors about unknown commands before the JSON.
  const read = origins.safeParse(json(answer.stdout.slice(Math.max(answer.stdout.indexOf("{"), 0))));
  if (!read.success) return new Error("vtysh: its answer is not what FRR prints");
  return Object.entries(read.data.routes).flatMap(([prefix, found]) => {
    const own = (Array.isArray(found) ? found : found.paths).filter(({ peerId = "(unspec)", peer }) => OWN.has(peer?.peerId ?? peerId));
    return own.length > 0 ? [{ prefix, byAgent: own.some(({ tag }) => tag === ROUTE_TAG) }] : [];
  });
}

const health = z.object({
  healthy: z.boolean(),
  chassis: z.string().nullable(),
  problems: z.array(z.object({ code: z.string(), subject: z.string(), message: z.string() })),
  announced: z.array(z.string()),
});

export type AgentHealth = z.output<typeof health>;

/** Pure. Parses an agent's answer: a head, an empty line, and JSON. */
export function healthIn(answer: Answer, where: string): AgentHealth | Error;
/** @param schema of another agent's answer */
export function healthIn<Health>(answer: Answer, where: string, schema: z.ZodType<Health>): Health | Error;
export function healthIn(answer: Answer, where: string, schema: z.ZodType = health): unknown {
  if (answer.status !== 0) return new Error(`no agent answers at ${where}${words(answer)}`);
  const read = schema.safeParse(json(answer.stdout.slice(answer.stdout.indexOf("\r\n\r\n"))));
  return read.success ? read.data : new Error(`what answers at ${where} is not an agent of this release`);
}

const failure = (program: string, answer: Answer): Error => new Error(`${program} ended with ${answer.status}${words(answer)}`);

/** Last line of a program's output, which usually has the reason. */
function words({ stdout, stderr }: Answer): string {
  const message = (stderr.trim() || stdout.trim()).split("\n").at(-1)!.trim();
  return message === "" ? "" : `: ${message}`;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
