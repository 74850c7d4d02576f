import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pulumiOvn } from "../support/pulumi-ovn";
import { Workspace } from "../support/workspace";

const saved = join(__dirname, "states/networks-0.2.0");

it("intents change a stack's state only, are shown by diff and status, and leave nothing", async () => {
  const program = await readFile(`${saved}.js`, "utf8");
  // Nothing listens at these endpoints: intents write to no target.
  const zone = (port: number) => ({ northbound: `tcp:127.0.0.1:${port}`, southbound: `tcp:127.0.0.1:${port + 1}` });
  await using workspace = await Workspace.create(program, { node1: zone(1), node2: zone(3) });
  await workspace.must("stack", "import", "--stack", "dev", "--file", `${saved}.json`);
  await workspace.up();
  const before = (await workspace.state()).resources;
  const tool = (...args: string[]) => pulumiOvn([...args, "--stack", "dev"], workspace.environment, workspace.folder);
  const intents = (port: number) => `
    ovn.expect(blue, { from: "vm1", to: ["vm2", "vm3"], reach: true });
    ovn.expect(blue, { from: "vm1", to: { address: "198.51.100.9" }, protocol: "tcp", port: ${port}, reach: true, sourceAddress: "172.18.0.100", byNode: "node1" });`;

  await workspace.write(program + intents(443));
  const shown = await tool("diff");
  expect([shown.code, shown.stdout]).toEqual([
    0,
    `trial/dev: 2 intents

+ intent of Layer2Network blue: vm1 reaches 198.51.100.9, tcp port 443, as 172.18.0.100, by node1
+ intent of Layer2Network blue: vm1 reaches vm2, vm3
`,
  ]);
  const judged = await tool("diff", "--intents");
  expect([judged.code, judged.stdout]).toEqual([0, `${shown.stdout}\n  2 intents hold before and after the update\n`]);
  expect(await workspace.changes("up", "--yes", "--skip-preview")).toEqual({ same: 34, update: 1 });
  expect((await tool("status")).stdout).toBe(`Intents of Layer2Network blue
   intent
   vm1 reaches 198.51.100.9, tcp port 443, as 172.18.0.100, by node1
   vm1 reaches vm2, vm3
`);

  await workspace.write(program + intents(8443));
  const changed = await tool("diff", "--json");
  expect(JSON.parse(changed.stdout)).toMatchObject({
    intents: [
      { kind: "Layer2Network", network: "blue", operation: "remove", intent: "vm1 reaches 198.51.100.9, tcp port 443, as 172.18.0.100, by node1" },
      { kind: "Layer2Network", network: "blue", operation: "add", intent: "vm1 reaches 198.51.100.9, tcp port 8443, as 172.18.0.100, by node1" },
    ],
    others: [],
  });

  await workspace.write(`${program}\novn.expect(blue, { from: "vm11", to: "vm2", reach: true });`);
  const refused = await workspace.run("preview", "--stack", "dev");
  expect([refused.code, refused.stdout]).toEqual([
    1,
    expect.stringContaining(`an intent of Layer2Network "blue" can't be made from these arguments:
      from: "vm11" is not one of vm1, vm2, vm3; did you mean "vm1"? [unknown-workload]`),
  ]);

  await workspace.write(program);
  expect(await workspace.changes("up", "--yes", "--skip-preview")).toEqual({ same: 34, update: 1 });
  expect(contents((await workspace.state()).resources)).toEqual(contents(before));
});

/** Without times and positions in the program. */
const contents = (resources: readonly { readonly urn: string; readonly inputs: object; readonly outputs: object }[]) =>
  Object.fromEntries(resources.map(({ urn, inputs, outputs }) => [urn, { inputs, outputs }]));
