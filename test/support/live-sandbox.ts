import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type Sandbox, up, type UpOptions } from "@pulumi-ovn/sandbox";
import { runFolder } from "./sandbox-runs";
import type { Flows } from "./flows";
import { LiveNetwork } from "./live-network";
import { addElsewhere, forgetEarly, MACHINES, reached } from "./upgrade-flows";

/** A sandbox with a network for the tests of a file: created before the first, removed after the last. */
export function liveSandbox(options: UpOptions, begin: (sandbox: Sandbox, network: LiveNetwork) => unknown): void {
  const folder = runFolder();
  process.env["PULUMI_OVN_RUN"] = folder;
  let sandbox: Sandbox | undefined;
  let network: LiveNetwork | undefined;
  beforeAll(async () => {
    sandbox = await up(options);
    network = new LiveNetwork(sandbox.zones);
    await begin(sandbox, network);
  }, 120_000);
  afterAll(async () => {
    await network?.[Symbol.asyncDispose]();
    await sandbox?.down();
    rmSync(folder, { recursive: true, force: true });
  });
}

/** The sandbox of an upgrade: three hosts with {@link MACHINES}, which forget early, and networks elsewhere. */
export const upgradeSandbox = (name: string, begin: (sandbox: Sandbox, network: LiveNetwork) => void): void =>
  liveSandbox({ name, workloads: MACHINES }, async (sandbox, network) => {
    begin(sandbox, network);
    await addElsewhere(sandbox);
    await forgetEarly(sandbox);
  });

/** A stage with a change: it ends after every chassis has followed and traffic has continued for `wait` milliseconds. */
export const settledStage = (flows: Flows, sandbox: Sandbox, name: string, work: () => Promise<unknown>, { wait = 1_500, swap = false } = {}): Promise<void> =>
  flows.stage(
    name,
    async () => {
      await work();
      await reached(sandbox);
      await sleep(wait);
    },
    { swap },
  );

/** Losses of a moving guest count for the move until every chassis has followed. Later losses are in a separate stage. */
export async function movedStage(flows: Flows, sandbox: Sandbox, name: string, work: () => Promise<unknown>): Promise<void> {
  await flows.stage(name, async () => {
    await work();
    await reached(sandbox);
  });
  await flows.stage(`${name}, after`, () => sleep(1_500));
}
