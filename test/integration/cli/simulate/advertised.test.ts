import { readPreview } from "@pulumi-ovn/cli/diff";
import { Baseline, planOf, programs, reportOf } from "@pulumi-ovn/cli/testing";
import type { Layer2NetworkArgs } from "@pulumi-ovn/provider";
import { observedOf } from "@pulumi-ovn/provider/testing";
import { facts, node, spec } from "../../../support/advertisement";
import { type Declared, partsOf, previewBetween } from "../../../support/planned";
import { ownerOf } from "../../../support/provider";

jest.setTimeout(120_000);

const outside = (last: number) => ({ addresses: [`172.18.0.${last}/24`], nextHops: ["172.18.0.1"] });
const network = (name: string, keys: number, last: number, advertised?: Layer2NetworkArgs["advertised"]): Layer2NetworkArgs => ({
  name,
  subnets: [`203.20${keys}.0.0/16`],
  tunnelKeys: { switch: 16_715_779 + 2 * keys, router: 16_715_780 + 2 * keys },
  nodes: { node1: { id: 2, external: outside(last) }, node2: { id: 3, external: outside(last + 1) } },
  workloads: { [`${name}1`]: { node: "node1", addresses: [`203.20${keys}.0.21`] } },
  ...(advertised && { advertised }),
});
/** Both networks have their gateways on the same physical network. */
const red = network("red", 4, 31);
const blue = (advertised?: Layer2NetworkArgs["advertised"]) => network("blue", 3, 11, advertised);

/** Effects of a plan, where the fabric learns these networks from all nodes. */
async function effects(announced: readonly string[], before: readonly Declared[], after: readonly Declared[]) {
  const networks = Object.fromEntries(
    [red, blue()].filter(({ name }) => announced.includes(name)).map(({ name, subnets }) => [name, { topology: "layer2", subnets }]),
  );
  const given = { ...spec({ networks: networks as never }), networkSelectors: undefined };
  const inputs = { cluster: "prod", ...given, observed: observedOf(given as never, facts({ nodes: [node("node1"), node("node2")] })) };
  const state = { type: "pulumi-nodejs:dynamic/ovn:RouteAdvertisement", inputs };
  const { steps } = JSON.parse(await previewBetween(before, after)) as { steps: object[] };
  const all = [...steps, { op: "same", urn: ownerOf("RouteAdvertisement", "fabric"), oldState: state, newState: state }];
  const plan = planOf(readPreview(JSON.stringify({ steps: all }), "the preview"));
  await using baseline = await Baseline.create(plan, programs);
  const { omissions, effects: found } = reportOf(plan, await baseline.simulate(plan));
  expect(omissions).toEqual([]);
  return found.map(({ kind, from, to, packets }) => ({ kind, from, to, packets }));
}

it("asks from outside for workloads of announced networks, whose replies need their own addresses", async () => {
  const stack = (advertised?: Layer2NetworkArgs["advertised"]) => [...partsOf(red), ...partsOf(blue(advertised))];
  const advertised = { translateTo: ["172.18.0.111"] };
  const entering = { from: ["outside, at node1", "outside, at node2"], to: ["blue1"], packets: ["icmp IPv4"] };
  const found = await effects(["blue"], stack(), stack(advertised));
  expect(found).toContainEqual({ kind: "gained", ...entering });
  expect(found.flatMap(({ to }) => to)).not.toContain("red1");
  expect(await effects(["blue"], stack(advertised), stack())).toContainEqual({ kind: "lost", ...entering });
  const unannounced = await effects(["red"], stack(), stack(advertised));
  expect(unannounced.filter(({ from }) => from[0]!.startsWith("outside"))).toEqual([]);
});
