/** Programs that fail half-way, and updates that no preview comes before. */
import { blue } from "../support/network";
import { Workspace } from "../support/workspace";
import { TestZones } from "../support/zones";

let zones: TestZones;
let workspace: Workspace;
beforeAll(async () => {
  zones = await TestZones.start(["node1"], { northd: false });
  workspace = await Workspace.create("", zones.config);
});
afterAll(async () => {
  await workspace?.[Symbol.asyncDispose]();
  await zones?.stop();
});

const first = `const first = new ovn.Layer2Switch("first", { zone: "node1", name: "l2", subnets: ["203.203.0.0/16"] });`;
const wrong = `new ovn.Layer2Network("blue", ${JSON.stringify({ ...blue(["node1"], { gatewayAddresses: ["203.204.0.1"] }), tunnelKeys: [5, 6] })});`;

/** Output of an update without a preview, and the switches after it. */
async function updated(program: string) {
  await workspace.write(program);
  const { code, stdout, stderr } = await workspace.run("up", "--yes", "--skip-preview", "--stack", "dev");
  return { code, said: stdout + stderr, switches: await zones.nbctl("node1", "--bare", "--columns=name", "list", "Logical_Switch") };
}

it.each<[string, string, RegExp, number?]>([
  ["a component that is refused", `${first}\n${wrong}`, /gatewayAddresses\[0\]: 203\.204\.0\.1 is outside of 203\.203\.0\.0\/16/g],
  [
    "an error of the program itself",
    `${first}\nthrow new Error("of the program itself");`,
    /Error: of the program itself|^ +error: the program has failed, so no resource of pulumi-ovn that it has just made is written/gm,
    2,
  ],
  ["what is not an error at all", `${first}\nthrow "a text";`, /a text|^ +error: the program has failed/gm, 2],
  ["an error after an await", `module.exports = async () => { await null; ${first}\n${wrong} };`, /gatewayAddresses\[0\]/g],
])("writes nothing of what a program made before %s", async (_what, program, text, lines = 1) => {
  const { code, said, switches } = await updated(program);
  expect(switches).toBe("");
  expect(code).not.toBe(0);
  expect(said.match(text)).toHaveLength(lines);
});

it("applies a program that waits for its own resources, and one that continues after a refusal", async () => {
  const waiting = `${first}
    module.exports = async () => {
      const written = await new Promise((resolve) => first.revision.apply(resolve));
      try { ${wrong} } catch { new ovn.Layer2Switch("second", { zone: "node1", name: "l3-" + (written !== undefined), subnets: ["203.204.0.0/16"] }); }
    };`;
  const { code, switches } = await updated(waiting);
  expect(switches.split("\n").filter(Boolean).sort()).toEqual(["l2", "l3-true"]);
  expect(code).toBe(0);
});

it("reports in a preview also errors of resources before a refusal", async () => {
  await workspace.write(`new ovn.Layer2Switch("before", { zone: "node1", name: "l2", subnets: ["203.203.0.1/16"] });\n${wrong}`);
  const { stdout } = await workspace.run("preview", "--stack", "dev");
  expect(stdout).toContain("[host-bits]");
  expect(stdout).toContain("gatewayAddresses[0]: 203.204.0.1 is outside");
});
