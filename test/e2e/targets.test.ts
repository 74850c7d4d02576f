import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Central, startCentral } from "@pulumi-ovn/sandbox";
import { Workspace } from "../support/workspace";

jest.setTimeout(600_000);

const TOKEN = "t0ken-Qx7";
const PROGRAM = `
const sw = new ovn.Layer2Switch("sw", { zone: "node1", name: "l2", subnets: ["203.203.0.0/16"], tunnelKey: 5 });
exports.uuid = sw.uuid;
`;

let workspace: Workspace;
const centrals: Central[] = [];
afterAll(async () => {
  await workspace?.[Symbol.asyncDispose]();
  await Promise.all(centrals.map((central) => central.stop()));
});

async function central(): Promise<Central> {
  const started = await startCentral({ northd: false });
  centrals.push(started);
  await started.run("ovn-nbctl", ["init"]);
  return started;
}

const at = ({ northbound }: Central) => ({ node1: { northbound } });
/** The same database by a command that has a token among its arguments. */
const RELAY = `const s=require("net").connect(process.argv[1]);process.stdin.pipe(s);s.pipe(process.stdout)`;
const byCommand = ({ northbound }: Central) => ({ node1: { northbound: `exec:node -e '${RELAY}' ${northbound.replace(/^unix:/, "")} ${TOKEN}` } });
const switches = async (where: Central) => (await where.run("ovn-nbctl", ["--bare", "--columns=name", "list", "Logical_Switch"])).stdout.trim();

it("uses the current targets in every operation after the databases have moved", async () => {
  const [first, second, third] = [await central(), await central(), await central()];
  workspace = await Workspace.create(PROGRAM, at(first));
  await workspace.up();
  expect([await switches(first), await switches(second)]).toEqual(["l2", ""]);

  // Refresh first: the old databases have the rows still, the new ones do not.
  await workspace.target(at(second));
  expect(await workspace.changes("refresh", "--yes", "--skip-preview")).toEqual({ delete: 1, same: 1 });
  expect(await workspace.changes("up", "--yes", "--skip-preview")).toMatchObject({ create: 1 });
  expect(await switches(second)).toBe("l2");

  // A preview with --refresh.
  await workspace.target(at(third));
  const preview = await workspace.must("preview", "--refresh", "--stack", "dev");
  expect(preview).toMatch(/\+ .*Layer2Switch.* create/s);
  await workspace.up("--refresh");
  expect(await switches(third)).toBe("l2");

  // A destroy deletes rows only at the endpoints of the file of targets.
  await workspace.target(byCommand(third));
  expect(await workspace.changes("refresh", "--yes", "--skip-preview")).toEqual({ same: 2 });
  const destroyed = await workspace.must("destroy", "--yes", "--skip-preview", "--stack", "dev");
  expect(destroyed).toMatch(/- 2 deleted/);
  expect([await switches(first), await switches(second), await switches(third)]).toEqual(["l2", "l2", ""]);
});

it("keeps endpoints, commands and paths out of the state and the output", async () => {
  const where = await central();
  await workspace.target(byCommand(where));
  const shown = [
    await workspace.must("preview", "--diff", "--stack", "dev"),
    await workspace.up(),
    await workspace.stateText(),
    await workspace.must("stack", "export", "--stack", "dev"),
  ];
  expect(await switches(where)).toBe("l2");
  // The error of a failed command contains its program, not its arguments.
  await workspace.target({ node1: { northbound: `exec:/nowhere/program --token ${TOKEN}`, timeout: 2 } });
  const failed = await workspace.run("refresh", "--yes", "--skip-preview", "--stack", "dev");
  expect(failed.code).not.toBe(0);
  expect(failed.stdout + failed.stderr).toMatch(/exec:\/nowhere\/program/);
  shown.push(failed.stdout, failed.stderr);
  for (const text of shown) for (const secret of [TOKEN, where.northbound.replace(/^unix:/, ""), "exec:node"]) expect(text).not.toContain(secret);
  expect(shown[2]).toContain("ovn:Layer2Switch::sw");
});

it("refuses ovn:zones and a deleted file, each with a remedy", async () => {
  const where = await central();
  const config = join(workspace.folder, "Pulumi.dev.yaml");
  await rm(join(workspace.folder, "targets.yaml"));
  const gone = await workspace.run("preview", "--stack", "dev");
  expect(gone.stdout + gone.stderr).toMatch(/the file of targets "targets.yaml", named by the stack's configuration ovn:targets, can't be read/);
  await writeFile(config, `config:\n  ovn:zones: ${JSON.stringify(at(where))}\n`);
  const refused = await workspace.run("preview", "--stack", "dev");
  expect(refused.stdout + refused.stderr).toContain("npx --no-install pulumi-ovn targets");
});
