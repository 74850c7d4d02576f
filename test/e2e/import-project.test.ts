import { readdir, readFile } from "node:fs/promises";
import { difference, NO_DIFFERENCE } from "../support/dump";
import { kubernetesNetwork, plainNetwork } from "../support/live-networks";
import { compile, pulumiOvn } from "../support/pulumi-ovn";
import { Workspace } from "../support/workspace";
import { TestZones } from "../support/zones";

/** A meter with two bands, and one with one. */
const METERS = [
  "--id=@a",
  "create",
  "Meter_Band",
  "action=drop",
  "rate=100",
  "burst_size=10",
  "--",
  "--id=@b",
  "create",
  "Meter_Band",
  "action=drop",
  "rate=200",
  "--",
  "create",
  "Meter",
  "name=both",
  "unit=kbps",
  "bands=@a,@b",
  "--",
  "meter-add",
  "one",
  "drop",
  "300",
  "pktps",
];

it("writes a project that deploys without a change or warning, and is destroyed without leftovers", async () => {
  await using zones = await TestZones.start(["node1", "plain"]);
  const empty = await zones.northbound();
  await zones.nbctl("node1", ...kubernetesNetwork());
  await zones.nbctl("plain", ...plainNetwork());
  await zones.nbctl("plain", ...METERS);
  await zones.settled();
  const before = await zones.northbound();

  await using base = await Workspace.empty();
  const workspace = base.inside("fabric");
  const imported = await pulumiOvn(["import", "--out", workspace.folder, "--stack", "dev", "--project", "fabric"], {
    PULUMI_OVN_ZONES: JSON.stringify(zones.config),
  });
  expect(imported).toMatchObject({ code: 0, stderr: "" });
  expect((await readdir(workspace.folder)).sort()).toEqual([
    ".gitignore",
    "Pulumi.dev.yaml",
    "Pulumi.yaml",
    "import.json",
    "index.ts",
    "package.json",
    "report.txt",
    "targets.dev.yaml",
    "tsconfig.json",
  ]);
  const count = Number(/^(\d+) resources of stack dev/m.exec(imported.stdout)![1]);
  const program = await readFile(`${workspace.folder}/index.ts`, "utf8");
  expect(program.match(/bands: \[/g)).toHaveLength(2);
  expect(await compile(workspace.folder)).toMatchObject({ code: 0, stdout: "" });

  // The commands of docs/how-to/import.md, with an empty environment.
  await workspace.must("stack", "init", "dev");
  const taken = await workspace.run("import", "--file", "import.json", "--yes", "--protect=false", "--generate-code=false");
  expect([taken.code, taken.stderr]).toEqual([0, ""]);
  expect(taken.stdout).not.toMatch(/warning|bug in|error/i);
  const preview = await workspace.run("preview", "--expect-no-changes");
  expect([preview.code, preview.stderr]).toEqual([0, ""]);
  expect(preview.stdout).not.toMatch(/warning|error|Diagnostics/i);
  expect(preview.stdout).toContain(`${count + 1} unchanged`);
  expect(await workspace.changes("up", "--yes", "--skip-preview")).toEqual({ same: count + 1 });
  expect(difference(before, await zones.northbound())).toEqual(NO_DIFFERENCE);

  expect(await workspace.changes("destroy", "--yes", "--skip-preview")).toEqual({ delete: count + 1 });
  await zones.settled();
  expect(difference(empty, await zones.northbound())).toEqual(NO_DIFFERENCE);
});
