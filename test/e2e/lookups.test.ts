import { Workspace } from "../support/workspace";
import { TestZones } from "../support/zones";

jest.setTimeout(600_000);

let zones: TestZones;
let workspace: Workspace;
beforeAll(async () => {
  zones = await TestZones.start(["node1"]);
  await zones.nbctl(
    "node1",
    "--wait=sb",
    "ls-add",
    "legacy",
    "--",
    "lsp-add",
    "legacy",
    "vm1",
    "--",
    "lsp-set-addresses",
    "vm1",
    "0a:58:0a:00:00:05 10.0.0.5",
    "--",
    "lr-add",
    "r0",
  );
  workspace = await Workspace.create("", zones.config);
});
afterAll(async () => {
  await workspace?.[Symbol.asyncDispose]();
  await zones?.stop();
});

const uuidOf = (table: string, name: string) => zones.nbctl("node1", "--bare", "--columns=_uuid", "find", table, `name=${name}`);
const PROGRAM = `
module.exports = async () => {
  const router = await ovn.getRouter({ zone: "node1", name: "r0" });
  const legacy = ovn.getSwitchOutput({ zone: pulumi.output("node1"), name: "legacy" });
  const made = new ovn.Layer2Switch("made", { zone: "node1", name: "made", subnets: ["10.9.0.0/16"], tunnelKey: 4242 });
  const again = ovn.getSwitchOutput({ zone: made.zone, name: "made" }, { dependsOn: [made] });
  new ovn.WorkloadPorts("more", { zone: "node1", switch: legacy.uuid, ports: { vm9: { addresses: ["10.0.0.9"], tunnelKey: 60 } } });
  return { router: router.uuid, macs: ovn.getPortOutput({ zone: "node1", name: "vm1" }).macs, key: again.tunnelKey, same: pulumi.all([again.uuid, made.uuid]).apply(([a, b]) => a === b) };
};`;

it("looks up existing rows in previews and updates, by the current targets, and rows of the program when they exist", async () => {
  await workspace.write(PROGRAM);
  const preview = await workspace.must("preview", "--diff", "--stack", "dev");
  expect(preview).toMatch(new RegExp(`switch +: "${await uuidOf("Logical_Switch", "legacy")}"`));
  expect(preview).toMatch(/ key +: \[unknown\]/);
  await workspace.up();
  expect(JSON.parse(await workspace.must("stack", "output", "--json", "--stack", "dev"))).toEqual({
    router: await uuidOf("Logical_Router", "r0"),
    macs: ["0a:58:0a:00:00:05"],
    key: 4242,
    same: true,
  });
  expect(await zones.nbctl("node1", "lsp-list", "legacy")).toMatch(/\(vm9\)/);
  expect(await workspace.must("stack", "export", "--stack", "dev")).not.toContain(zones.config["node1"]!.northbound);
});

it("reports missing rows in one line, and changes nothing", async () => {
  await workspace.write(PROGRAM.replace('name: "r0"', 'name: "r1"').replace('name: "made", subnets', 'name: "other", subnets'));
  const { code, stdout, stderr } = await workspace.run("up", "--yes", "--stack", "dev");
  expect(code).not.toBe(0);
  expect(stdout).toContain(
    `OVN_NOT_FOUND: getRouter "r1" in zone "node1" (${zones.config["node1"]!.northbound}): there is no Logical_Router called "r1"; did you mean "r0"?`,
  );
  expect(stdout + stderr).not.toMatch(/^\s+at .*[:(]\d+|node_modules|node:internal/m);
  expect(await uuidOf("Logical_Switch", "other")).toBe("");
});

it("needs no lookup to destroy", async () => {
  await zones.nbctl("node1", "lr-del", "r0");
  await workspace.must("destroy", "--yes", "--skip-preview", "--stack", "dev");
  expect(await zones.nbctl("node1", "lsp-list", "legacy")).not.toMatch(/vm9/);
  expect(await uuidOf("Logical_Switch", "made")).toBe("");
});
