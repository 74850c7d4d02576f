import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { VpcAclRuleArgs, VpcArgs } from "@pulumi-ovn/provider";
import { commandLine } from "../../../support/command-line";
import { FROM_WEB, shopVpc, SQL } from "../../../support/shop-vpc";
import { vpcPreview } from "../../../support/vpc-preview";

const WORKLOADS: VpcArgs["workloads"] = {
  "web\u202e1": { tier: "web", host: "h1", mac: "0a:00:00:00:00:01", addresses: ["10.1.1.11"], port: "web1" },
  // The hypervisor adds its interface.
  web2: { tier: "web", host: "h2", mac: "0a:00:00:00:00:02", addresses: ["10.1.1.12"] },
  db1: { tier: "db", host: "h2", mac: "0a:00:00:00:00:03", addresses: ["10.1.2.11"] },
};
const argsOf = (rules: readonly VpcAclRuleArgs[], change?: Partial<VpcArgs>): VpcArgs => shopVpc(WORKLOADS, rules, change);

const previewOf = (before: VpcArgs | undefined, after: VpcArgs, intents: readonly object[]) => vpcPreview(before ? [before] : [], [after], intents);

const sql = { protocol: "tcp", port: 5432 } as const;
const INTENTS = [
  { from: "web\u202e1", to: "db1", ...sql, blocked: true },
  { from: "web2", to: "web\u202e1", reach: true },
  { from: "db1", to: { address: "203.0.113.9" }, reach: true, byNode: "h2" },
];

const folder = mkdtempSync(join(tmpdir(), "intents-"));
process.env["TMPDIR"] = folder;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function judged(preview: object, ...options: string[]) {
  const file = join(folder, "preview.json");
  writeFileSync(file, JSON.stringify(preview));
  return commandLine("diff", file, "--intents", ...options);
}

it("fails for intents that the update breaks, and reports the others apart", async () => {
  const broken = await judged(previewOf(argsOf([FROM_WEB, SQL]), argsOf([SQL]), INTENTS), "--json");
  expect([broken.code, broken.stderr]).toEqual([1, "pulumi-ovn diff: OVN_INTENT: the update breaks 1 of 3 intents\n"]);
  expect((JSON.parse(broken.stdout) as { judged: unknown }).judged).toEqual([
    {
      kind: "Vpc",
      network: "shop",
      intent: "web\u202e1 does not reach db1, tcp port 5432",
      verdict: "broken",
      why: "web\u202e1 to db1, tcp port 5432, IPv4: delivered in h2",
    },
    { kind: "Vpc", network: "shop", intent: "web2 reaches web\u202e1", verdict: "holds" },
    {
      kind: "Vpc",
      network: "shop",
      intent: "db1 reaches 203.0.113.9, by h2",
      verdict: "broken-before",
      why: "db1 to 203.0.113.9, icmp, IPv4: leaves by h3",
    },
  ]);
  const simulated = await commandLine("simulate", "--preview", join(folder, "preview.json"), "--json");
  expect([simulated.code, simulated.stderr]).toEqual([1, "pulumi-ovn simulate: OVN_INTENT: the update breaks 1 of 3 intents\n"]);
  expect((JSON.parse(simulated.stdout) as { intents: unknown }).intents).toEqual((JSON.parse(broken.stdout) as { judged: unknown }).judged);
  const text = await judged(previewOf(argsOf([FROM_WEB, SQL]), argsOf([SQL]), INTENTS));
  expect(text.stdout).toContain(`
! BROKEN by the update: Vpc shop: web\\u{202e}1 does not reach db1, tcp port 5432 (web\\u{202e}1 to db1, tcp port 5432, IPv4: delivered in h2)
  broken before and after the update: Vpc shop: db1 reaches 203.0.113.9, by h2 (db1 to 203.0.113.9, icmp, IPv4: leaves by h3)
  1 intent holds before and after the update
`);
  expect(readdirSync(folder).filter((name) => name.startsWith("pulumi-ovn-vpc-"))).toEqual([]);
});

it("judges a new VPC, a mended one, and one that moves, and knows nothing of what a preview does not show", async () => {
  const [blocked] = INTENTS as [object];
  const created = await judged(previewOf(undefined, argsOf([FROM_WEB, SQL]), [blocked]), "--json");
  expect([created.code, created.stdout]).toEqual([0, expect.stringContaining('"verdict":"holds"')]);
  const mended = await judged(previewOf(argsOf([SQL]), argsOf([FROM_WEB, SQL]), [blocked]), "--json");
  expect([mended.code, mended.stdout]).toEqual([0, expect.stringContaining('"verdict":"mended"')]);
  const moved = argsOf([FROM_WEB, SQL], { hosts: { ...argsOf([]).hosts, h4: { tunnelAddress: "198.18.0.4" } } });
  const away = { ...moved, workloads: { ...moved.workloads, db1: { ...moved.workloads!["db1"]!, host: "h4" } } };
  const elsewhere = await judged(previewOf(argsOf([FROM_WEB, SQL]), away, [blocked, { from: "web2", to: "db1", ...sql, blocked: true }]), "--json");
  expect([elsewhere.code, (JSON.parse(elsewhere.stdout) as { judged: { verdict: string }[] }).judged.map(({ verdict }) => verdict)]).toEqual([
    0,
    ["holds", "holds"],
  ]);
  const hidden = previewOf(argsOf([SQL]), argsOf([SQL]), [blocked]) as unknown as { steps: { urn: string; newState: { inputs: { places?: object } } }[] };
  for (const step of hidden.steps) if (step.urn.includes("ovn:network:Vpc::")) step.newState.inputs.places = { tiers: "[unknown]" };
  const unknown = await judged({ steps: hidden.steps.map((step) => ({ ...step, op: "create", oldState: undefined })) }, "--json");
  expect([unknown.code, unknown.stdout]).toEqual([
    0,
    expect.stringContaining('"verdict":"unknown","why":"the preview does not show the network\'s workloads"'),
  ]);
});
