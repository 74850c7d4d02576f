import {
  argumentNames,
  expandVpc,
  expandVpcBridges,
  expandVpcFrame,
  expandVpcRouters,
  type Failure,
  kinds,
  type LooseArgs,
  type VpcArgs as PlainArgs,
  type VpcFramePlan,
  vpcNeedsOf,
} from "@pulumi-ovn/provider";
import * as pulumi from "@pulumi/pulumi";
import { gated } from "../gate";
import { knownCheck } from "../plain";
import { refusal } from "../program-error";
import { later, type PartArgs, spread } from "./later";
import { claimInProgram } from "./program-claims";
import { refusingOnce } from "./refusing-once";

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
  const plan = claimValues(what, expandVpc(args));
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
export function laterVpc(what: string, args: LooseArgs): VpcParts {
  const failures = nameFailures(args);
  if (failures.length > 0) throw refusal(what, failures);
  const refusing = refusingOnce(what);
  const needs = vpcNeedsOf(args);
  const frame = refusing(() => claimValues(what, expandVpcFrame(needs.frame, args["hosts"])));
  const checked = later(args, (all) => refusing(() => claimValues(what, expandVpc(all as unknown as PlainArgs))).places);
  const bridges = later(needs.bridges, (known) => refusing(() => expandVpcBridges(known)));
  const routers = later(needs.routers, (known) => refusing(() => expandVpcRouters(known)));
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

function claimValues<Plan extends VpcFramePlan>(what: string, plan: Plan): Plan {
  claimInProgram(what, plan.hosts, plan.claims);
  return plan;
}

/** Failures of arguments that must be known and are not. */
function nameFailures({ name, tiers, workloads, virtualRouter }: LooseArgs): Failure[] {
  const failures: Failure[] = [];
  const isKnown = knownCheck("names, hosts of workloads and tunnel keys say which resources and bridges there are; other values can", failures);
  const checkEach = (map: unknown, at: string, names: readonly string[]) => {
    if (!isKnown(map, at)) return;
    for (const [entry, value] of Object.entries(map)) {
      if (isKnown(value, at, entry)) for (const inner of names) isKnown(value[inner], at, entry, inner);
    }
  };
  isKnown(name, "name");
  checkEach(tiers, "tiers", ["key"]);
  if (isKnown(virtualRouter, "virtualRouter")) isKnown(virtualRouter["host"], "virtualRouter", "host");
  checkEach(workloads, "workloads", ["tier", "host"]);
  return failures;
}
