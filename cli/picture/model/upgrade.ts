import { merged } from "./merge";
import { networksIn } from "./networks";
import { type Box, type Column, facts, type PicturedResource, type Scene } from "./scene";
import { textOf, textsOf } from "./values";

/** Meaning of the stages of an upgrade. */
const STAGES: Readonly<Record<string, string>> = {
  none: "no upgrade is in progress",
  shield: "announcements of other zones are blocked",
  move: "nodes change their topology",
  follow: "nodes reach each other over transit links",
  announce: "workloads receive the new gateway MAC",
  settle: "rows for old neighbour entries are left",
};

/** Topology and stage of each node. */
export function upgrade(resources: readonly PicturedResource[], network?: string): Scene {
  const parts = networksIn(resources)
    .filter(({ name }) => network === undefined || name === network)
    .map(({ name, parts: own }) => {
      const band = { id: `upgrade ${name}`, title: `${name}: topology` };
      const boxes = own.flatMap(({ zone, router, topology }): Box[] => {
        if (router === undefined) return [];
        const { inputs, urn } = router;
        const stage = textOf(inputs["upgrade"] ?? inputs["stage"]) ?? "none";
        const meaning = STAGES[stage];
        const shown = [
          ...facts("topology", [topology]),
          ...facts("stage", [meaning === undefined ? stage : `${stage}: ${meaning}`]),
          ...facts("gateway MAC", textsOf(inputs["gatewayMac"])),
        ];
        return [
          {
            id: `${band.id} ${zone}`,
            role: "host",
            title: `node ${textOf(inputs["node"]) ?? zone}`,
            facts: shown,
            band: band.id,
            column: zone,
            columns: [],
            sources: [{ urn, arguments: ["members", "nodes", "upgrade"] }],
          },
        ];
      });
      return { columns: own.map(({ zone }): Column => ({ id: zone, title: `zone ${zone}`, facts: [] })), bands: [band], boxes, links: [] };
    });
  return { title: "Upgrade", question: "Which topology and stage does each node have?", ...merged(parts) };
}
