import type { DeviceAddress, HostState, Neighbor, Problem, Proxy } from "@pulumi-ovn/provider/agent";
import type { LiveKernel, LiveNeighbor, LiveProxy, LiveRoute, LiveRule } from "../live";
import { conflict } from "../problems";
import type { IpStep, SysctlStep } from "../steps";
import type { Changes, Followed } from "./changes";
import { familyOf, FORWARDING_6, PROTOCOL, quietOf, sysctlsOf } from "./names";
import { planRoutes, withoutOwnNetworks } from "./routes";
import { planVrf, type VrfPlan } from "./vrf";

export interface KernelPlan {
  readonly links: readonly IpStep[];
  readonly sysctls: readonly SysctlStep[];
  readonly addresses: Changes;
  readonly neighbors: Followed<LiveNeighbor>;
  readonly proxies: Followed<LiveProxy>;
  readonly rules: Changes;
  readonly routes: Followed<LiveRoute>;
  /** Removals of routes whose destination gets no new route in any table. */
  readonly removals: readonly IpStep[];
  readonly vrf: VrfPlan;
  /** Tables with routes of other writers, which FRR would also announce. */
  readonly shared: ReadonlySet<number>;
  readonly problems: readonly Problem[];
}

/**
 * Pure.
 *
 * @param coming devices that exist before the kernel's steps are taken
 * @param bridges names of the switch's bridges
 */
export function planKernel(wanted: HostState, live: LiveKernel, coming: ReadonlySet<string>, bridges: readonly string[]): KernelPlan {
  const desired = live.ipv4Only ? ofIpv4(wanted) : wanted;
  const problems: Problem[] = live.ipv4Only && wanted.routes.some(({ destination }) => familyOf(destination) === 6) ? [NO_IPV6] : [];
  const missing = new Set<string>();
  /** Whether the device exists or is planned. Objects on a missing device can't be made: one problem reports all of them. */
  const there = ({ device }: { readonly device: string }): boolean => {
    if (live.links[device] !== undefined || coming.has(device)) return true;
    if (!missing.has(device))
      problems.push({ code: "OVN_AGENT_DEVICE", subject: device, message: `there is no device ${device}; what leads through it is not announced` });
    missing.add(device);
    return false;
  };
  const devices = desired.devices.filter((device) => there({ device }));
  const vrf = planVrf(desired, live);
  const routes = planRoutes(withoutOwnNetworks(desired.routes.filter(there), live, problems), live, new Set(desired.bgp ? [desired.bgp.table] : []), vrf.fresh);
  if (live.sysctls[FORWARDING_6] === "0" && desired.routes.some(({ destination }) => familyOf(destination) === 6)) {
    problems.push({
      code: "OVN_AGENT_FORWARDING",
      subject: "net.ipv6.conf.all.forwarding",
      message: "the kernel forwards no IPv6 packets: set net.ipv6.conf.all.forwarding to 1",
    });
  }
  return {
    links: devices.filter((device) => !live.links[device]?.up).map((device) => ({ kind: "ip", family: 4, line: `link set dev ${device} up`, subject: device })),
    sysctls: [...devices.flatMap((device) => familiesOf(desired, device).flatMap((family) => sysctlsOf(device, family))), ...silenced(desired, live)]
      .filter(({ path, value }) => live.sysctls[path] !== value)
      .map((setting) => ({ kind: "sysctl", ...setting })),
    addresses: planAddresses(desired.addresses.filter(there), live, new Set([...desired.devices, ...bridges]), problems),
    neighbors: planNeighbors(desired.neighbors.filter(there), live, problems),
    proxies: planProxies(desired.proxies.filter(there), live),
    rules: planRules(desired, live, problems),
    routes: routes.changes,
    removals: routes.removals,
    vrf,
    shared: routes.shared,
    problems: [...(vrf.problem ? [vrf.problem] : []), ...problems, ...routes.problems],
  };
}

const NO_IPV6: Problem = { code: "OVN_AGENT_FORWARDING", subject: "IPv6", message: "the kernel was started without IPv6: nothing of it is announced" };

/** The part of a state that a kernel without IPv6 supports. */
function ofIpv4(state: HostState): HostState {
  const isIpv4 = (text: string) => familyOf(text) === 4;
  return {
    ...state,
    addresses: state.addresses.filter(({ address }) => isIpv4(address)),
    routes: state.routes.filter(({ destination }) => isIpv4(destination)),
    rules: state.rules.filter(({ family }) => family === 4),
    neighbors: state.neighbors.filter(({ address }) => isIpv4(address)),
    proxies: state.proxies.filter(({ address }) => isIpv4(address)),
  };
}

/** Settings of devices that have the agent's address, answered for other addresses, and must stop. */
const silenced = ({ silent }: HostState, { addresses }: LiveKernel) =>
  silent.filter((device) => addresses.some((found) => found.own && found.device === device)).flatMap(quietOf);

/** Families of which something leads through a device, or may later, because it has an address for that. */
const familiesOf = ({ addresses, routes }: HostState, device: string) =>
  ([4, 6] as const).filter(
    (family) =>
      addresses.some((own) => own.device === device && familyOf(own.address) === family) ||
      routes.some((route) => route.device === device && familyOf(route.destination) === family),
  );

const step = (text: string, line: string, subject: string): IpStep => ({ kind: "ip", family: familyOf(text), line, subject });

