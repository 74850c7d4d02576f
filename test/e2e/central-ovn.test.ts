import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sandbox } from "@pulumi-ovn/sandbox";
import { projectRoot } from "@pulumi-ovn/sandbox/testing";
import { liveSandbox } from "../support/live-sandbox";
import { Workspace } from "../support/workspace";

jest.setTimeout(600_000);

/** docs/how-to/central-ovn.md: one zone with three chassis. */
let sandbox: Sandbox;
const workload = (n: number) => ({
  name: `vm${n}`,
  host: `node${n}`,
  mac: `0a:58:cb:cb:00:1${n}`,
  addresses: [`203.203.0.${16 + n}/16`],
  gateways: ["203.203.0.1"],
});
liveSandbox({ name: "central", hosts: 3, hostsPerZone: 3, workloads: [workload(1), workload(2)] }, (made) => void (sandbox = made));

it("deploys the network of the page: packets pass between chassis and to the gateway router, and destroy leaves nothing", async () => {
  const page = await readFile(join(projectRoot, "docs/how-to/central-ovn.md"), "utf8");
  const [, block] = /```ts\n([^]*?)```/.exec(page)!;
  // The sandbox has given its interfaces these MACs.
  const program = block!.replace(/(vm(\d): \{)/g, '$1 mac: "0a:58:cb:cb:00:1$2",');
  await using workspace = await Workspace.create(`const keys = new ovn.TunnelKeyPool("keys", { owners: { blue: 2 } });\n${program}`, sandbox.targets.zones);
  await workspace.up();
  for (const target of ["203.203.0.18", "203.203.0.1"]) {
    const { code, stdout } = await sandbox.exec("vm1", ["ping", "-c3", "-W5", target], { timeout: 60_000 });
    expect({ target, code, stdout }).toMatchObject({ target, code: 0 });
  }
  expect(Object.keys(await workspace.changes("up", "--yes", "--skip-preview", "--refresh"))).toEqual(["same"]);
  await workspace.must("destroy", "--yes", "--skip-preview", "--stack", "dev");
  const { stdout } = await sandbox.exec("node1", ["ovn-nbctl", "show"], { timeout: 60_000 });
  expect(stdout.trim()).toBe("");
});
