import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Connections, ShadowConnections } from "@pulumi-ovn/provider/targets";
import { bridgeFlows, handlers, isError, type Properties, sameJson, tierBridge, tunnelPort } from "@pulumi-ovn/provider/tools";
import { CommandError } from "../../command";
import { bridgesOf, hostsOf, type Part, type VpcTopology, type VpcInState } from "../../vpc/model";
import { Bound } from "../shadow/bound";
import { type BrokenInterface, copyHost, settingsOf } from "./copy-host";
import type { SwitchPrograms } from "./switch-programs";
import { SwitchShadow } from "./switch-shadow";

interface Written extends PlannedPart {
  readonly inputs: Properties;
  readonly outs: Properties;
}

/** Shadows of all hosts of a stack's VPCs. The provider writes to them as it writes to the hosts. */
export class VpcShadow implements AsyncDisposable {
  readonly #hosts = new Map<string, SwitchShadow>();
  readonly #written = new Map<string, Written>();
  /** Interfaces that do not work on the real hosts, by host and name. */
  readonly #broken = new Map<string, Map<string, BrokenInterface>>();
  #targets = new ShadowConnections({});

  private constructor(
    private readonly folder: string,
    private readonly bound: Bound,
    private readonly programs: SwitchPrograms,
  ) {}

  static async create(programs: SwitchPrograms): Promise<VpcShadow> {
    // A path of a socket has at most 107 bytes.
    const folder = await mkdtemp(join(tmpdir().length > 60 ? "/tmp" : tmpdir(), "pulumi-ovn-vpc-"));
    return new VpcShadow(folder, Bound.folder(folder), programs);
  }

