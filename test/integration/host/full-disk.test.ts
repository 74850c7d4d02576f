import { openTarget } from "@pulumi-ovn/cli/testing";
import { APPLY_VARIABLE, type Connections } from "@pulumi-ovn/provider/targets";
import { keptName } from "@pulumi-ovn/provider/testing";
import { FACTS } from "../../support/apply-record";
import { HeldResource } from "../../support/held-resource";
import { Switches } from "../../support/switches";
import { BRIDGES } from "../../support/vpc-host";

const switches = Switches.of({ name: "full-agent", hosts: 1, workloads: [] });

let targets: Connections;
let bridges: HeldResource;
let folder: string;
beforeAll(() => {
  targets = switches.targets();
  bridges = new HeldResource("VpcBridges", "urn:pulumi:dev::vpc::x::bridges", targets);
  folder = switches.sandbox.targets.hosts["node1"]!.agentFolder;
});
afterAll(() => targets?.close());

const shell = (script: string) => switches.on("node1", "sh", "-ec", script);
const fill = () => shell(`cat /dev/zero >${folder}/filler 2>/dev/null || :`);
const free = () => shell(`rm ${folder}/filler`);
/** All files of the folder, with digests. */
const files = () => shell(`cd ${folder}; sha256sum $(ls -A | grep -v filler)`);

const KEPT = { ...BRIDGES, agent: true };
const CHANGED = { ...KEPT, tiers: { ...BRIDGES.tiers, more: 1003 } };

it("a full disk keeps the file of the last update, and delays an undo until there is space", async () => {
  await shell(`mkdir -p ${folder}; mount -t tmpfs -o size=1100k,mode=700 none ${folder}`);
  await bridges.up(KEPT);
  const before = await files();
  expect(before).toMatch(new RegExp(`^[0-9a-f]{64}  ${keptName(bridges.urn)}\\n?$`));
  await fill();
  await expect(bridges.up(CHANGED)).rejects.toMatchObject({
    code: "OVN_AGENT_FILE",
    message: expect.stringMatching(/ can't be used: .*No space left on device; free space there, /) as string,
  });
  expect(await files()).toBe(before);
  await free();
  await bridges.up(KEPT);

  const target = await openTarget(targets, { kind: "host", name: "node1", database: "Open_vSwitch" });
  await target.layDown("0000001f", FACTS);
  const whole = await files();
  process.env[APPLY_VARIABLE] = "0000001f";
  const guarded = switches.targets();
  const applied = Object.assign(new HeldResource(bridges.kind, bridges.urn, guarded), { state: bridges.state });
  await applied.up(CHANGED).finally(() => delete process.env[APPLY_VARIABLE]);
  await guarded.close();
  const changed = await files();
  expect(changed).not.toBe(whole);
  await fill();
  await expect(target.undo("0000001f")).rejects.toThrow(`no space for 1 MB, which the undo needs, in ${folder}`);
  expect([await files(), (await target.read())!.phase]).toEqual([changed, "pending"]);
  await free();
  await target.undo("0000001f");
  expect([await files(), (await target.read())!.phase, (await target.read())!.kept]).toEqual([whole, "undone", []]);
  await target.forget("0000001f");
  await bridges.destroy();
  expect(await shell(`ls -A ${folder}`)).toBe("");
});
