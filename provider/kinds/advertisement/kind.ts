import { defineKind } from "../define";
import type { ObjectRendered } from "../../backends/objects/kind";
import { memo } from "../../kit/memo/memo";
import { type RouteAdvertisementSpec, schema } from "./args";
import { readCluster } from "./cluster/read";
import { routeAdvertisements } from "./controller";
import { CONFIGURATION, FRR } from "./cluster/reader";
import { effect } from "./effect";
import { generateFrrConfigurations } from "./generate";
import { listedIn } from "./names";
import { type Observed, factsOf, observedOf } from "./cluster/observed";

export const routeAdvertisement = defineKind({
  backend: "objects",
  name: "RouteAdvertisement",
  schema,
  async observe(spec, { targets, signal, lists }) {
    if (spec.mode === "controller") return null;
    return observedOf(spec, await readCluster(spec, spec.namespace, targets.cluster(spec.cluster), signal, lists));
  },
  render(spec, seen) {
    if (spec.mode === "controller" || seen === null) return { set: { objects: [routeAdvertisements(spec)] }, outputs: { accepted: true, announced: {} } };
    return generated(JSON.stringify([spec, seen]));
  },
  remains: ({ namespace }) => ({ set: { objects: [], kinds: [written(namespace)] } }),
  effect,
  outputs: ["accepted", "reason", "announced"],
});

const written = (namespace: string) => ({ apiVersion: FRR, kind: CONFIGURATION, ...listedIn(namespace) });

/** A refresh, the check after it and the update render the same, which takes a quarter of a second for a thousand nodes; of two, because an update has an old and a new one. */
const generated = memo(2, (text): ObjectRendered => {
  const [spec, seen] = JSON.parse(text) as [RouteAdvertisementSpec, Observed];
  const { objects, announced, warnings } = generateFrrConfigurations(spec, factsOf(seen));
  return {
    // If nothing is left to announce, the objects of earlier updates must still be deleted.
    set: { objects: objects.map((object) => ({ ...object, apiVersion: FRR, kind: CONFIGURATION })), kinds: [written(spec.namespace)] },
    outputs: { accepted: true, announced },
    warnings,
  };
});
