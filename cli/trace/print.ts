import { visible } from "@pulumi-ovn/provider/tools";
import type { Route } from "./route";

/** Pure. The steps, host by host, and the sentence. */
export function routeText({ segments }: Route, sentence: string): string {
  const lines = segments.flatMap(({ host, tier, port, steps }) => [
    `${host}, in by ${port} (tier ${tier})`,
    ...steps.map(
      ({ bridge, table, priority, match, cookie }) =>
        `  ${bridge} table ${table}: ${match === "" ? "any" : match}, priority ${priority}${cookie === "0x0" ? "" : `, cookie ${cookie}`}`,
    ),
  ]);
  return [...lines.map(visible), visible(sentence), ""].join("\n");
}

/** Pure. The same for programs. */
export function routeJson({ segments, virtualRouter, outcome }: Route, sentence: string): unknown {
  return {
    version: 1,
    sentence,
    outcome,
    virtualRouter: virtualRouter ?? null,
    segments: segments.map(({ verdict, ...segment }) => ({ ...segment, ...verdict })),
  };
}
