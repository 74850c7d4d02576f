import type { Operation } from "@pulumi-ovn/ovsdb-client";
import type { Family, Problem } from "@pulumi-ovn/provider/agent";
import type { LiveWays } from "./live";

/** One command of ip(8). */
export interface IpStep {
  readonly kind: "ip";
  readonly family: Family;
  readonly line: string;
  /** Subject of a refusal. */
  readonly subject: string;
}

/** A VRF device of the agent's that is not there. Whatever follows this step needs the device. */
export interface VrfStep {
  readonly kind: "vrf";
  readonly name: string;
  readonly table: number;
}

/** A setting below /proc/sys/net. */
export interface SysctlStep {
  readonly kind: "sysctl";
  readonly path: string;
  readonly value: string;
}

/** One transaction on the Open_vSwitch database. */
export interface PortStep {
  readonly kind: "port";
  readonly operations: readonly Operation[];
  /** Name of the port. */
  readonly subject: string;
  /** Whether the port is new: later steps need its device. */
  readonly appears: boolean;
}

/** One bundle for a bridge. */
export interface FlowStep {
  readonly kind: "flows";
  readonly bridge: string;
  readonly bundle: readonly string[];
}

/** Configuration of one of FRR's daemons, line by line. */
export interface FrrStep {
  readonly kind: "frr";
  readonly daemon: "bgpd" | "zebra";
  readonly lines: readonly string[];
}

export type Step = IpStep | VrfStep | SysctlStep | PortStep | FlowStep | FrrStep;

/** Steps from the live state of a host to the desired state. */
export interface Plan {
  /** In execution order. */
  readonly steps: readonly Step[];
  /** Steps that are not tried, with the reason. */
  readonly problems: readonly Problem[];
  /** Routes and neighbours after all steps. Undefined if some desired objects can't be tried. */
  readonly after: LiveWays | undefined;
}
