import { execFile } from "node:child_process";
import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { startCentral } from "@pulumi-ovn/sandbox";
import { temporaryFolder } from "../../support/ovsdb-server";

const root = join(__dirname, "../../..");
const run = promisify(execFile);

/** The page's own program: the block of code that imports the package. */
async function program(page: string): Promise<string> {
  const blocks = [...(await readFile(join(root, page), "utf8")).matchAll(/^```ts\n([^]*?)^```$/gm)].map(([, code]) => code!);
  return blocks.find((code) => code.startsWith("import "))!;
}

/** A user's folder, with the package installed, the page's program in it, and this server instead of the page's. */
async function project(endpoint: string): Promise<string> {
  const folder = await temporaryFolder();
  await mkdir(join(folder, "node_modules/@pulumi-ovn"), { recursive: true });
  await symlink(join(root, "ovsdb-client"), join(folder, "node_modules/@pulumi-ovn/ovsdb-client"));
  await symlink(join(root, "node_modules/@types"), join(folder, "node_modules/@types"));
  await writeFile(join(folder, "page.mts"), (await program("ovsdb-client/README.md")).replace("unix:/run/ovn/ovnnb_db.sock", endpoint));
  return folder;
}

test("the page's program compiles, and prints what the page shows", async () => {
  await using central = await startCentral({ northd: false });
  const folder = await project(central.northbound);
  try {
    await run(
      process.execPath,
      [join(root, "node_modules/typescript/bin/tsc"), "--noEmit", "--strict", "--module", "nodenext", "--target", "es2023", "--types", "node", "page.mts"],
      { cwd: folder },
    );
    const said = async () => (await run(process.execPath, ["page.mts"], { cwd: folder })).stdout.trim().split("\n");
    const connected = `connected ${central.northbound} standalone`;
    const databases = "[ 'OVN_Northbound', '_Server' ]";
    expect(await said()).toEqual([connected, "new Logical_Switch", "new Logical_Switch_Port", "true 1", `[ [ 'vm1', null ] ] ${databases}`]);
    // Again, with the switch there already.
    await central.run("ovn-nbctl", [`--db=${central.northbound}`, "lsp-del", "vm1"]);
    expect(await said()).toEqual([connected, "changed Logical_Switch", "new Logical_Switch_Port", "true 1", `[ [ 'vm1', null ] ] ${databases}`]);
    const { stdout } = await central.run("ovn-nbctl", [
      `--db=${central.northbound}`,
      "--bare",
      "--columns=name,external_ids,other_config",
      "list",
      "Logical_Switch",
    ]);
    expect(stdout.trim().split("\n")).toEqual(["blue", "seen=yes", "subnet=203.203.0.0/16"]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
