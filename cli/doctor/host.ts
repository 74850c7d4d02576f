import { describeEndpoint, printable } from "@pulumi-ovn/ovsdb-client";
import type { Connections, Host } from "@pulumi-ovn/provider/targets";
import { ENVIRONMENT, shellOnHost } from "@pulumi-ovn/provider/tools";
import { databaseFacts, type DatabaseFacts } from "./database";
import { type Expiries, judgeExpiry } from "./expiry";
import { type Finding, Findings } from "./finding";
import { judgeDatabase } from "./judge-database";
import { CLOCK_TOLERANCE } from "./judge-zone";

/** Result of the host's command. */
interface ProgramFacts {
  /** Why nothing could be run there. */
  readonly failure?: string;
  /** First line of `ovs-ofctl --version`; undefined: the host lacks it. */
  readonly ofctl?: string | undefined;
  /** Version of the running ovs-vswitchd. Undefined if it does not answer. */
  readonly vswitchd?: string | undefined;
  /** Milliseconds that the host's clock is ahead, and the error of that number. */
  readonly clock?: { readonly ahead: number; readonly error: number };
}

export interface HostFacts {
  readonly name: string;
  readonly openvswitch?: DatabaseFacts;
  readonly programs: ProgramFacts;
}

/** Prints a line each: the time, then the two versions or nothing. */
const SCRIPT = `${ENVIRONMENT}
date +%s
ovs-ofctl --version 2>/dev/null </dev/null | head -n 1
echo
ovs-appctl --timeout=5 version 2>/dev/null </dev/null | head -n 1
`;

export async function hostFacts(targets: Connections, name: string): Promise<HostFacts> {
  const host = targets.host(name);
  const [openvswitch, programs] = await Promise.all([
    host.openvswitch === undefined ? undefined : databaseFacts(targets, name, "Open_vSwitch", describeEndpoint(host.openvswitch), () => Promise.resolve({})),
    programFacts(host),
  ]);
  return { name, ...(openvswitch && { openvswitch }), programs };
}

async function programFacts(host: Host): Promise<ProgramFacts> {
  const before = Date.now();
  try {
    const { status, stdout, stderr } = await shellOnHost({ host }, SCRIPT);
    const after = Date.now();
    const lines = stdout.split("\n").filter((line) => line !== "");
    const second = Number(lines[0]);
    if (!/^\d+$/.test(lines[0] ?? "")) return { failure: `its command ended with ${status}: ${printable(stderr || "no answer of a shell")}` };
    // `date` cuts the fraction of a second.
    const clock = { ahead: second * 1000 + 500 - (before + after) / 2, error: 500 + (after - before) / 2 };
    return { ofctl: lines.find((line) => line.startsWith("ovs-ofctl")), vswitchd: lines.find((line) => line.startsWith("ovs-vswitchd")), clock };
  } catch (error) {
    return { failure: (error as Error).message };
  }
}

/** Pure. Findings about one host. */
export function judgeHost({ name, openvswitch, programs }: HostFacts, expiries: Expiries, now: number): readonly Finding[] {
  const findings = new Findings("host", name);
  if (openvswitch !== undefined) judgeDatabase(findings, "openvswitch", openvswitch, now, "rows of Open vSwitch are written there");
  judgePrograms(findings, programs);
  for (const { what, expiry } of expiries) judgeExpiry(findings, what, expiry, now);
  return findings.all;
}

function judgePrograms(findings: Findings, { failure, ofctl, vswitchd, clock }: ProgramFacts): void {
  if (failure !== undefined) return findings.problem("command", failure, 'correct "command" of the host in the file of targets');
  if (ofctl === undefined) findings.problem("command", "there is no ovs-ofctl", 'install Open vSwitch\'s programs there, or correct "command" of the host');
  else findings.ok("command", ofctl);
  if (vswitchd === undefined) findings.problem("vswitchd", "ovs-vswitchd does not answer", "start Open vSwitch on the host");
  else findings.ok("vswitchd", vswitchd);
  if (clock === undefined) return;
  const off = Math.round(clock.ahead / 1000);
  if (Math.abs(clock.ahead) <= CLOCK_TOLERANCE + clock.error) return findings.ok("clocks", "as this machine's");
  findings.problem("clocks", `its clock is ${Math.abs(off)} s ${off > 0 ? "ahead of" : "behind"} this machine's`, "synchronize the clocks: check NTP on both");
}
