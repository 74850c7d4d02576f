import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pulumiOvn } from "../support/pulumi-ovn";
import { configuration, upgrade } from "../support/upgrade-walk";
import { finished, Workspace } from "../support/workspace";

let workspace: Workspace;
let attributes: string;
beforeAll(async () => {
  workspace = await Workspace.create('new ovn.TunnelKeyPool("keys", { owners: { blue: 2 } });', {});
  await workspace.up();
  await writeFile(join(workspace.folder, "whole.json"), await workspace.must("stack", "export", "--stack", "dev"));
  attributes = join(workspace.folder, "state/state/.pulumi/stacks/trial/dev.json.attrs");
});
afterAll(async () => workspace?.[Symbol.asyncDispose]());

const ATTEMPTS = 30;

/** Kills a Pulumi while it writes the attributes of its state; in about every second attempt it has been faster. */
async function killWriting(): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const before = statSync(attributes, { bigint: true }).mtimeNs;
    const child = workspace.start("stack", "import", "--file", "whole.json", "--stack", "dev");
    const end = finished(child);
    if (emptied(before)) process.kill(-child.pid!, "SIGKILL");
    await end;
    if (statSync(attributes).size === 0) return;
    await workspace.run("cancel", "--yes", "--stack", "dev"); // nothing to cancel where it was too late to kill
  }
  throw new Error(`in ${ATTEMPTS} attempts Pulumi was never killed in time`);
}

/** Waits, as closely as can be, until the file is empty; false when it was written whole meanwhile. */
function emptied(before: bigint): boolean {
  for (const until = Date.now() + 60_000; Date.now() < until; ) {
    const { size, mtimeNs } = statSync(attributes, { bigint: true });
    if (size === 0n) return true;
    if (mtimeNs !== before) return false;
  }
  throw new Error("Pulumi has not written the state");
}

it("continues after a killed Pulumi left an unreadable state and its lock", async () => {
  await killWriting();
  // Every command of Pulumi then fails with this text.
  for (const args of [["preview"], ["cancel", "--yes"], ["stack", "export"]]) {
    expect((await workspace.run(...args, "--stack", "dev")).stderr).toContain("failed to load checkpoint: EOF");
  }
  const before = await configuration(workspace);
  const { code, stdout, stderr } = await upgrade(workspace, "--network", "blue");
  expect(stdout).toContain(`a Pulumi that was killed left attributes of the state half written: removed ${attributes}\n`);
  // It got as far as the program, which has no network.
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^pulumi-ovn upgrade: OVN_UPGRADE_NETWORK: /)]);
  expect(await configuration(workspace)).toBe(before);
  await workspace.must("cancel", "--yes", "--stack", "dev");
  expect(await workspace.changes("up", "--yes", "--skip-preview")).toEqual({ same: 2 });
});

it("is repaired by hand as docs/how-to/operations.md describes", async () => {
  await killWriting();
  const text = await readFile(join(__dirname, "../../docs/how-to/operations.md"), "utf8");
  const command = /^find .* -size 0 .*$/m.exec(text)![0].replace("BACKEND", join(workspace.folder, "state/state"));
  const { code, stdout } = await finished(spawn("sh", ["-c", command], { stdio: ["ignore", "pipe", "pipe"] }));
  expect([code, stdout]).toEqual([0, `${attributes}\n`]);
  expect((await readdir(join(attributes, ".."))).filter((name) => name.endsWith(".json"))).toEqual(["dev.json"]);
  await workspace.must("cancel", "--yes", "--stack", "dev");
  expect(await workspace.changes("up", "--yes", "--skip-preview")).toEqual({ same: 2 });
});

it("pulumi-ovn diff repairs it, too, and shows the preview", async () => {
  for (const stack of [["--stack", "dev"], []]) {
    await writeFile(attributes, "");
    const { code, stdout, stderr } = await pulumiOvn(["diff", "--cwd", workspace.folder, ...stack], workspace.environment);
    expect(stderr).toContain("failed to load checkpoint: EOF");
    expect(stderr).toContain(`pulumi-ovn: a Pulumi that was killed left attributes of the state half written: removed ${attributes}\n`);
    expect([code, stdout]).toEqual([0, expect.stringContaining("trial/dev: no changes")]);
  }
});