/** @param devices where an address without an owner may be the agent's: link-local /32 elsewhere are of others, such as a node's DNS cache */
function planAddresses(
  desired: readonly DeviceAddress[],
  { addresses, addressOwners, dependents }: LiveKernel,
  devices: ReadonlySet<string>,
  problems: Problem[],
): Changes {
  const owner = addressOwners ? ` proto ${PROTOCOL}` : "";
  const same = (one: DeviceAddress) => (other: DeviceAddress) => one.device === other.device && one.address === other.address;
  const made = desired.flatMap((wanted) => {
    if (addresses.some(same(wanted))) return [];
    const { device, address } = wanted;
    const elsewhere = addresses.find((other) => (!other.own || (!addressOwners && !devices.has(other.device))) && other.address === address);
    if (elsewhere) problems.push(conflict(`address ${address} of ${device}`, `address ${address} of ${elsewhere.device}`));
    // Addresses of this kind are unique, so they need no time of probing.
    return elsewhere
      ? []
      : [step(address, `address add ${address} dev ${device}${owner}${familyOf(address) === 6 ? " nodad" : ""}`, `address ${address} of ${device}`)];
  });
  const left = addresses.filter((found) => found.own && (addressOwners || devices.has(found.device)) && !desired.some(same(found)));
  // One of them stays if the kernel would delete routes of others with the last one.
  const blocked = left.filter(
    (found, index) =>
      dependents[found.device] &&
      familyOf(found.address) === 4 &&
      left.findIndex((other) => other.device === found.device && familyOf(other.address) === 4) === index,
  );
  for (const { device, address } of blocked)
    problems.push({
      code: "OVN_AGENT_ADDRESS_HELD",
      subject: `address ${address} of ${device}`,
      message: `address ${address} stays on ${device}: it is the last IPv4 address there, and the kernel would remove others' routes through the device with it (${dependents[device]!.slice(0, 3).join(", ")})`,
    });
  const surplus = left.filter((found) => !blocked.includes(found));
  return { made, removed: surplus.map(({ device, address }) => step(address, `address del ${address} dev ${device}`, `address ${address} of ${device}`)) };
}

function planNeighbors(desired: readonly Neighbor[], { neighbors }: LiveKernel, problems: Problem[]): Followed<LiveNeighbor> {
  const same = (one: Proxy) => (other: Proxy) => one.device === other.device && one.address === other.address;
  const subject = ({ device, address }: Proxy) => `neighbour ${address} of ${device}`;
  const coming = desired.filter((wanted) => {
    const found = neighbors.find(same(wanted));
    if (found && found.mac === wanted.mac) return false;
    // The agent replaces learned neighbours. Permanent neighbours belong to another writer.
    if (found && !found.own) problems.push(conflict(subject(wanted), `${found.mac}, which is permanent,`));
    return !found || found.own;
  });
  const made = coming.map((wanted) =>
    step(wanted.address, `neighbour replace ${wanted.address} lladdr ${wanted.mac} dev ${wanted.device} nud permanent protocol ${PROTOCOL}`, subject(wanted)),
  );
  const surplus = neighbors.filter((found) => found.own && !desired.some(same(found)));
  const stays = neighbors.filter((found) => !surplus.includes(found) && !coming.some(same(found)));
  return {
    after: [...stays, ...coming.map((wanted) => ({ ...wanted, own: true }))],
    made,
    removed: surplus.map(({ device, address }) => step(address, `neighbour del ${address} dev ${device}`, subject({ device, address }))),
  };
}

function planProxies(desired: readonly Proxy[], { proxies }: LiveKernel): Followed<LiveProxy> {
  const same = (one: Proxy) => (other: Proxy) => one.device === other.device && one.address === other.address;
  // A proxy of another writer for the same address is equivalent.
  const made = desired.filter((wanted) => !proxies.some(same(wanted)));
  const surplus = proxies.filter((found) => found.own && !desired.some(same(found)));
  const line = (verb: string, { device, address }: Proxy, more = "") =>
    step(address, `neighbour ${verb} proxy ${address} dev ${device}${more}`, `proxy ${address} of ${device}`);
  return {
    after: [...proxies.filter((found) => !surplus.includes(found)), ...made.map((wanted) => ({ ...wanted, own: true }))],
    made: made.map((wanted) => line("add", wanted, ` protocol ${PROTOCOL}`)),
    removed: surplus.map((found) => line("del", found)),
  };
}

function planRules(desired: HostState, { rules }: LiveKernel, problems: Problem[]): Changes {
  const here = (wanted: HostState["rules"][number]) => rules.filter(({ family, priority }) => family === wanted.family && priority === wanted.priority);
  const does = (wanted: HostState["rules"][number]) => (found: LiveRule) => found.plain && found.table === wanted.table;
  const name = ({ family, priority }: HostState["rules"][number]) => `IPv${family} rule ${priority}`;
  for (const wanted of desired.rules) {
    const foreign = here(wanted).find((found) => !found.own && !does(wanted)(found));
    if (foreign)
      problems.push({
        code: "OVN_AGENT_TAKEN",
        subject: name(wanted),
        message: `another rule of priority ${wanted.priority} (IPv${wanted.family}) leads to table ${foreign.table}, and may take what is for table ${wanted.table}: give one of them another priority`,
      });
  }
  const made = desired.rules.filter((wanted) => !here(wanted).some(does(wanted)));
  const surplus = rules.filter(
    (found) =>
      found.own &&
      !(found.plain && desired.rules.some((wanted) => wanted.family === found.family && wanted.priority === found.priority && wanted.table === found.table)),
  );
  const line = (verb: string, rule: HostState["rules"][number]): IpStep => ({
    kind: "ip",
    family: rule.family,
    line: `rule ${verb} priority ${rule.priority} lookup ${rule.table} protocol ${PROTOCOL}`,
    subject: name(rule),
  });
  return { made: made.map((wanted) => line("add", wanted)), removed: surplus.map((found) => line("del", found)) };
}
