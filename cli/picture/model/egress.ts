import { kindOfType } from "@pulumi-ovn/provider";
import { layer2, type Surroundings } from "./layer2";
import { networksIn } from "./networks";
import { OUTSIDE } from "./outside";
import { type Box, facts, type PicturedResource, type Scene } from "./scene";
import { merged } from "./merge";
import { objectOf, textOf, textsOf } from "./values";

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
      const gateways = new Map(each.parts.map(({ zone, gatewayRouter }) => [zone, gatewayRouter]));
      const { columns, bands, boxes, links } = layer2(each, surroundings);
      const at = (layer: string) => `network ${each.name} ${layer}`;
      const kept = [OUTSIDE.id, at("egress"), at("gateway"), at("workloads")];
      const ways = Map.groupBy(
        addresses.flatMap((address) => textsOf(address.inputs["workloads"]).map((workload) => ({ workload, address }))),
        ({ workload }) => workload,
      );
      const wayOf = (own: string) => (ways.get(own) ?? []).map(({ address: { inputs } }) => `as ${textOf(inputs["address"])} on ${textOf(inputs["zone"])}`);
      const shown = boxes
        .filter(({ band }) => kept.includes(band))
        .map((box) => (box.band === at("workloads") ? withWays(box, wayOf, gateways.get(box.column ?? "")) : box));
      return { columns, bands: bands.filter(({ id }) => kept.includes(id)), boxes: shown, links };
    });
  return { title: "Egress", question: "Which address does a workload leave with, and on which node?", ...merged(parts) };
}

function withWays(box: Box, wayOf: (address: string) => readonly string[], gateway: PicturedResource | undefined): Box {
  const ways = box.facts.flatMap(({ value }) => wayOf(value));
  const shown = facts("leaves", ways.length === 0 ? gatewayWays(gateway, box.column) : ways);
  return { ...box, facts: [...box.facts, ...shown.map((fact, index) => (index === 0 ? fact : { ...fact, joint: "or" }))] };
}

/** A workload without an egress address leaves with the addresses of its zone's gateway router, if that translates all. */
function gatewayWays(gateway: PicturedResource | undefined, zone: string | undefined): string[] {
  const { snatSubnets, snatDestinations, external } = gateway?.inputs ?? {};
  const isTranslated = textsOf(snatSubnets).length > 0 && snatDestinations === undefined;
  const addresses = isTranslated ? textsOf(objectOf(external)["addresses"]).map((address) => address.split("/")[0]) : [];
  return [`${addresses.length === 0 ? "" : `as ${addresses.join(", ")} `}by the gateway router on ${zone}`];
}
