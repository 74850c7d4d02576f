import { loadavg } from "node:os";
import { SandboxError } from "@pulumi-ovn/sandbox";
import { advertisement } from "./advertisement";
import { advertisementPreview } from "./advertisement-preview";
import { agent } from "./agent";
import { agentPeer } from "./agent-peer/benchmark";
import { apply } from "./apply";
import { bulk } from "./bulk";
import { cache } from "./cache";
import { create } from "./create";
import { parsing } from "./parsing";
import { egress } from "./egress";
import { bridgeFlows } from "./flows";
import { imports } from "./import";
import { objects } from "./objects";
import { keep, table, type Benchmark } from "./report";
import { picture } from "./picture";
import { sandbox } from "./sandbox";
import { scale, scaleUp } from "./scale";
import { scaleAgent } from "./scale-agent";
import { simulate } from "./simulate";
import { state } from "./state";
import { transactions } from "./transactions";
import { update } from "./update";
import { upgradePlan } from "./upgrade";
import { upgradeStage } from "./upgrade-stage";
import { vpcPlan } from "./vpc-plan";
import { vpcPackets } from "./vpc-packets";
import { wide } from "./wide";

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
