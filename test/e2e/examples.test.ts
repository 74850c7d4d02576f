import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import accessControl from "../../examples/access-control/proof.mts";
import bgpExposure from "../../examples/bgp-exposure/proof.mts";
import dualStack from "../../examples/dual-stack/proof.mts";
import gitops from "../../examples/gitops/proof.mts";
import intents from "../../examples/intents/proof.mts";
import liveMigration from "../../examples/live-migration/proof.mts";
import regions from "../../examples/regions/proof.mts";
import routeAdvertisement from "../../examples/route-advertisement/proof.mts";
import upgrade from "../../examples/upgrade/proof.mts";
import vpc from "../../examples/vpc/proof.mts";
import { Example, failed, type Scenario, up } from "@pulumi-ovn/sandbox";
import { contents, leftovers, projectRoot } from "@pulumi-ovn/sandbox/testing";
import { explained } from "../support/explained";
import { until } from "../support/until";

/** Longer than any of them takes on a busy machine: `npm test` has built the plugin that gitops needs. */
jest.setTimeout(900_000);

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** `npm run example`, as its user runs it. */
const command = (...args: string[]) =>
  new Promise<Ran>((resolve) => {
    execFile(process.execPath, [join(projectRoot, "scripts/run.mjs"), "example", ...args], { cwd: projectRoot, timeout: 880_000 }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === "number" ? error.code : error ? 1 : 0, stdout, stderr }),
    );
  });

describe("npm run example", () => {
  it("deploys an example and runs its proof, keeps it on request, and removes it", async () => {
    const kept = await command("quickstart", "--keep");
    expect([kept.code, kept.stderr.includes("> What packets show")]).toEqual([0, true]);
    const checks = kept.stdout.split("\n").filter((line) => /^ {2}(ok|FAILED)/.test(line));
    expect([checks.length, checks.filter((line) => line.startsWith("  FAILED"))]).toEqual([14, []]);

    const outputs = await command("quickstart", "pulumi", "stack", "output", "--json");
    expect(JSON.parse(outputs.stdout)).toEqual({
      gateway: { addresses: ["203.203.0.1/16", "2010:100:200::1/60"], mac: "0a:58:cb:cb:00:01" },
      transitSubnets: ["100.88.0.0/16", "fd97::/64"],
    });
    expect(kept.stdout).toContain("npm run -s sandbox -- exec --name ex-quickstart node1 ovn-nbctl show\n");
    expect(await command("quickstart", "pulumi-ovn", "status")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^status shows VPCs, BGP exposures and intents, and stack test has none of them/),
    });
    const again = await command("quickstart", "pulumi", "up", "--yes", "--skip-preview", "--color=never");
    expect(again.stdout).toContain("20 unchanged");

    expect(await command("quickstart", "down")).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(existsSync(join(projectRoot, ".sandbox/example-quickstart"))).toBe(false);
    expect(await command("quickstart", "pulumi", "preview")).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("sandbox ex-quickstart is not up"),
    });
  });

  it("lists the examples, and refuses unknown ones", async () => {
    const { stdout } = await command("--help");
    expect(stdout.split("\n").at(-2)).toMatch(
      /^examples: access-control, bgp-exposure, dual-stack, egress-ip, gitops, intents, live-migration, node-local, quickstart, regions, .*upgrade/,
    );
    expect(await command("quickstrat")).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(/^error: there is no example "quickstrat"\n/) });
    expect(await command("quickstart", "--hold")).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(/^error: not understood: --hold\n/) });
  });
});

const cases: readonly (readonly [name: string, resources: number, scenario: Scenario])[] = [
  ["access-control", 19, accessControl],
  ["bgp-exposure", 3, bgpExposure],
  ["dual-stack", 38, dualStack],
  ["gitops", 5, gitops],
  ["intents", 16, intents],
  ["live-migration", 19, liveMigration],
  ["regions", 14, regions],
  ["route-advertisement", 17, routeAdvertisement],
  ["upgrade", 20, upgrade],
  ["vpc", 9, vpc],
];

it.each(cases)("%s: packets show it, a second update changes nothing, and destroy leaves nothing", async (name, resources, scenario) => {
  await using sandbox = await up({ ...scenario.sandbox, name: `test-${name}`.slice(0, 20) });
  await scenario.prepare?.(sandbox, () => undefined);
  const before = await contents(sandbox);
  const configuration = scenario.configuration?.(sandbox) ?? {};
  // With the plugin of @pulumi/kubernetes each of two templates is a resource.
  const count = "kubernetesPlugin" in configuration ? resources + 1 : resources;
  await using example = await Example.of(name, sandbox.targets, { configuration });
  expect(await explained(sandbox, () => example.changes("up"))).toEqual({ create: count });
  // The upstream router learns routes some time after the update.
  await until(async () => (await contents(sandbox)).length >= before.length + resources);
  expect(await example.changes("up")).toEqual({ same: count });

  expect(failed(await scenario.prove({ sandbox, example }))).toEqual([]);

  expect(Object.keys(await example.changes("destroy"))).toEqual(["delete"]);
  expect(await leftovers(sandbox, before)).toEqual([]);
});
