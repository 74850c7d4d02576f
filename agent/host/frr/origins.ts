import { type Family, formatPrefix, readable } from "@pulumi-ovn/provider/agent";
import { z } from "zod";
import type { LiveBgp, Origins } from "../live";
import { TAG } from "./config";

const answer = z.looseObject({
  routes: z.record(
    z.string(),
    z.looseObject({ paths: z.array(z.looseObject({ tag: z.number().optional(), sourced: z.boolean().optional(), local: z.boolean().optional() })) }),
  ),
});
type Path = z.output<typeof answer>["routes"][string]["paths"][number];

/**
 * Pure. Prefixes that bgpd originates from the table of a family, in the output of `show bgp ipvN unicast self-originate json detail`.
 * Routes that the agent's own `redistribute` line adds have its tag. Routes of an operator's line have no tag: if that line is the only
 * source, they are the prefixes that bgpd did not originate itself. Undefined: unknown.
 */
export function originsIn(text: string, bgp: LiveBgp, family: Family): Origins | undefined {
  const lines = bgp.redistributed[family];
  const own = lines.some((line) => line.own);
  if (!own && (lines.length === 0 || bgp.otherSources?.includes(family) === true)) return undefined;
  const read = answer.safeParse(json(text));
  if (!read.success) return undefined;
  const isOfTable = ({ tag, sourced, local }: Path) => (own ? tag === TAG : sourced === true && local !== true);
  const found = Object.entries(read.data.routes).filter(([, { paths }]) => paths.some(isOfTable));
  return { prefixes: found.flatMap(([prefix]) => readable(prefix).map(formatPrefix)), filtered: !own };
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
