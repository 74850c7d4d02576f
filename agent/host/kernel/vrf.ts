import type { HostState, Problem } from "@pulumi-ovn/provider/agent";
import type { LiveKernel, LiveVrf } from "../live";
import { type ProgramEnvironment, ProgramError, run, lastOutput } from "../program";
import type { IpStep, VrfStep } from "../steps";
import { listOf } from "./parse";

/** Group that marks VRF devices of the agent: a device has no protocol number, and gets its group when it is created. */
const GROUP = 87;

/** Pure. VRF devices of `ip -json -details -N link show type vrf`, which prints an empty object for each other device. */
export const vrfsIn = (text: string): LiveVrf[] =>
  listOf(text.trim() || "[]")
    .filter(({ ifname }) => ifname !== undefined)
    .map(({ ifname, group, flags, linkinfo }) => ({
      name: String(ifname),
      table: Number((linkinfo as { info_data: { table: number } }).info_data.table),
      up: (flags as string[]).includes("UP"),
      own: Number(group) === GROUP,
    }));

/** Empty on a kernel without VRFs. */
export async function readVrfs(environment: ProgramEnvironment): Promise<LiveVrf[]> {
  const ended = await run(environment, ["ip", "-json", "-details", "-N", "link", "show", "type", "vrf"]);
  if (ended.status !== 0) throw new ProgramError(lastOutput("ip", ended));
  return vrfsIn(ended.stdout);
}

export interface VrfPlan {
  /** Before all that is in its table; the last of them makes the device. */
  readonly made: readonly (IpStep | VrfStep)[];
  /** Follow the routes, and record that FRR has received them. */
  readonly ready: readonly IpStep[];
  readonly removed: readonly IpStep[];
  /** Its table's routes have to come again, as FRR takes no notice of those from before the device. */
  readonly fresh: boolean;
  /** Set if another writer owns the device or its table: nothing may be written. */
  readonly problem?: Problem;
}

/**
 * Pure. A VRF device of the agent's own, for its table. Its table can't be changed, and FRR has to know of one device for a table,
 * so a different one is deleted first. The device is up once its routes exist, so an interrupted round is detected.
 */
export function planVrf({ bgp }: Pick<HostState, "bgp">, { vrfs, links }: Pick<LiveKernel, "vrfs" | "links">): VrfPlan {
  const own = vrfs.filter((found) => found.own);
  const name = bgp?.vrf;
  if (bgp === null || name === undefined) return { made: [], ready: [], removed: own.map(removal), fresh: false };
  const { table } = bgp;
  const problem = takenBy(name, table, vrfs, links);
  if (problem) return { made: [], ready: [], removed: [], fresh: false, problem };
  const found = own.find((vrf) => vrf.name === name && vrf.table === table);
  const others = own.filter((vrf) => vrf !== found).map(removal);
  const ready: IpStep[] = found?.up ? [] : [{ kind: "ip", family: 4, line: `link set dev ${name} up`, subject: name }];
  return found ? { made: [], ready, removed: others, fresh: !found.up } : { made: [...others, { kind: "vrf", name, table }], ready, removed: [], fresh: true };
}

function takenBy(name: string, table: number, vrfs: readonly LiveVrf[], links: LiveKernel["links"]): Problem | undefined {
  const conflict = (words: string): Problem => ({
    code: "OVN_AGENT_VRF_TAKEN",
    subject: name,
    message: `VRF ${name} is not made, and nothing new is announced: ${words}`,
  });
  const named = vrfs.find((vrf) => vrf.name === name);
  if (named ? !named.own : links[name] !== undefined) return conflict("a device of this name exists and is not the agent's; choose another name");
  const there = vrfs.find((vrf) => !vrf.own && vrf.table === table);
  return there && conflict(`table ${table} is that of VRF ${there.name}, which is not the agent's; give the exposures another table`);
}

const removal = ({ name }: LiveVrf): IpStep => ({ kind: "ip", family: 4, line: `link del dev ${name}`, subject: name });

/** Makes the device. Its routes come later, so it is not up yet. */
export async function makeVrf(environment: ProgramEnvironment, { name, table }: VrfStep): Promise<Problem | undefined> {
  const ended = await run(environment, ["ip", "link", "add", "name", name, "group", String(GROUP), "type", "vrf", "table", String(table)]);
  if (ended.status === 0) return undefined;
  const words = lastOutput("ip", ended).replace(/^(?:RTNETLINK answers|Error): /, "");
  return {
    code: "OVN_AGENT_VRF",
    subject: name,
    message: `the kernel makes no VRF device ${name} (${words}), and nothing new is announced: load its module vrf, or run the agent without --vrf, which FRR 10 and later do not need`,
  };
}
