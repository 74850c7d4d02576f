import fc from "fast-check";
import type { Workload } from "@pulumi-ovn/sandbox";
import { workloadAddresses } from "@pulumi-ovn/sandbox/testing";
import { statesOf } from "../planned";
import type { Case } from "./case";
import { drawnNetwork } from "./drawn";
import { ACCESS_CONTROL, FURTHER_EXAMPLES, FURTHER_WORKLOADS } from "./examples";
import { ruled, STAGES } from "./stacks";

/** `SEED:COUNT`, for cases that are too slow for each run of the tests. */
const wanted = process.env["AGREEMENT"] ?? "";

/** MACs derive from the addresses. */
const server = (name: string, host: string, last: number): Workload => ({
  name,
  host,
  mac: `0a:58:0a:50:00:${last.toString(16).padStart(2, "0")}`,
  addresses: [`10.80.0.${last}/16`],
  gateways: ["10.80.0.1"],
});
/** Workloads of all cases. */
export const WORKLOADS: readonly Workload[] = [
  ...[1, 2, 3, 4, 5, 6].map((index) => ({ ...workloadAddresses(index), host: `node${((index - 1) % 3) + 1}` })),
  server("web1", "node1", 11),
  server("web2", "node2", 12),
  server("db1", "node2", 21),
  ...(wanted === "" ? [] : FURTHER_WORKLOADS),
];

const stage = (title: string, isUpdate: boolean): Case => {
  const [, settings] = STAGES.find(([each]) => each === title)!;
  return { name: `an upgrade, ${title}`, isUpdate, states: () => statesOf(ruled(settings)) };
};

const drawn = (seed: number, index: number): Case => ({
  name: `random network ${index} of seed ${seed}`,
  isUpdate: false,
  states: () => statesOf(fc.sample(drawnNetwork, { seed, numRuns: index + 1 })[index]!),
});

/** Examples, stages of an upgrade, then drawn networks. */
function furtherCases(): Case[] {
  if (wanted === "") return [];
  const [seed = 0, count = 0] = wanted.split(":").map(Number);
  const summed = [...STAGES.map(([title], index) => stage(title, index > 0)), ...Array.from({ length: count }, (_, index) => drawn(seed, index))];
  return [...FURTHER_EXAMPLES, ...summed.map((each) => ({ ...each, isSummed: true }))];
}

/** Mixed states of an upgrade, an example, and drawn networks about which a simulation was once wrong. */
export const CASES: readonly Case[] = [
  // An ACL "allow-stateless", and a reply that does not pass the router which has translated its address.
  drawn(1638628264, 3),
  drawn(1638628264, 5),
  stage("back: move node1 to the gateway topology", false),
  stage("back: move node2 to the gateway topology", true),
  ACCESS_CONTROL,
  ...furtherCases(),
];
