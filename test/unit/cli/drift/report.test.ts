import { driftMarkdown, driftMetrics, type DriftReport, driftText, exitCodeOf, partOf } from "@pulumi-ovn/cli/testing";

const subject = (kind: string, name: string, zone: string) => ({ urn: `urn:${name}`, kind, name, target: { kind: "zone" as const, name: zone } });
const NOTHING: DriftReport = { project: "net", stack: "prod", compared: 3, drifted: [], skipped: [], failed: [] };
const report: DriftReport = {
  ...NOTHING,
  drifted: [
    {
      ...subject("NorthboundRows", "rows", "b"),
      parts: [
        partOf({ label: "Address_Set x", difference: "surplus" }, undefined),
        partOf({ label: 'table=0 ip,nw_dst="`"', difference: 'missing: there is no bridge "br0"' }, "kubectl"),
      ],
    },
    { ...subject("Layer2Switch", "sw", "a"), parts: [partOf({ label: "Logical_Switch sw", difference: "options:mtu surplus" }, undefined)] },
  ],
  skipped: [subject("NorthboundRows", "keys", "a")],
  failed: [{ ...subject("WorkloadPorts", "w", "c"), message: "OVSDB_CONNECTION: refused" }],
};

it("has one line for each difference, by target, then the targets that were not compared", () => {
  expect(driftText(report)).toBe(`net/prod: 3 differences in 2 of 2 resources

zone a
  Layer2Switch sw
  ~ Logical_Switch sw: options:mtu surplus

zone b
  NorthboundRows rows
  - Address_Set x: surplus
  + table=0 ip,nw_dst="\`": missing: there is no bridge "br0"
      written by kubectl

! WorkloadPorts w: not compared: OVSDB_CONNECTION: refused

- NorthboundRows keys: not compared, because its secret arguments are encrypted in the state; use "pulumi preview --refresh"

"pulumi up --refresh" adds + rows, flows and objects again, changes ~ back, and removes -
`);
  expect([NOTHING, { ...NOTHING, drifted: report.drifted }, report].map(exitCodeOf)).toEqual([0, 2, 1]);
});

it("is a coloured diff in Markdown", () => {
  expect(driftMarkdown({ ...report, failed: [], skipped: [] })).toBe(`### net/prod: 3 differences in 2 of 3 resources

**\`zone a\`**

\`\`\`diff
  Layer2Switch sw
! Logical_Switch sw: options:mtu surplus
\`\`\`

**\`zone b\`**

\`\`\`diff
  NorthboundRows rows
- Address_Set x: surplus
+ table=0 ip,nw_dst="\`": missing: there is no bridge "br0"
      written by kubectl
\`\`\`

> \`"pulumi up --refresh" adds + rows, flows and objects again, changes ~ back, and removes -\`
`);
});

it("escapes names in metrics", () => {
  const odd = { ...NOTHING, drifted: [{ ...report.drifted[1]!, name: 'a"\\\n' }] };
  expect(
    driftMetrics(odd, 7)
      .split("\n")
      .filter((line) => /differences\{|timestamp_seconds\{/.test(line)),
  ).toEqual([
    'pulumi_ovn_drift_differences{project="net",stack="prod",target="a",kind="Layer2Switch",name="a\\"\\\\\\n"} 1',
    'pulumi_ovn_drift_last_run_timestamp_seconds{project="net",stack="prod"} 7',
  ]);
});
