import type { Workload } from "@pulumi-ovn/sandbox";
import { observedOf } from "@pulumi-ovn/provider/testing";
import regions from "../../../examples/regions/proof.mts";
import { hosts } from "../../../examples/route-advertisement/hosts";
import { peersOf } from "../../../examples/route-advertisement/peers";
import { facts, node } from "../advertisement";
import { exampleState } from "../example-state";
import type { States } from "../planned";
import type { Case } from "./case";
import { ANNOUNCED, type Surroundings, TUNNELLED } from "./surroundings";

/** The host's own port of a network with management ports. All hosts have the same addresses. */
const management = (number: number): Workload => ({
  name: `host${number}`,
  host: `node${number}`,
  ifaceId: `k8s-blue_node${number}`,
  mac: "0a:58:cb:cb:00:02",
  addresses: ["203.203.0.2/16", "2010:100:200::2/60"],
  gateways: ["203.203.0.1", "2010:100:200::1"],
});

const sixOnly = (name: string, host: string, mac: string, address: string): Workload => ({
  name,
  host,
  mac,
  addresses: [`${address}/64`],
  gateways: ["2010:100:300::1"],
});

/** Workloads that only further examples have. MACs derive from the addresses. */
export const FURTHER_WORKLOADS: readonly Workload[] = [
  ...[1, 2, 3].map(management),
  sixOnly("six1", "node1", "0a:58:58:f0:f1:4d", "2010:100:300::11"),
  sixOnly("six2", "node2", "0a:58:c5:1e:f5:73", "2010:100:300::12"),
];

/** The state of an example's RouteAdvertisement includes what it observes in the cluster. */
function observed(states: States): States {
  const cluster = facts({
    nodes: Object.keys(hosts).map((name) => node(name)),
    frrConfigurations: Object.entries(hosts).map(([name, host]) => peersOf(name, host)) as never,
  });
  return new Map(
    [...states].map(([urn, state]) => {
      const { type, inputs } = state;
      return [
        urn,
        type.endsWith(":RouteAdvertisement") ? { ...state, inputs: { ...inputs, observed: observedOf(inputs as never, cluster), rows: {} } } : state,
      ];
    }),
  );
}

const example = (
  name: string,
  { settings = {}, title = "", ...surroundings }: Surroundings & { settings?: Readonly<Record<string, string>>; title?: string } = {},
): Case => ({
  name: `\`${name}\`${title}`,
  isUpdate: false,
  states: async () => observed(new Map((await exampleState(`examples/${name}`, settings)).map((entry) => [entry.urn, entry]))),
  ...surroundings,
});

/** The example with the most rules. */
export const ACCESS_CONTROL = example("access-control", TUNNELLED);

export const FURTHER_EXAMPLES: readonly Case[] = [
  example("dual-stack"),
  example("egress-ip"),
  example("intents", TUNNELLED),
  example("live-migration", { settings: { guests: JSON.stringify({ vm1: { node: "node1", to: "node2" } }) }, title: ", vm1 on the way" }),
  example("node-local"),
  example("quickstart"),
  example("regions", { settings: regions.configuration(), title: ", region east" }),
  example("route-advertisement", ANNOUNCED),
  example("upgrade"),
];
