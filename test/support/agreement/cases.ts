import type { Sandbox, Workload } from "@pulumi-ovn/sandbox";
import { workloadAddresses } from "@pulumi-ovn/sandbox/testing";
import { exampleState } from "../example-state";
import { type States, statesOf } from "../planned";
import { runScript } from "../run-script";
import { ruled, STAGES } from "./stacks";

/** A stack whose simulation is compared with packets. */
export interface Case {
  readonly name: string;
  /** Whether the stack is an update of the case before. */
  readonly isUpdate: boolean;
  readonly states: () => Promise<States>;
  readonly prepare?: (sandbox: Sandbox) => Promise<unknown>;
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
  ...[1, 2, 3].map((index) => ({ ...workloadAddresses(index), host: `node${index}` })),
  server("web1", "node1", 11),
  server("web2", "node2", 12),
  server("db1", "node2", 21),
];

/** The tunnels, which another program makes, and the network outside of the example. */
async function surround(sandbox: Sandbox): Promise<void> {
  await runScript(sandbox, "ext", "ip address replace 192.0.2.1/24 dev eth0");
  for (const [zone, chassis, address] of [
    ["node1", "node2", "198.18.0.2"],
    ["node2", "node1", "198.18.0.1"],
  ] as const)
    await runScript(sandbox, zone, `ovn-sbctl --may-exist chassis-add ${chassis} geneve ${address} -- set Chassis ${chassis} other_config:is-remote=true`);
}

const stage = (title: string, isUpdate: boolean): Case => {
  const [, settings] = STAGES.find(([each]) => each === title)!;
  return { name: `rules and services in an upgrade, ${title}`, isUpdate, states: () => statesOf(ruled(settings)) };
};

/** Mixed states of an upgrade, and the example with the most rules. */
export const CASES: readonly Case[] = [
  stage("back: move node1 to the gateway topology", false),
  stage("back: move node2 to the gateway topology", true),
  {
    name: "the example access-control",
    isUpdate: false,
    states: async () => new Map((await exampleState("examples/access-control")).map((entry) => [entry.urn, entry])),
    prepare: surround,
  },
];
