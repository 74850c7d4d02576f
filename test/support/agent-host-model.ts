import {
  COOKIE,
  destinationText,
  type FrrStep,
  type LiveAddress,
  type LiveHost,
  type LiveNeighbor,
  type LivePort,
  type LiveProxy,
  type LiveRoute,
  type LiveRule,
  type LiveVrf,
  type LiveVrfBgp,
  plan,
  type Redistributed,
  type Step,
} from "@pulumi-ovn/agent/testing";
import { type HostState, NOTHING, type WantedFlow } from "@pulumi-ovn/provider/agent";

const AS = 64513;

interface ModelFlow {
  readonly bridge: string;
  readonly rule: string;
  readonly actions: string;
  readonly cookie: string;
}

/** Model of kernel, switch and FRR for the agent's steps, as far as its plans rely on them. */
export class HostModel {
  links = new Map<string, boolean>();
  sysctls = new Map<string, string>();
  addresses: LiveAddress[] = [];
  routes: LiveRoute[] = [];
  rules: LiveRule[] = [];
  neighbors: LiveNeighbor[] = [];
  proxies: LiveProxy[] = [];
  connected: { device: string; destination: string }[] = [];
  ports: LivePort[] = [];
  flows: ModelFlow[] = [];
  mark = false;
  vrfs: LiveVrf[] = [];
  leaks: LiveVrfBgp[] = [];
  /** Routes that have come since their table has a VRF device: FRR takes no notice of others. */
  seen = new Set<string>();
  redistributed: Record<4 | 6, Redistributed[]> = { 4: [], 6: [] };
  /** Peers of FRR's sessions. */
  peers: string[] = [];
  /** FRR runs with its instance. */
  frrRuns = true;
  /** Its sessions have been seen by the agent. */
  frrSeen = true;
  /** Steps that it refused. */
  refused: string[] = [];

  constructor(readonly bridges: readonly string[]) {
    for (const bridge of bridges) this.addDevice(bridge, true);
  }

  addDevice(name: string, up: boolean): void {
    this.links.set(name, up);
    for (const path of [`ipv4/conf/${name}/forwarding`, `ipv4/conf/${name}/proxy_arp`, `ipv6/conf/${name}/forwarding`, `ipv6/conf/${name}/proxy_ndp`])
      this.sysctls.set(path, "0");
    for (const family of [4, 6]) this.sysctls.set(`ipv${family}/neigh/${name}/proxy_delay`, "80");
  }

  /** As `Host.read`, of everything. */
  read(desired: HostState): LiveHost {
    const bridges = [
      ...new Set([...desired.flows.map(({ bridge }) => bridge), ...this.flows.filter(({ cookie }) => cookie === COOKIE).map(({ bridge }) => bridge)]),
    ];
    return structuredClone({
      problems: [],
      kernel: {
        dependents: this.dependents(desired),
        links: Object.fromEntries([...this.links].map(([name, up], at) => [name, { up, index: at + 1 }])),
        sysctls: Object.fromEntries(this.sysctls),
        addressOwners: true,
        vrfs: this.vrfs,
        addresses: this.addresses,
        routes: this.routes,
        rules: this.rules,
        neighbors: this.neighbors,
        proxies: this.proxies,
        connected: this.connected,
      },
      ports: { bridges: this.bridges, ports: this.ports },
      flows: Object.fromEntries(
        bridges.map((bridge) => [bridge, { difference: this.difference(bridge, desired.flows.find((list) => list.bridge === bridge)?.flows ?? []) }]),
      ),
      frr: this.frrRuns
        ? {
            running: true as const,
            version: 10,
            mark: this.mark,
            imported: [],
            vrfs: this.leaks,
            bgp: { asNumber: AS, routerId: null, neighbors: this.peers, redistributed: this.redistributed },
          }
        : { running: false as const, silent: false, problem: { code: "OVN_AGENT_FRR_DOWN", subject: "FRR", message: "down" } },
      announcementErrors: { stale: [], missing: [], retry: false },
      peers: this.frrSeen ? this.peers : undefined,
    });
  }

  private dependents({ addresses }: HostState): Record<string, string[]> {
    const four = (device: string, list: readonly { device: string; address: string }[]) =>
      list.filter((found) => found.device === device && !found.address.includes(":"));
    const devices = [...this.links.keys()].filter(
      (device) =>
        four(device, addresses).length === 0 &&
        four(device, this.addresses).length > 0 &&
        four(
          device,
          this.addresses.filter(({ own }) => !own),
        ).length === 0,
    );
    const routes = (device: string) =>
      this.routes.filter((route) => !route.own && route.device === device && !route.destination.includes(":")).map(({ destination }) => destination);
    return Object.fromEntries(devices.map((device) => [device, routes(device)]).filter(([, list]) => list!.length > 0));
  }