  /**
   * Brings the hosts to these VPCs: bridges and ports, then logical routers, then deletions, as Pulumi does.
   * @param updated URNs of parts that are written also if their arguments are the same
   */
  async write(vpcs: readonly VpcInState[], updated: ReadonlySet<string> = new Set()): Promise<void> {
    await this.#start([...new Set(vpcs.flatMap(hostsOf))]);
    const wanted = new Map(vpcs.flatMap(partsOf).map((part) => [part.urn, part]));
    for (const kind of ["VpcBridges", "LogicalRouterBridge"])
      await Promise.all([...wanted.values()].filter((part) => part.kind === kind).map((part) => this.#put(part, updated.has(part.urn))));
    for (const kind of ["LogicalRouterBridge", "VpcBridges"])
      await Promise.all([...this.#written.values()].filter((each) => each.kind === kind && !wanted.has(each.urn)).map((each) => this.#remove(each)));
    for (const vpc of vpcs) await this.#addPorts(vpc);
    await this.#forgetRepaired(vpcs);
  }

  /** Brings bridges, ports and flows of the VPCs' hosts to what the hosts have now. Only reads the hosts. */
  async copy(vpcs: readonly VpcInState[], live: Connections): Promise<void> {
    const undeclared = new Set(vpcs.flatMap(undeclaredPorts));
    const copies = [...this.#hosts].map(async ([host, shadow]) => {
      const bridges = vpcs.filter((vpc) => hostsOf(vpc).includes(host)).flatMap(bridgesOf);
      this.#broken.set(host, await copyHost(shadow, this.#targets, live, { bridges, undeclared }));
    });
    await Promise.all(copies);
  }

  /** Reason why an interface does not work on its real host, and will not after the plan. Undefined if it works, or without a copy. */
  problem(host: string, name: string): string | undefined {
    return this.#broken.get(host)?.get(name)?.problem;
  }

  /** Flows of bridges of a host; see `bridgeFlows`. */
  flows(host: string, bridges: readonly string[]): Promise<(readonly string[] | undefined)[]> {
    return bridgeFlows({ host: this.#hosts.get(host)!.target }, bridges);
  }

  /** Output of `ofproto/trace` on a host. */
  async trace(host: string, bridge: string, flow: string, states: readonly string[]): Promise<string> {
    const shadow = this.#hosts.get(host);
    if (shadow === undefined) throw new CommandError("OVN_SIMULATE", `the VPC does not span host "${host}"`);
    return shadow.trace(bridge, flow, states);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#targets.close();
    await Promise.all([...this.#hosts.values()].map((shadow) => shadow[Symbol.asyncDispose]()));
    await this.bound.end();
  }

  async #start(hosts: readonly string[]): Promise<void> {
    const missing = hosts.filter((host) => !this.#hosts.has(host));
    const count = this.#hosts.size;
    // All have ended their start before an error ends them.
    const started = await Promise.allSettled(missing.map((host, index) => SwitchShadow.create(host, join(this.folder, String(count + index)), this.programs)));
    for (const shadow of started) if (shadow.status === "fulfilled") this.#hosts.set(shadow.value.host, shadow.value);
    const failed = started.find((shadow) => shadow.status === "rejected");
    if (failed !== undefined) throw failed.reason;
    await this.#targets.close();
    this.#targets = new ShadowConnections({}, Object.fromEntries([...this.#hosts].map(([host, { target }]) => [host, target])));
  }

  async #put({ kind, urn, args }: PlannedPart, isUpdated: boolean): Promise<void> {
    const handler = handlers[kind]!;
    const before = this.#written.get(urn);
    // Pulumi does not update what has not changed, whatever the host has.
    if (before !== undefined && !isUpdated && sameJson(before.args, args)) return;
    const request = { urn, secrets: [], targets: this.#targets };
    const { inputs, diagnostics } = await handler.check({ ...request, olds: before?.inputs ?? {}, news: args });
    const wrong = diagnostics.find(isError);
    if (wrong !== undefined) throw new CommandError("OVN_SIMULATE", `${urn}: ${wrong.message}`);
    const { outs } = before
      ? await handler.update({ ...request, id: "id", olds: before.outs, news: inputs })
      : await handler.create({ ...request, news: inputs });
    this.#written.set(urn, { kind, urn, args, inputs, outs });
  }

  async #remove({ kind, urn, outs }: Written): Promise<void> {
    await handlers[kind]!.delete({ urn, secrets: [], targets: this.#targets, id: "id", olds: outs });
    this.#written.delete(urn);
  }

  /** Interfaces that the plan restores or changes are assumed to work, and so are the other ends of such tunnels. */
  async #forgetRepaired(vpcs: readonly VpcInState[]): Promise<void> {
    const repaired: string[] = [];
    for (const [host, broken] of this.#broken) {
      if (broken.size === 0) continue;
      const settings = await settingsOf(this.#targets, host);
      for (const [name, own] of broken) if (settings.get(name) !== own.settings && broken.delete(name)) repaired.push(`${host} ${name}`);
    }
    for (const { switches } of repaired.length > 0 ? vpcs : [])
      for (const [host, { spec }] of switches)
        for (const [remote, key] of Object.keys(spec.remotes).flatMap((each) => Object.values(spec.tiers).map((own) => [each, own] as const)))
          if (repaired.includes(`${host} ${tunnelPort(key, remote)}`)) this.#broken.get(remote)?.delete(tunnelPort(key, host));
  }

  /** Ports that hypervisors would add. Those that the program declares are parts of `VpcBridges`. */
  async #addPorts(vpc: VpcInState): Promise<void> {
    if (vpc.topology === undefined) return;
    const { tiers, workloads, virtualRouter } = topologyInShadow(vpc.topology);
    const undeclared = new Set(undeclaredPorts(vpc));
    const router = Object.entries(virtualRouter.ports).map(([tier, port]) => ({ host: virtualRouter.host, tier, port }));
    for (const { host, tier, port } of [...Object.values(workloads), ...router])
      if (undeclared.has(port!)) await this.#hosts.get(host)?.addPort(tierBridge(tiers[tier]!.key), port!);
  }
}

/** Adds a port for each workload, and for the virtual router in each tier. Ports that the program does not name have short names. */
export function topologyInShadow(topology: VpcTopology): VpcTopology {
  const { tiers, workloads, virtualRouter } = topology;
  const named = Object.keys(workloads)
    .sort()
    .map((name, index) => [name, { ...workloads[name]!, port: workloads[name]!.port ?? `shadow${index}` }] as const);
  const router = Object.entries(tiers).map(([tier, { key }]) => [tier, virtualRouter.ports[tier] ?? `vr${key}`] as const);
  return { tiers, workloads: Object.fromEntries(named), virtualRouter: { ...virtualRouter, ports: Object.fromEntries(router) } };
}

/** Ports that only the shadow has. */
function undeclaredPorts({ topology }: VpcInState): string[] {
  if (topology === undefined) return [];
  const { workloads, virtualRouter } = topologyInShadow(topology);
  const all = [...Object.entries(workloads).map(([name, { port }]) => [port!, topology.workloads[name]!.port] as const)];
  const router = Object.entries(virtualRouter.ports).map(([tier, port]) => [port, topology.virtualRouter.ports[tier]] as const);
  return [...all, ...router].flatMap(([port, declared]) => (declared === undefined ? [port] : []));
}

interface PlannedPart {
  readonly kind: string;
  readonly urn: string;
  readonly args: Properties;
}

/** No agent runs in a shadow, and nothing answers BFD there; neither decides about packets as long as tunnels work. */
function partsOf({ switches, routers }: VpcInState): PlannedPart[] {
  return [
    ...[...switches.values()].map(({ owner, spec }) => ({ kind: "VpcBridges", urn: owner, args: { ...spec, agent: false } })),
    // Without remotes, a logical router does not look for broken tunnels.
    ...[...routers.values()].map((part) => ({
      kind: "LogicalRouterBridge",
      urn: part.owner,
      args: { ...part.spec, bfd: false, agent: false, remotes: [], enabled: part.spec.enabled && !isFallback(part) },
    })),
  ];
}

const isFallback = ({ recorded }: Part<unknown>): boolean => recorded?.startsWith("fallback") ?? false;
