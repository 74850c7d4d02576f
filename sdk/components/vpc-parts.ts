import {
  argumentNames,
  expandVpc,
  expandVpcBridges,
  expandVpcFrame,
  expandVpcRouters,
  kinds,
  propertyPath,
  type VpcArgs as PlainArgs,
  type VpcFramePlan,
} from "@pulumi-ovn/provider";
import * as pulumi from "@pulumi/pulumi";
import { gated } from "../gate";
import { isLater } from "../plain";
import { refusal } from "../program-error";
import { later, type PartArgs, spread } from "./later";
import { claimInProgram } from "./program-claims";
import { refusingOnce } from "./refusing-once";

/** Arguments of a VPC, any of which may be an output. */
export type LooseVpcArgs = Readonly<Record<string, unknown>>;

/** Parts of a VPC. */
export interface VpcParts extends Omit<VpcFramePlan, "claims"> {
  /** Keyed by host. */
  readonly bridges: Readonly<Record<string, PartArgs>>;
  /** Keyed by host. */
  readonly routers: Readonly<Record<string, PartArgs>>;
  readonly places: Readonly<Record<string, unknown>>;
}

/** Parts of a VPC whose arguments are all known. */
export function knownVpc(what: string, args: PlainArgs): VpcParts {
  const plan = claimed(what, expandVpc(args));
  return {
    ...plan,
    bridges: plan.bridges as unknown as VpcParts["bridges"],
    routers: plan.routers as unknown as VpcParts["routers"],
    places: { ...plan.places },
  };
}

/**
 * Parts of a VPC with outputs among its arguments. Bridges, tunnels and logical routers are known as soon as the arguments that they
 * depend on are. No resource is made if the check of all arguments refuses them.
 */
export function laterVpc(what: string, args: LooseVpcArgs): VpcParts {
  const failures = nameFailures(args);
  if (failures.length > 0)
    throw refusal(
      what,
      failures.map((path) => ({
        path,
        code: "plain",
        message: "can't be an output: names, hosts of workloads and tunnel keys say which resources and bridges there are; other values can",
      })),
    );
  const refusing = refusingOnce(what);
  const { hosts: own, tiers, workloads, virtualRouter } = args;
  const hosts = isLater(own) ? undefined : (own as Readonly<Record<string, unknown>>);
  const frame = refusing(() => claimed(what, expandVpcFrame(args, hosts)));
  const checked = later(args, (all) => refusing(() => claimed(what, expandVpc(all as unknown as PlainArgs))).places);
  const bridges = later({ ...args, ...LEFT_OUT.bridges, tiers: each(tiers, ["key"]), workloads: each(workloads, bridgesNeed(args)) }, (known) =>
    refusing(() => expandVpcBridges(known)),
  );
  const routers = later(
    { ...args, ...LEFT_OUT.routers, workloads: each(workloads, ["tier", "host", "mac", "addresses"]), virtualRouter: only(virtualRouter, ["host"]) },
    (known) => refusing(() => expandVpcRouters(known)),
  );
  const part = (kind: "VpcBridges" | "LogicalRouterBridge", all: pulumi.Output<() => (host: string) => object>) => (host: string) =>
    [
      host,
      spread(
        argumentNames(kinds[kind].schema),
        { host: gated(host, checked) },
        all.apply((of) => of()(host)),
      ),
    ] as const;
  return {
    ...frame,
    bridges: Object.fromEntries(frame.hosts.map(part("VpcBridges", bridges))),
    routers: Object.fromEntries(frame.routed.map(part("LogicalRouterBridge", routers))),
    places: Object.fromEntries((["tiers", "workloads", "virtualRouter"] as const).map((name) => [name, checked.apply((places) => places()[name])])),
  };
}

/** Arguments that the resources of each kind do not depend on. */
const LEFT_OUT = {
  bridges: { acls: undefined, enabled: undefined, stateful: undefined, conntrackZone: undefined },
  routers: { hosts: undefined, portSecurity: undefined },
};

/** With port security, bridges also depend on what workloads send as. */
function bridgesNeed({ portSecurity, workloads }: LooseVpcArgs): readonly string[] {
  const secured = [portSecurity, ...Object.values((workloads ?? {}) as object).map((own: LooseVpcArgs) => own["portSecurity"])].some(
    (on) => on !== undefined && on !== false,
  );
  return ["tier", "host", "port", ...(secured ? ["portSecurity", "mac", "addresses"] : [])];
}

function claimed<Plan extends VpcFramePlan>(what: string, plan: Plan): Plan {
  claimInProgram(what, plan.hosts, plan.claims);
  return plan;
}

/** Paths of what must be known and is not. */
function nameFailures({ name, tiers, workloads, virtualRouter }: LooseVpcArgs): string[] {
  const missing: string[] = [];
  const known = (value: unknown, ...path: PropertyKey[]): value is object => {
    if (isLater(value)) missing.push(propertyPath(path));
    return !isLater(value) && typeof value === "object" && value !== null;
  };
  const listed = (list: unknown, at: string, names: readonly string[]) => {
    if (!known(list, at)) return;
    for (const [entry, value] of Object.entries(list)) {
      if (known(value, at, entry)) for (const inner of names) known((value as Record<string, unknown>)[inner], at, entry, inner);
    }
  };
  known(name, "name");
  listed(tiers, "tiers", ["key"]);
  if (known(virtualRouter, "virtualRouter")) known((virtualRouter as Record<string, unknown>)["host"], "virtualRouter", "host");
  listed(workloads, "workloads", ["tier", "host"]);
  return missing;
}

const each = (list: unknown, names: readonly string[]) =>
  list === undefined ? undefined : Object.fromEntries(Object.entries(list as object).map(([entry, value]) => [entry, only(value, names)]));

function only(value: unknown, names: readonly string[]): unknown {
  return Object.fromEntries(Object.entries(value as object).filter(([name]) => names.includes(name)));
}