  take(step: Step): void {
    const done = step.kind === "ip" ? this.ip(step.line.split(" "), step.family) : this.other(step);
    if (!done) this.refused.push(JSON.stringify(step));
  }

  /** Takes rounds until nothing is left to do; how many steps the last one had. */
  converge(desired: HostState, rounds = 3): number {
    for (let round = 1; ; round++) {
      const { steps } = plan(desired, this.read(desired));
      steps.forEach((step) => this.take(step));
      if (steps.length === 0 || round === rounds) return steps.length;
    }
  }

  private difference(bridge: string, flows: readonly string[]) {
    const wanted = flows.map((text) => ({ rule: text.slice(0, text.indexOf(",actions=")), actions: text.slice(text.indexOf(",actions=") + 9) }));
    const here = this.flows.filter((flow) => flow.bridge === bridge);
    const printed = ({ rule, actions, cookie }: Omit<ModelFlow, "bridge">) => ({ rule, actions, cookie, extra: "" });
    return {
      wanted: wanted.flatMap((flow): WantedFlow[] => {
        const found = here.find(({ rule }) => rule === flow.rule);
        if (found && found.cookie !== COOKIE) return [{ flow: printed({ ...flow, cookie: COOKIE }), own: undefined, foreign: printed(found) }];
        return found?.actions === flow.actions ? [] : [{ flow: printed({ ...flow, cookie: COOKIE }), own: found && printed(found), foreign: undefined }];
      }),
      surplus: here.filter(({ cookie, rule }) => cookie === COOKIE && !wanted.some((flow) => flow.rule === rule)).map(printed),
    };
  }

  private ip(words: readonly string[], family: 4 | 6): boolean {
    const [object, verb, ...rest] = words;
    const after = (name: string): string | undefined => (rest.includes(name) ? rest[rest.indexOf(name) + 1] : undefined);
    const device = after("dev") ?? "";
    const own = (after("protocol") ?? after("proto")) === "87";
    if (device !== "" && !this.links.has(device)) return false;
    switch (`${object} ${verb}`) {
      case "link set":
        this.links.set(device, true);
        this.vrfs = this.vrfs.map((vrf) => (vrf.name === device ? { ...vrf, up: true } : vrf));
        return true;
      case "link del": {
        for (const { table } of this.vrfs.filter(({ name }) => name === device))
          this.seen = new Set([...this.seen].filter((route) => !route.startsWith(`${table} `)));
        this.links.delete(device);
        return remove(this.vrfs, ({ name, own: its }) => its && name === device);
      }
      case "address add":
        return add(this.addresses, { device, address: rest[0]!, own }, ({ address }) => `${device} ${address}`);
      case "address del": {
        this.addresses = this.addresses.filter((found) => found.device !== device || found.address !== rest[0]);
        const left = this.addresses.some((found) => found.device === device && !found.address.includes(":"));
        // fib_disable_ip: without an address the device has no IPv4 at all.
        if (!rest[0]!.includes(":") && !left) this.routes = this.routes.filter((route) => route.device !== device || route.destination.includes(":"));
        return true;
      }
      case "route add":
      case "route replace": {
        const table = Number(after("table"));
        if (!this.links.get(device) || (after("via") !== undefined && !rest.includes("onlink"))) return false;
        const route: LiveRoute = { table, destination: rest[0]!, device, via: after("via") ?? null, metric: family === 6 ? 1024 : null, plain: true, own };
        const place = (other: LiveRoute) => `${other.table} ${other.destination} ${other.metric}`;
        if (this.vrfs.some((vrf) => vrf.table === table)) this.seen.add(`${table} ${rest[0]!}`);
        if (verb === "replace") this.routes = this.routes.filter((other) => place(other) !== place(route));
        return add(this.routes, route, place);
      }
      case "route del":
        return remove(
          this.routes,
          (route) =>
            route.own &&
            route.table === Number(after("table")) &&
            route.destination === rest[0] &&
            (after("metric") === undefined || route.metric === Number(after("metric"))) &&
            (device === "" || route.device === device) &&
            (after("via") ?? null) === (device === "" ? null : route.via),
        );
      case "rule add":
        return add(
          this.rules,
          { family, priority: Number(after("priority")), table: Number(after("lookup")), plain: true, own },
          (rule) => `${rule.family} ${rule.priority} ${rule.table}`,
        );
      case "rule del":
        return remove(
          this.rules,
          (rule) => rule.own && rule.family === family && rule.priority === Number(after("priority")) && rule.table === Number(after("lookup")),
        );
      case "neighbour replace":
        this.neighbors = [
          ...this.neighbors.filter((found) => found.device !== device || found.address !== rest[0]),
          { device, address: rest[0]!, mac: after("lladdr")!, own },
        ];
        return true;
      case "neighbour add":
        return add(this.proxies, { device, address: rest[1]!, own }, (proxy) => `${proxy.device} ${proxy.address}`);
      case "neighbour del":
        return rest[0] === "proxy"
          ? remove(this.proxies, (proxy) => proxy.device === device && proxy.address === rest[1])
          : remove(this.neighbors, (found) => found.device === device && found.address === rest[0]);
      default:
        return false;
    }
  }

