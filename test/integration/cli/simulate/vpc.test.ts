import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { VpcAclRuleArgs, VpcArgs } from "@pulumi-ovn/provider";
import { commandLine } from "../../../support/command-line";
import { vpcPreview } from "../../../support/vpc-preview";

const folder = mkdtempSync(join(tmpdir(), "simvpc-"));
process.env["TMPDIR"] = folder;
const log = (process.env["PULUMI_OVN_LOG"] = join(folder, "log.jsonl"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
// The log has only transactions of the real hosts.
afterEach(() => expect(existsSync(log)).toBe(false));
afterEach(() => expect(readdirSync(folder).filter((name) => name.startsWith("pulumi-ovn"))).toEqual([]));

const SQL: VpcAclRuleArgs = { number: 20, action: "allow", direction: "ingress", protocol: "tcp", ports: "5432" };
const FROM_WEB: VpcAclRuleArgs = { number: 10, action: "deny", direction: "ingress", cidrs: ["10.1.1.0/24"] };

/** Two tiers over three hosts. Workloads web1 and web2 are alike. */
const argsOf = (db: readonly VpcAclRuleArgs[], change: Partial<VpcArgs> = {}): VpcArgs => ({
  name: "shop",
  hosts: { h1: { tunnelAddress: "198.18.0.1" }, h2: { tunnelAddress: "198.18.0.2" }, h3: { tunnelAddress: "198.18.0.3" } },
  tiers: {
    web: { cidrs: ["10.1.1.0/24"], gateways: ["10.1.1.1"], key: 1001, acl: "default_allow" },
    db: { cidrs: ["10.1.2.0/24"], gateways: ["10.1.2.1"], key: 1002, acl: "db" },
  },
  workloads: {
    web1: { tier: "web", host: "h1", mac: "0a:00:00:00:00:01", addresses: ["10.1.1.11"], port: "web1" },
    web2: { tier: "web", host: "h1", mac: "0a:00:00:00:00:02", addresses: ["10.1.1.12"], port: "web2" },
    db1: { tier: "db", host: "h2", mac: "0a:00:00:00:00:03", addresses: ["10.1.2.11"], port: "db1" },
  },
  virtualRouter: { host: "h3" },
  acls: { db: [...db] },
  stateful: true,
  ...change,
});

const WORKLOADS = argsOf([]).workloads!;
const NOW = argsOf([SQL]);

function run(preview: object, ...options: string[]) {
  const file = join(folder, "preview.json");
  writeFileSync(file, JSON.stringify(preview));
  return commandLine("simulate", "--preview", file, ...options);
}

/** Effects of a plan, one line each: the sections before the flows. */
async function effects(before: readonly VpcArgs[], after: readonly VpcArgs[]): Promise<string[]> {
  const { code, stdout, stderr } = await run(vpcPreview(before, after));
  expect([code, stderr]).toEqual([0, ""]);
  const lines = stdout.split("\n").slice(1).filter(Boolean);
  return lines.slice(0, lines.findIndex((line) => line === "Flows of hosts" || line === "Not known") >>> 0).map((line) => line.trim());
}

it.each<[string, VpcArgs, string[]]>([
  ["a rule is removed", argsOf([]), ["Lost", 'web1, web2 to db1: tcp 5432 IPv4; the end of ACL list "db" of Vpc "shop" decides']],
  ["a rule denies before others", argsOf([FROM_WEB, SQL]), ["Lost", 'web1, web2 to db1: tcp 5432 IPv4; rule 10 of ACL list "db" of Vpc "shop" decides']],
  [
    "the logical router of a host is disabled",
    argsOf([SQL], { enabled: { h1: false } }),
    [
      "Gained",
      'web1, web2 to db1: icmp IPv4; LogicalRouterBridge "shop-h1" decides',
      "Another way",
      'web1, web2 to db1: tcp 5432 IPv4; by the virtual router of h3 instead of the logical router of h1; LogicalRouterBridge "shop-h1" decides',
    ],
  ],
  [
    "a workload is removed",
    argsOf([SQL], { workloads: { web1: WORKLOADS["web1"]!, db1: WORKLOADS["db1"]! } }),
    [
      "Lost",
      "db1, outside, at h3, web1 to web2: icmp IPv4, tcp 5432 IPv4; web2 is removed",
      "web2 to db1: tcp 5432 IPv4; web2 is removed",
      "web2 to outside, web1: icmp IPv4, tcp 5432 IPv4; web2 is removed",
    ],
  ],
  [
    "nothing but the order of rules and arguments changes",
    argsOf([SQL, { ...FROM_WEB, number: 30 }], { workloads: { db1: WORKLOADS["db1"]!, ...WORKLOADS } }),
    [],
  ],
])("reports the effects on all pairs if %s", async (_what, after, expected) => {
  expect(await effects([NOW], [after])).toEqual(expected);
});

it("names a workload of two VPCs with its VPC, explains a path, and leaves out what is not known", async () => {
  const tiers = { web: { cidrs: ["10.2.1.0/24"], gateways: ["10.2.1.1"], key: 1003, acl: "default_allow" } };
  const other = argsOf([], { name: "mall", tiers, acls: {}, workloads: { web1: { ...WORKLOADS["web1"]!, port: "mall1", addresses: ["10.2.1.11"] } } });
  const preview = vpcPreview([NOW, other], [argsOf([]), other]);
  const explained = await run(preview, "--explain", "web1 of shop", "db1");
  expect([explained.code, explained.stdout]).toEqual([
    0,
    expect.stringMatching(
      /^web1 of shop to db1, icmp IPv4\n[^]*does not reach\n\nweb1 of shop to db1, tcp 5432 IPv4, before\n {2}first packet\n {4}h1, br-t1001, ingress\n {6}redirect: [^\n]*: LogicalRouterBridge "shop-h1"\n[^]*rule 20 of ACL list "db" of Vpc "shop"\n[^]*delivered to db1 in h2[^]* {2}reply\n[^]* {2}reaches\n[^]*, after\n[^]*the end of ACL list "db"[^]* {2}does not reach\n$/,
    ),
  ]);
  const unknown = (preview.steps as { urn: string; newState: { inputs: Record<string, unknown> } }[]).map((step) =>
    step.urn.endsWith("LogicalRouterBridge::shop-h1")
      ? { ...step, newState: { ...step.newState, inputs: { ...step.newState.inputs, mac: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" } } }
      : step,
  );
  const { code, stdout } = await run({ steps: unknown }, "--markdown");
  const why = 'host h1: LogicalRouterBridge "shop-h1" is left out: its arguments are known only during the update';
  expect([code, stdout]).toEqual([0, expect.stringContaining("**Not known after the update**")]);
  expect(stdout).toContain(`- \`${why}\``);
});
