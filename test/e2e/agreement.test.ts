import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Sandbox, up } from "@pulumi-ovn/sandbox";
import { runFolder } from "../support/sandbox-runs";
import { CASES, WORKLOADS } from "../support/agreement/cases";
import { Rig } from "../support/agreement/rig";

const folder = runFolder();
process.env["PULUMI_OVN_RUN"] = folder;
let sandbox: Sandbox;
let rig: Rig;

beforeAll(async () => {
  sandbox = await up({ name: "test-agreement", workloads: WORKLOADS });
  rig = await Rig.create(sandbox);
}, 120_000);
afterAll(async () => {
  await rig?.[Symbol.asyncDispose]();
  await sandbox?.down();
  rmSync(folder, { recursive: true, force: true });
});

const page = readFileSync(join(__dirname, "../../docs/how-to/simulate.md"), "utf8");

it.each(CASES.map((each) => [each.name, each] as const))(
  "packets do what the simulation says: %s",
  async (name, { isUpdate, isSummed, states, ...surroundings }) => {
    if (!isUpdate) await rig.leave();
    const { pairs, agreed, reached, unknown, disagreements } = await rig.judge(await states(), surroundings);
    const row = [name, pairs, agreed, pairs - agreed - disagreements.length].join(" | ");
    console.log(row, unknown);
    // Unknown answers are those that the page names.
    const unnamed = Object.keys(unknown).filter((why) => !page.includes(why));
    expect({ disagreements, unnamed }).toEqual({ disagreements: [], unnamed: [] });
    expect(reached).toBeGreaterThan(5);
    if (!isSummed) expect(page.split("\n").find((line) => line.startsWith(`${name} | `))).toBe(row);
  },
  300_000,
);