  private other(step: Exclude<Step, { kind: "ip" }>): boolean {
    switch (step.kind) {
      case "vrf":
        if (this.links.has(step.name) || this.vrfs.some(({ table }) => table === step.table)) return false;
        this.links.set(step.name, false);
        this.vrfs.push({ name: step.name, table: step.table, up: false, own: true });
        return true;
      case "sysctl":
        this.sysctls.set(step.path, step.value);
        return true;
      case "frr":
        return this.frr(step);
      case "flows":
        for (const line of step.bundle) {
          const [, removed] = /^delete_strict (.*) cookie=/.exec(line) ?? [];
          const [, rule, actions] = /^add (.*) cookie=\S+ actions=(.*)$/.exec(line) ?? [];
          this.flows = this.flows.filter((flow) => flow.bridge !== step.bridge || flow.rule !== (removed ?? rule));
          if (rule !== undefined) this.flows.push({ bridge: step.bridge, rule, actions: actions!, cookie: COOKIE });
        }
        return true;
      case "port":
        return this.port(
          step.subject,
          step.operations as readonly {
            op: string;
            table?: string;
            row?: { tag?: number; mac?: string };
            where?: readonly (readonly unknown[])[];
            mutations?: readonly (readonly unknown[])[];
          }[],
        );
    }
  }

  private port(
    name: string,
    operations: readonly {
      op: string;
      table?: string;
      row?: { tag?: number; mac?: string };
      where?: readonly (readonly unknown[])[];
      mutations?: readonly (readonly unknown[])[];
    }[],
  ): boolean {
    const joined = operations.find(({ mutations }) => mutations?.[0]?.[1] === "insert");
    const [made] = operations.filter(({ op, table }) => op === "insert" && table === "Port");
    const before = this.ports.find((port) => port.name === name);
    const bridge = joined ? String(joined.where![0]![2]) : operations[0]!.op === "update" ? before!.bridge : null;
    this.ports = this.ports.filter((port) => port.name !== name);
    if (bridge === null) {
      // Addresses and routes of a device are deleted with it.
      this.links.delete(name);
      for (const list of ["addresses", "routes", "neighbors", "proxies"] as const)
        this[list] = (this[list] as { device: string }[]).filter(({ device }) => device !== name) as never;
      for (const path of this.sysctls.keys()) if (path.includes(`/${name}/`)) this.sysctls.delete(path);
      return before !== undefined;
    }
    this.ports.push({
      uuid: name,
      name,
      bridge,
      tag: (made ?? operations[0]!).row!.tag!,
      mac: operations.find(({ table }) => table === "Interface")!.row!.mac!,
      own: true,
    });
    if (!this.links.has(name)) this.addDevice(name, false);
    return true;
  }

  private frr({ lines }: FrrStep): boolean {
    const family = lines[1]?.includes("ipv6") ? 6 : 4;
    const [, no, how, table, map] = /^(no )?redistribute (\S+) (\d+)( route-map pulumi-ovn-agent)?$/.exec(lines.at(-1)!) ?? [];
    if (lines[0]!.endsWith("route-map pulumi-ovn-agent") || lines[0] === "route-map pulumi-ovn-agent permit 10") {
      this.mark = !lines[0]!.startsWith("no ");
      return true;
    }
    if (lines.at(-1)!.includes(" vrf ") || lines[0]!.includes(" vrf ")) return this.leak(lines, family);
    if (lines[0] !== `router bgp ${AS}` || how === undefined) return false;
    if (no === undefined) this.redistributed[family].push({ how: how as "table-direct", table: Number(table), own: map !== undefined });
    else this.redistributed[family] = this.redistributed[family].filter((line) => line.how !== how || line.table !== Number(table));
    return true;
  }

