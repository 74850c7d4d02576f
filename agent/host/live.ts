import type { BridgeDifference, DeviceAddress, Family, Neighbor, Problem, Proxy, Route, Rule } from "@pulumi-ovn/provider/agent";

/** Live state of a host: all objects of the agent, and objects of other writers that conflict with desired objects. */
export interface LiveHost {
  readonly kernel: LiveKernel;
  /** Undefined: the database does not answer, and no port changes. */
  readonly ports: LivePorts | undefined;
  /** Keyed by bridge: bridges that should have flows, and other bridges that still have flows of the agent. */
  readonly flows: Readonly<Record<string, LiveFlows>>;
  readonly frr: LiveFrr;
  /** Addresses that FRR's instance has sessions with, or had when it was last seen; undefined: it has not been seen yet. */
  readonly peers: readonly string[] | undefined;
  /** Lasting differences between the prefixes that FRR originates and the desired ones. */
  readonly announcementErrors: AnnouncementErrors;
  /** Parts that could not be read; nothing is planned for them. */
  readonly problems: readonly Problem[];
}

export interface AnnouncementErrors {
  /** Originated, neither desired nor in the kernel's table. */
  readonly stale: readonly string[];
  /** Desired and in the kernel's table, not originated. */
  readonly missing: readonly string[];
  /** Whether the next attempt to have FRR withdraw the stale prefixes is due. */
  readonly retry: boolean;
}

/** Whether it is the agent's. */
interface Owned {
  readonly own: boolean;
}

export interface LiveRoute extends Route, Owned {
  readonly metric: number | null;
  /** Whether the route is unicast with a single next hop, like the agent's routes. */
  readonly plain: boolean;
}

export interface LiveRule extends Rule, Owned {
  /** For all packets, as the agent makes them. */
  readonly plain: boolean;
}

export interface LiveAddress extends DeviceAddress, Owned {}

export interface LiveNeighbor extends Neighbor, Owned {}

export interface LiveProxy extends Proxy, Owned {}

export interface LiveVrf extends Owned {
  readonly name: string;
  readonly table: number;
  readonly up: boolean;
}

export interface LiveKernel {
  /** All VRF devices if one is desired or was desired before, otherwise empty. */
  readonly vrfs: readonly LiveVrf[];
  /** Devices that are wanted and exist. */
  readonly links: Readonly<Record<string, { readonly up: boolean; readonly index: number }>>;
  /** Keyed by path below /proc/sys/net. */
  readonly sysctls: Readonly<Record<string, string>>;
  readonly addresses: readonly LiveAddress[];
  /** Whether addresses have an owner here (Linux 5.18, iproute2 6.3). */
  readonly addressOwners: boolean;
  /** Destinations of other writers' IPv4 routes, keyed by device. Only for devices whose IPv4 addresses are all the agent's, if one is removed. */
  readonly dependents: Readonly<Record<string, readonly string[]>>;
  readonly routes: readonly LiveRoute[];
  readonly rules: readonly LiveRule[];
  readonly neighbors: readonly LiveNeighbor[];
  readonly proxies: readonly LiveProxy[];
  /** The kernel was started without IPv6. */
  readonly ipv4Only?: true;
  /** Networks that the host is in itself, without link-local ones. */
  readonly connected: readonly { readonly device: string; readonly destination: string }[];
}

/** Parts of the kernel's state that follow the workloads. The other parts follow the networks. */
export type LiveWays = Pick<LiveKernel, "routes" | "neighbors" | "proxies">;

export interface LivePort extends Owned {
  readonly uuid: string;
  readonly name: string;
  /** null: in no bridge, which a row of Port can't be for long. */
  readonly bridge: string | null;
  readonly tag: number | null;
  /** Requested MAC. Null if the switch chooses. */
  readonly mac: string | null;
}

export interface LivePorts {
  /** Names of all bridges of the host. */
  readonly bridges: readonly string[];
  /** Ports with the agent's mark, and those of the names that are wanted. */
  readonly ports: readonly LivePort[];
}

/** Differences of a bridge's flows, or a problem if the flows could not be compared. */
export type LiveFlows = { readonly difference: BridgeDifference } | { readonly problem: Problem };

/** Running configuration of FRR's bgpd, for the instance without a VRF. */
export type LiveFrr =
  | {
      readonly running: false;
      /** Whether it may run nevertheless, with lines of the agent: it does not answer, or vtysh could not be run. */
      readonly silent: boolean;
      readonly problem: Problem;
    }
  | {
      readonly running: true;
      /** Major version. */
      readonly version: number;
      readonly bgp: LiveBgp | null;
      /** The route-map that marks what the agent has had redistributed exists. */
      readonly mark: boolean;
      /** The route-map does not set the agent's tag: an earlier release has made it. */
      readonly untagged?: true;
      /** Why nothing that changes in the kernel reaches bgpd: zebra does not answer. */
      readonly zebra?: Problem;
      /** Prefixes that bgpd originates from the table, by family. Undefined if FRR does not report them. */
      readonly origins?: Readonly<Partial<Record<Family, Origins>>>;
      /** Tables that zebra imports (`ip import-table`), for versions that need it. */
      readonly imported: readonly number[];
      /** Instances of VRFs, and VRFs that the instance without one imports. */
      readonly vrfs: readonly LiveVrfBgp[];
    };

export interface LiveVrfBgp {
  readonly vrf: string;
  /** Null if there is no instance. */
  readonly asNumber: number | null;
  /** Families with the agent's `redistribute kernel`. */
  readonly redistributed: readonly Family[];
  /** Whether the instance has other lines. */
  readonly foreign: boolean;
  /** Families in which the instance without VRF has `import vrf`. */
  readonly imported: readonly Family[];
}

export interface Origins {
  readonly prefixes: readonly string[];
  /** A route-map of an operator may keep some out. */
  readonly filtered: boolean;
}

export interface LiveBgp {
  /** Addresses that it has sessions with, of both families; not those of peers by interface, which are link-local. */
  readonly neighbors: readonly string[];
  readonly asNumber: number;
  readonly routerId: string | null;
  readonly redistributed: Readonly<Record<Family, readonly Redistributed[]>>;
  /** Families in which something else is redistributed, too. */
  readonly otherSources?: readonly Family[];
}

/** A line `redistribute table-direct N`, or `redistribute table N`. */
export interface Redistributed {
  readonly how: "table-direct" | "table";
  readonly table: number;
  /** Has the agent's route-map. */
  readonly own: boolean;
}
