import { kindOfType } from "@pulumi-ovn/provider";
import { layer2, type Surroundings } from "./layer2";
import { networksIn } from "./networks";
import { OUTSIDE } from "./outside";
import { type Box, facts, type PicturedResource, type Scene } from "./scene";
import { merged } from "./merge";
import { textOf, textsOf } from "./values";

/** Which address a workload leaves with, and on which node. */
export function egress(resources: readonly PicturedResource[], network?: string): Scene {
  const addresses = resources.filter(({ type }) => kindOfType(type) === "EgressAddress");
  const surroundings: Surroundings = {
    egressOf: ({ inputs }) => addresses.filter((each) => each.inputs["zone"] === inputs["zone"] && each.inputs["gatewayRouterName"] === inputs["name"]),
    tunnelAddresses: () => [],
  };
  const parts = networksIn(resources)
    .filter(({ name }) => network === undefined || name === network)
    .map((each) => {
      const { columns, bands, boxes, links } = layer2(each, surroundings);
      const at = (layer: string) => `network ${each.name} ${layer}`;
      const kept = [OUTSIDE.id, at("egress"), at("gateway"), at("workloads")];
      const ways = Map.groupBy(
        addresses.flatMap((address) => textsOf(address.inputs["workloads"]).map((workload) => ({ workload, address }))),
        ({ workload }) => workload,
      );
      const wayOf = (own: string) => (ways.get(own) ?? []).map(({ address: { inputs } }) => `as ${textOf(inputs["address"])} on ${textOf(inputs["zone"])}`);
      const shown = boxes.filter(({ band }) => kept.includes(band)).map((box) => (box.band === at("workloads") ? withWays(box, wayOf) : box));
      return { columns, bands: bands.filter(({ id }) => kept.includes(id)), boxes: shown, links };
    });
  return { title: "Egress", question: "Which address does a workload leave with, and on which node?", ...merged(parts) };
}

function withWays(box: Box, wayOf: (address: string) => readonly string[]): Box {
  const ways = box.facts.flatMap(({ value }) => wayOf(value));
  return { ...box, facts: [...box.facts, ...facts("leaves", ways.length === 0 ? [`by the gateway router on ${box.column}`] : ways)] };
}