  /** Instances of VRFs: `router bgp AS vrf NAME`, and `import vrf NAME` in the one without. */
  private leak(lines: readonly string[], family: 4 | 6): boolean {
    const [, vrf] = / vrf (\S+)$/.exec(lines.find((line) => line.includes(" vrf "))!)!;
    const found = this.leaks.find((one) => one.vrf === vrf) ?? { vrf: vrf!, asNumber: null, redistributed: [], foreign: false, imported: [] };
    const changed = (change: Partial<LiveVrfBgp>): true => {
      this.leaks = [...this.leaks.filter((one) => one !== found), { ...found, ...change }].filter(
        ({ asNumber, imported }) => asNumber !== null || imported.length > 0,
      );
      return true;
    };
    const last = lines.at(-1)!;
    if (last === `no router bgp ${AS} vrf ${vrf}`) return found.imported.length === 0 && changed({ asNumber: null, redistributed: [] });
    if (last === `import vrf ${vrf}`) return found.asNumber !== null && changed({ imported: [...found.imported, family] });
    if (last === `no import vrf ${vrf}`) return changed({ imported: found.imported.filter((other) => other !== family) });
    return (
      last === "redistribute kernel route-map pulumi-ovn-agent" &&
      lines[0] === `router bgp ${AS} vrf ${vrf}` &&
      changed({ asNumber: AS, redistributed: [...found.redistributed, family] })
    );
  }
}

function add<T>(list: T[], item: T, key: (item: T) => string): boolean {
  if (list.some((other) => key(other) === key(item))) return false;
  list.push(item);
  return true;
}

/** The first of them, as the kernel does. */
function remove<T>(list: T[], which: (item: T) => boolean): boolean {
  const index = list.findIndex(which);
  if (index >= 0) list.splice(index, 1);
  return index >= 0;
}

/** All that is the agent's on a model, in the form of a state. */
export function ownOf(model: HostModel): Omit<HostState, "devices"> {
  const { devices: _, ...rest } = NOTHING;
  const own = <T extends { own: boolean }>(list: readonly T[]) => list.filter((item) => item.own);
  const sorted = <T>(list: readonly T[]): T[] => list.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  const lines = [...model.redistributed[4], ...model.redistributed[6]].filter((line) => line.own);
  return {
    ...rest,
    taggedPorts: sorted(own(model.ports).map(({ name, bridge, tag, mac }) => ({ name, bridge: bridge!, tag: tag!, mac: mac! }))),
    addresses: sorted(own(model.addresses).map(({ device, address }) => ({ device, address }))),
    routes: sorted(own(model.routes).map(({ table, destination, device, via }) => ({ table, destination: destinationText(destination), device, via }))),
    rules: sorted(own(model.rules).map(({ family, priority, table }) => ({ family, priority, table }))),
    neighbors: sorted(own(model.neighbors).map(({ device, address, mac }) => ({ device, address, mac }))),
    proxies: sorted(own(model.proxies).map(({ device, address }) => ({ device, address }))),
    flows: sorted(
      [...new Set(model.flows.map(({ bridge }) => bridge))]
        .map((bridge) => ({
          bridge,
          flows: model.flows
            .filter((flow) => flow.bridge === bridge && flow.cookie === COOKIE)
            .map(({ rule, actions }) => `${rule},actions=${actions}`)
            .sort(),
        }))
        .filter(({ flows }) => flows.length > 0),
    ),
    bgp: announcedBy(model, lines),
  };
}

/** Announcements of one table, by the instance without VRF or by a VRF with both families. */
function announcedBy({ leaks, vrfs }: HostModel, [line]: readonly Redistributed[]): HostState["bgp"] {
  const [leak] = leaks;
  if (leak === undefined && vrfs.length === 0) return line === undefined ? null : { asNumber: AS, routerId: null, table: line.table };
  expect([line, leaks, vrfs]).toEqual([
    undefined,
    [{ vrf: expect.any(String), asNumber: AS, redistributed: expect.arrayContaining([4, 6]), foreign: false, imported: expect.arrayContaining([4, 6]) }],
    [{ name: leak?.vrf, table: expect.any(Number), up: true, own: true }],
  ]);
  return { asNumber: AS, routerId: null, table: vrfs[0]!.table, vrf: leak!.vrf };
}
