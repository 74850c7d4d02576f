import fc from "fast-check";
import type { Sandbox, Workload } from "@pulumi-ovn/sandbox";
import { workloadAddresses } from "@pulumi-ovn/sandbox/testing";
import { exampleState } from "../example-state";
import { type States, statesOf } from "../planned";
import { runScript } from "../run-script";
import { drawnNetwork } from "./drawn";
import { ruled, STAGES } from "./stacks";

/** A stack whose simulation is compared with packets. */
export interface Case {
  readonly name: string;
  /** Whether the stack is an update of the case before. */
  readonly isUpdate: boolean;
  readonly states: () => Promise<States>;
  /** Prepares namespaces after the stack is applied. Returns the undo. */
  readonly prepare?: (sandbox: Sandbox) => Promise<() => Promise<unknown>>;
}

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
];

/** Zone, chassis of another zone, and the tunnel address of this chassis. */
const TUNNELS = [
  ["node1", "node2", "198.18.0.2"],
  ["node2", "node1", "198.18.0.1"],
] as const;

/** The tunnels, which another program makes, and the network outside of the example. */
async function surround(sandbox: Sandbox): Promise<() => Promise<unknown>> {
  await runScript(sandbox, "ext", "ip address replace 192.0.2.1/24 dev eth0");
  for (const [zone, chassis, address] of TUNNELS)
    await runScript(sandbox, zone, `ovn-sbctl --may-exist chassis-add ${chassis} geneve ${address} -- set Chassis ${chassis} other_config:is-remote=true`);
  return async () => {
    await runScript(sandbox, "ext", "ip address del 192.0.2.1/24 dev eth0");
    for (const [zone, chassis] of TUNNELS) await runScript(sandbox, zone, `ovn-sbctl --if-exists chassis-del ${chassis}`);
  };
}

const stage = (title: string, isUpdate: boolean): Case => {
  const [, settings] = STAGES.find(([each]) => each === title)!;
  return { name: `rules and services in an upgrade, ${title}`, isUpdate, states: () => statesOf(ruled(settings)) };
};

const drawn = (seed: number, index: number): Case => ({
  name: `a network drawn at random, seed ${seed}, number ${index}`,
  isUpdate: false,
  states: () => statesOf(fc.sample(drawnNetwork, { seed, numRuns: index + 1 })[index]!),
});

const example = (name: string, settings: Readonly<Record<string, string>> = {}): Case => ({
  name: ["the example", name, ...Object.keys(settings)].join(" "),
  isUpdate: false,
  states: async () => new Map((await exampleState(`examples/${name}`, settings)).map((entry) => [entry.urn, entry])),
});

const EXAMPLES: readonly Case[] = [
  example("egress-ip"),
  example("live-migration", { guests: JSON.stringify({ vm1: { node: "node1", to: "node2" } }) }),
  example("node-local"),
];

/** Examples, stages of an upgrade, then drawn networks, for `AGREEMENT=SEED:COUNT`. Too slow for each run of the tests. */
function furtherCases(wanted = ""): Case[] {
  if (wanted === "") return [];
  const [seed = 0, count = 0] = wanted.split(":").map(Number);
  // Without the end of the upgrade: it needs the order that the program gives.
  return [
    ...EXAMPLES,
    ...STAGES.slice(0, -1).map(([title], index) => stage(title, index > 0)),
    ...Array.from({ length: count }, (_, index) => drawn(seed, index)),
  ];
}

/** Mixed states of an upgrade, the example with the most rules, and drawn networks about which a simulation was once wrong. */
export const CASES: readonly Case[] = [
  // An ACL "allow-stateless", and a reply that does not pass the router which has translated its address.
  drawn(1638628264, 3),
  drawn(1638628264, 5),
  stage("back: move node1 to the gateway topology", false),
  stage("back: move node2 to the gateway topology", true),
  { ...example("access-control"), prepare: surround },
  ...furtherCases(process.env["AGREEMENT"]),
];
