import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { switchPrograms } from "@pulumi-ovn/cli/testing";
import type { VpcAclRuleArgs, VpcArgs } from "@pulumi-ovn/provider";
import { commandLine } from "../../../support/command-line";
import { FROM_WEB, shopVpc, SQL } from "../../../support/shop-vpc";
import { pulumiOvn } from "../../../support/pulumi-ovn";
import { vpcPreview } from "../../../support/vpc-preview";

const folder = mkdtempSync(join(tmpdir(), "simvpc-"));
process.env["TMPDIR"] = folder;
const log = (process.env["PULUMI_OVN_LOG"] = join(folder, "log.jsonl"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
// The log has only transactions of the real hosts.
afterEach(() => expect(existsSync(log)).toBe(false));
afterEach(() => expect(readdirSync(folder).filter((name) => name.startsWith("pulumi-ovn"))).toEqual([]));

/** Workloads web1 and web2 are alike. */
const WORKLOADS: NonNullable<VpcArgs["workloads"]> = {
  web1: { tier: "web", host: "h1", mac: "0a:00:00:00:00:01", addresses: ["10.1.1.11"], port: "web1" },
  web2: { tier: "web", host: "h1", mac: "0a:00:00:00:00:02", addresses: ["10.1.1.12"], port: "web2" },
  db1: { tier: "db", host: "h2", mac: "0a:00:00:00:00:03", addresses: ["10.1.2.11"], port: "db1" },
};
const argsOf = (db: readonly VpcAclRuleArgs[], change?: Partial<VpcArgs>): VpcArgs => shopVpc(WORKLOADS, db, change);
const NOW = argsOf([SQL]);

function run(preview: object, ...options: string[]) {
  const file = join(folder, "preview.json");
  writeFileSync(file, JSON.stringify(preview));
  return commandLine("simulate", "--preview", file, ...options);
}

/** A VPC of the same hosts, with bridges and ports of its own. */
function apart(name: string, number: number, args: VpcArgs): VpcArgs {
  const tiers = Object.entries(args.tiers).map(([tier, own]) => [tier, { ...own, key: own.key + 10 * number }]);
  const workloads = Object.entries(args.workloads!).map(([workload, own]) => [workload, { ...own, port: `${workload}-${number}` }]);
  return { ...args, name, tiers: Object.fromEntries(tiers), workloads: Object.fromEntries(workloads) };
}

const { web, db } = NOW.tiers as Record<"web" | "db", VpcArgs["tiers"][string]>;
const NEW = { ...WORKLOADS["db1"]!, mac: "0a:00:00:00:00:04", addresses: ["10.1.2.12"] };

/** One simulation for all plans: each is of a VPC of its name. */
const PLANS: Readonly<Record<string, VpcArgs>> = {
  unruled: argsOf([]),
  denied: argsOf([FROM_WEB, SQL]),
  disabled: argsOf([SQL], { enabled: { h1: false } }),
  removed: argsOf([SQL], { workloads: { web1: WORKLOADS["web1"]!, db1: WORKLOADS["db1"]! } }),
  reordered: argsOf([SQL, { ...FROM_WEB, number: 30 }], { workloads: { db1: WORKLOADS["db1"]!, ...WORKLOADS } }),
  shrunk: argsOf([SQL], { tiers: { web, db: { ...db, cidrs: ["10.1.2.0/28"] } } }),
  added: argsOf([SQL], { workloads: { ...WORKLOADS, db2: NEW, db3: { ...NEW, host: "h3", mac: "0a:00:00:00:00:05", addresses: ["10.1.2.13"] } } }),
  peer: NOW,
  renamed: NOW,
  moved: argsOf([SQL], { virtualRouter: { host: "h1" } }),
  closed: argsOf([SQL], { tiers: { web: { ...web, acl: "default_deny" }, db } }),
  stateless: argsOf([SQL], { stateful: false }),
  tiered: argsOf([SQL], {
    tiers: { web, db: { ...db, cidrs: [...db.cidrs, "fd02::/64"], gateways: [...db.gateways, "fd02::1"] } },
    workloads: { ...WORKLOADS, web2: { ...WORKLOADS["web2"]!, tier: "db", addresses: ["10.1.2.22", "fd02::22"] } },
  }),
};

interface PlannedStep {
  readonly urn: string;
  readonly oldState?: { readonly urn: string; readonly parent?: string };
  readonly newState: { readonly inputs: Record<string, unknown> };
}

/** The preview of all plans. A host of "peer" gets a wrong address of another, and "renamed" gets another name with an alias. */
function allPlans() {
  const named = Object.entries(PLANS).map(([name, args], number) => [apart(name, number, NOW), apart(name, number, args)] as const);
  const { steps } = vpcPreview(
    named.map(([before]) => before),
    named.map(([, after]) => after),
  ) as { readonly steps: readonly PlannedStep[] };
  const changed = steps.map((step) => {
    if (!step.urn.endsWith("VpcBridges::peer-h1")) return step;
    const { inputs } = step.newState;
    return { ...step, newState: { ...step.newState, inputs: { ...inputs, remotes: { ...(inputs["remotes"] as object), h2: "198.18.0.9" } } } };
  });
  return { steps: changed.map((step) => (step.urn.includes("::renamed") ? aliased(step) : step)) };
}

/** The engine has the old names only in the old state. */
function aliased(step: PlannedStep): object {
  const { oldState, ...rest } = step;
  return { ...(JSON.parse(JSON.stringify(rest).replaceAll("::renamed", "::other")) as object), oldState };
}

function onlyOf(name: string): { readonly steps: readonly object[] } {
  return { steps: allPlans().steps.filter((step) => JSON.stringify(step).includes(`Vpc::${name}`)) };
}

const EFFECTS = `net/dev: Packets take another way (316 connections simulated)

Lost
  db1 of closed to web1 of closed, web2 of closed: icmp IPv4, tcp 5432 IPv4; the end of ACL list "default_deny" of Vpc "closed" decides
  db1 of peer to web1 of peer, web2 of peer: icmp IPv4, tcp 5432 IPv4; LogicalRouterBridge "peer-h2" no longer decides
  db1 of removed, outside, at h3, web1 of removed to web2 of removed: icmp IPv4, tcp 5432 IPv4; web2 of removed is removed
  db1 of stateless to web1 of stateless, web2 of stateless: icmp IPv4, tcp 5432 IPv4; the end of ACL list "db" of Vpc "stateless" decides
  web1 of closed, web2 of closed to db1 of closed: tcp 5432 IPv4; the end of ACL list "default_deny" of Vpc "closed" decides
  web1 of denied, web2 of denied to db1 of denied: tcp 5432 IPv4; rule 10 of ACL list "db" of Vpc "denied" decides
  web1 of peer, web2 of peer to db1 of peer: tcp 5432 IPv4; LogicalRouterBridge "peer-h2" no longer decides
  web1 of tiered to web2 of tiered: icmp IPv4; the end of ACL list "db" of Vpc "tiered" decides
  web1 of unruled, web2 of unruled to db1 of unruled: tcp 5432 IPv4; the end of ACL list "db" of Vpc "unruled" decides
  web2 of removed to db1 of removed: tcp 5432 IPv4; web2 of removed is removed
  web2 of removed to outside, web1 of removed: icmp IPv4, tcp 5432 IPv4; web2 of removed is removed

Gained
  outside, at h3 to web2 of tiered: icmp IPv6, tcp 5432 IPv6; before: no workload has the address
  web1 of disabled, web2 of disabled to db1 of disabled: icmp IPv4; LogicalRouterBridge "disabled-h1" decides
  web1 of moved, web2 of moved to db1 of moved: icmp IPv4; LogicalRouterBridge "moved-h2" decides
  web2 of tiered to db1 of tiered: icmp IPv4; the end of ACL list "db" of Vpc "tiered" no longer decides
  web2 of tiered to outside: icmp IPv6, tcp 5432 IPv6; before: no workload has the address

Another way
  db1 of moved to web1 of moved, web2 of moved: icmp IPv4, tcp 5432 IPv4; by the virtual router of h1 instead of the logical router of h2; LogicalRouterBridge "moved-h2" decides
  db1 of moved, web1 of moved, web2 of moved to outside: icmp IPv4, tcp 5432 IPv4; node h1 instead of h3, by the virtual router of h1 instead of the virtual router of h3; the path changes
  db1 of tiered to web2 of tiered: icmp IPv4, tcp 5432 IPv4; by none instead of the logical router of h2; LogicalRouterBridge "tiered-h2" no longer decides
  outside, at h1 to db1 of moved, web1 of moved, web2 of moved: icmp IPv4, tcp 5432 IPv4; by the virtual router of h1 instead of the virtual router of h3; the path changes
  web1 of disabled, web2 of disabled to db1 of disabled: tcp 5432 IPv4; by the virtual router of h3 instead of the logical router of h1; LogicalRouterBridge "disabled-h1" decides
  web1 of moved, web2 of moved to db1 of moved: tcp 5432 IPv4; by the virtual router of h1 instead of the logical router of h1; LogicalRouterBridge "moved-h2" decides
  web1 of tiered to web2 of tiered: tcp 5432 IPv4; by the logical router of h1 instead of none; LogicalRouterBridge "tiered-h1" decides
  web2 of tiered to db1 of tiered: tcp 5432 IPv4; by none instead of the logical router of h1, source address 10.1.2.22 instead of 10.1.1.12; LogicalRouterBridge "tiered-h1" no longer decides
  web2 of tiered to outside: icmp IPv4, tcp 5432 IPv4; source address 10.1.2.22 instead of 10.1.1.12; the path changes
  web2 of tiered to web1 of tiered: icmp IPv4, tcp 5432 IPv4; by the logical router of h1 instead of none, source address 10.1.2.22 instead of 10.1.1.12; LogicalRouterBridge "tiered-h1" decides

Flows of hosts
  host h1, lr-added: +1 -0
  host h2, lr-added: +1 -0
  host h1, lr-closed: +2 -2
  host h2, lr-closed: +2 -2
  host h1, lr-denied: +1 -0
  host h2, lr-denied: +1 -0
  host h1, br-t1021: +0 -1
  host h1, br-t1022: +0 -1
  host h1, br-t1091: +0 -10
  host h1, br-t1092: +0 -10
  host h1, lr-moved: +0 -52
  host h2, lr-moved: +0 -2
  host h3, br-t1091: +0 -5
  host h3, br-t1092: +0 -5
  host h1, lr-removed: +0 -1
  host h2, lr-removed: +0 -1
  host h1, lr-reordered: +1 -0
  host h2, lr-reordered: +1 -0
  host h1, br-t1051: +3 -3
  host h1, lr-shrunk: +1 -1
  host h2, br-t1051: +3 -3
  host h2, lr-shrunk: +1 -1
  host h1, br-t1111: +0 -8
  host h1, br-t1112: +0 -8
  host h1, lr-stateless: +9 -28
  host h2, br-t1111: +0 -8
  host h2, br-t1112: +0 -8
  host h2, lr-stateless: +9 -28
  host h1, br-t1121: +3 -0
  host h1, lr-tiered: +5 -1
  host h2, br-t1121: +3 -0
  host h2, lr-tiered: +5 -1
  host h1, lr-unruled: +0 -2
  host h2, lr-unruled: +0 -2

Not known
  Vpc "added": new workloads are left out: "db2", port "db3-6" of host "h3"; a preview shows their hosts only if the Vpc has an intent: add one
  the virtual router on "h1" is assumed to pass packets
  the virtual router on "h3" is assumed to pass packets
  tunnels of hosts are assumed to work: BFD sessions are not simulated
  Open connections, ECMP choices, host routing, FRR and MTU are not simulated.
`;

it("reports the effects on all pairs: rules, routers, workloads, subnets, a wrong tunnel; none of a new name and another order", async () => {
  const { code, stdout, stderr } = await run(allPlans());
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toBe(EFFECTS);
  const why = 'Vpc "added": new workloads are left out: "db2", port "db3-6" of host "h3"; a preview shows their hosts only if the Vpc has an intent: add one';
  expect((await run(onlyOf("added"), "--markdown")).stdout).toContain(`- \`${why}\`\n`);
  expect(JSON.parse((await run(onlyOf("added"), "--json")).stdout)).toMatchObject({ effects: [], unknowns: [why, expect.stringContaining("BFD")] });
});

it("names a workload of two VPCs with its VPC, explains a path, and omits unknown effects", async () => {
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
  const assumed = 'not known: the virtual router on "h3" is assumed to pass packets';
  expect((await run(preview, "--explain", "web1 of shop", "outside")).stdout).toContain(`  reaches\n  ${assumed}\n`);
  const unknown = (preview.steps as { urn: string; newState: { inputs: Record<string, unknown> } }[]).map((step) =>
    step.urn.endsWith("LogicalRouterBridge::shop-h1")
      ? { ...step, newState: { ...step.newState, inputs: { ...step.newState.inputs, mac: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" } } }
      : step,
  );
  const { code, stdout } = await run({ steps: unknown }, "--markdown");
  const why = 'host h1: LogicalRouterBridge "shop-h1" is left out: its arguments are known only during the update';
  expect([code, stdout]).toEqual([0, expect.stringContaining("**Not known after the update**")]);
  expect(stdout).toContain(`- \`web1 of shop\`, \`web2\` to \`db1\`, \`outside\`, \`web1 of shop\`, \`web2\`: icmp IPv4, tcp 5432 IPv4; \`${why}\`\n`);
  expect(stdout.split("\n").filter((line) => line.startsWith("- `host"))).toEqual([`- \`${why}\``]);
});

it("needs only Open vSwitch's programs for a stack without zones, and draws its paths", async () => {
  const [bin, share] = [join(folder, "ovs/bin"), join(folder, "ovs/usr/share")];
  const { paths, schema } = switchPrograms();
  for (const made of [bin, share]) mkdirSync(made, { recursive: true });
  symlinkSync(dirname(schema), join(share, "openvswitch"));
  for (const [name, path] of Object.entries(paths)) symlinkSync(path, join(bin, name));
  const file = join(folder, "preview.json");
  writeFileSync(file, JSON.stringify(vpcPreview([NOW], [argsOf([])])));
  const drawn = join(folder, "drawn.svg");
  const only = { PATH: `${bin}:/usr/bin:/bin`, PULUMI_OVN_CACHE: folder };
  const lost = 'web1`, `web2` to `db1`: tcp 5432 IPv4; `the end of ACL list "db" of Vpc "shop"` decides';
  for (const args of [
    ["simulate", "--preview", file, "--markdown", "--svg", drawn],
    ["diff", file, "--simulate", "--markdown"],
  ]) {
    const { code, stdout, stderr } = await pulumiOvn(args, only);
    expect([code, stdout, stderr]).toEqual([0, expect.stringContaining(lost), ""]);
  }
  const ways = [...readFileSync(drawn, "utf8").matchAll(/<text class="title" x="16"[^>]*>([^<]*)</g)].map(([, text]) => text!);
  expect(ways.slice(0, 2)).toEqual([
    "A before: web1 → tier web → logical router → tier db → db1: delivered to db1 in h2",
    expect.stringMatching(/^B after: web1 → tier web → logical router: lost: .*by the end of ACL list &quot;db&quot;/),
  ]);
});
