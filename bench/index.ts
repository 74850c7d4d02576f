import { loadavg } from "node:os";
import { SandboxError } from "@pulumi-ovn/sandbox";
import { agent } from "./agent/agent";
import { agentPeer } from "./agent/peer/benchmark";
import { scaleAgent } from "./agent/scale-agent";
import { picture } from "./commands/picture";
import { simulate } from "./commands/simulate";
import { upgradePlan } from "./commands/upgrade";
import { bridgeFlows } from "./hosts/flows";
import { sandbox } from "./hosts/sandbox";
import { vpcPackets } from "./hosts/vpc-packets";
import { vpcPlan } from "./hosts/vpc-plan";
import { keep, table, type Benchmark } from "./kit/report";
import { advertisement } from "./objects/advertisement";
import { advertisementPreview } from "./objects/advertisement-preview";
import { objects } from "./objects/objects";
import { bulk } from "./rows/bulk";
import { cache } from "./rows/cache";
import { create } from "./rows/create";
import { egress } from "./rows/egress";
import { imports } from "./rows/import";
import { parsing } from "./rows/parsing";
import { transactions } from "./rows/transactions";
import { apply } from "./stacks/apply";
import { scale, scaleUp } from "./stacks/scale";
import { state } from "./stacks/state";
import { update } from "./stacks/update";
import { upgradeStage } from "./stacks/upgrade-stage";
import { wide } from "./stacks/wide";

const benchmarks: readonly Benchmark[] = [
  transactions,
  create,
  parsing,
  cache,
  bulk,
  update,
  apply,
  state,
  sandbox,
  egress,
  imports,
  upgradePlan,
  upgradeStage,
  bridgeFlows,
  advertisement,
  advertisementPreview,
  objects,
  vpcPlan,
  vpcPackets,
  agent,
  agentPeer,
  wide,
  scale,
  scaleUp,
  scaleAgent,
  picture,
  simulate,
];

/** Runs the named benchmarks, or all of them, one after the other: they would disturb each other. */
async function main(names: readonly string[]): Promise<void> {
  const unknown = names.filter((name) => !benchmarks.some((benchmark) => benchmark.name === name));
  if (unknown.length > 0) {
    console.error(`no benchmark is named ${unknown.join(", ")}; there are ${benchmarks.map(({ name }) => name).join(", ")}`);
    process.exitCode = 2;
    return;
  }
  for (const benchmark of benchmarks.filter(({ name }) => names.length === 0 || names.includes(name))) {
    console.log(`\n${benchmark.title}`);
    const before = loadavg()[0]!;
    const results = await benchmark.run();
    const load = [before, loadavg()[0]!] as const;
    console.log(table(results));
    await keep(benchmark, results, load);
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  // Tools that can't be fetched are named without a stack.
  console.error(error instanceof SandboxError ? `error: ${error.message}` : error);
  process.exitCode = 1;
});
