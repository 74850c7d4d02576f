import { compareVersions, listed, REMOTE_ROUTER_PORTS } from "@pulumi-ovn/provider/tools";
import { type Expiries, judgeExpiry } from "./expiry";
import { type Finding, Findings } from "./finding";
import { judgeDatabase } from "./judge-database";
import type { Chassis, NorthboundFacts, SouthboundFacts, ZoneFacts } from "./zone-facts";

/** Names that one line lists. */
const MOST = 5;

/** Milliseconds by which two clocks may differ. */
export const CLOCK_TOLERANCE = 5_000;

/**
 * Pure. Findings about one zone.
 * @param others all zones of the file, this one included
 * @param now milliseconds since 1970, by this machine's clock
 */
export function judgeZone(zone: ZoneFacts, others: readonly ZoneFacts[], expiries: Expiries, now: number): readonly Finding[] {
  const findings = new Findings("zone", zone.name);
  const { northbound, southbound, openvswitch } = zone;
  const readable = northbound !== undefined && judgeDatabase(findings, "northbound", northbound, now, "every resource of rows writes it");
  if (readable) judgeRelease(findings, northbound);
  if (readable) judgeNorthd(findings, northbound);
  if (southbound === undefined) {
    findings.note("southbound", "no endpoint: chassis are not checked", `set zones.${zone.name}.southbound in the file of targets`);
  } else if (judgeDatabase(findings, "southbound", southbound, now, undefined)) {
    judgeChassis(findings, southbound);
    judgeRemotes(findings, zone, others);
    judgeClocks(findings, northbound, southbound, now);
  }
  if (openvswitch !== undefined) judgeDatabase(findings, "openvswitch", openvswitch, now, "OpenVSwitchRows writes it");
  for (const { what, expiry } of expiries) judgeExpiry(findings, what, expiry, now);
  return findings.all;
}

function judgeRelease(findings: Findings, { schema = "0.0.0" }: NorthboundFacts): void {
  const { schema: lowest, release } = REMOTE_ROUTER_PORTS;
  if (compareVersions(schema, lowest) >= 0) return findings.ok("release", `OVN ${release} or newer`);
  findings.problem(
    "release",
    `older than OVN ${release} (schema ${lowest}), which transit routers and Layer2Network need`,
    "upgrade OVN's central components, and run ovsdb-client convert, or ovn-ctl's upgrade, on the database",
  );
}

function judgeNorthd(findings: Findings, { global }: NorthboundFacts): void {
  if (global === undefined) return findings.problem("northd", "the Northbound database has no NB_Global row", "start ovn-northd, which initializes it");
  const { nbCfg, sbCfg } = global;
  if (sbCfg >= nbCfg) return findings.ok("northd", `has translated change ${nbCfg}, the last one that was asked for`);
  findings.problem(
    "northd",
    `has translated change ${sbCfg} of ${nbCfg}`,
    "is ovn-northd running, and connected to both databases? A change in progress is translated within seconds",
  );
}

function judgeChassis(findings: Findings, { nbCfg = 0, chassis = [] }: SouthboundFacts): void {
  const own = chassis.filter(({ remote }) => !remote);
  if (own.length === 0)
    return findings.problem("chassis", "the zone has none: no ovn-controller is connected", "start ovn-controller, and check ovn-remote of its Open vSwitch");
  const behind = own.filter(({ reached }) => (reached?.nbCfg ?? -1) < nbCfg);
  if (behind.length === 0) return findings.ok("chassis", `${namesOf(own)}: installed change ${nbCfg}, the last one`);
  findings.problem("chassis", `${namesOf(behind)}: did not install change ${nbCfg}, the last one`, "is ovn-controller running there?");
}

/** Remote ports of the zone carry packets only to chassis that its Southbound database has. */
function judgeRemotes(findings: Findings, { northbound, southbound }: ZoneFacts, others: readonly ZoneFacts[]): void {
  const here = southbound?.chassis ?? [];
  const known = new Set(here.flatMap(({ name, hostname }) => [name, hostname]));
  const missing = (northbound?.wanted ?? []).filter((name) => !known.has(name));
  if (missing.length > 0)
    return findings.problem(
      "remote chassis",
      `ports ask for chassis that are missing: ${listed(missing, MOST)}; their packets are lost`,
      "add their tunnelAddresses to the program, or a RemoteChassis, or start ovn-ic",
    );
  const elsewhere = others.flatMap((zone) => (zone.southbound?.chassis ?? []).filter(({ remote }) => !remote));
  const absent = elsewhere.filter(({ name }) => !known.has(name));
  if (absent.length > 0)
    return findings.note("remote chassis", `not there yet: ${namesOf(absent)}`, "tunnelAddresses in the program make them, or RemoteChassis, or ovn-ic");
  const remote = here.filter((chassis) => chassis.remote);
  if (remote.length > 0) findings.ok("remote chassis", namesOf(remote));
}

/** A chassis installs a change after northd has translated it, and before now. */
function judgeClocks(findings: Findings, northbound: NorthboundFacts | undefined, { chassis = [] }: SouthboundFacts, now: number): void {
  const { sbCfg, sbCfgTime = 0 } = northbound?.global ?? {};
  const times = chassis.flatMap(({ name, remote, reached }) => (remote || reached === undefined || reached.time === 0 ? [] : [{ name, ...reached }]));
  const ahead = [...times, { name: "northd", time: sbCfgTime }].filter(({ time }) => time > now + CLOCK_TOLERANCE);
  const behind = times.filter(({ nbCfg, time }) => nbCfg === sbCfg && time < sbCfgTime - CLOCK_TOLERANCE);
  const says = [...ahead.map(({ name }) => `${name} is ahead of this machine`), ...behind.map(({ name }) => `${name} is behind that of northd`)];
  if (says.length > 0) return findings.problem("clocks", `the clock of ${listed(says, MOST)}`, "synchronize the clocks: check NTP on those hosts");
  if (times.length > 0) findings.ok("clocks", "no chassis reports an impossible time");
}

function namesOf(chassis: readonly Chassis[]): string {
  return listed(chassis.map(({ name }) => name).sort(), MOST);
}
