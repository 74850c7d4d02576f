import { routerBridge, tierBridge } from "@pulumi-ovn/provider/tools";
import type { ComparedBox, ComparedScene } from "../../picture/compare";
import type { Source } from "../../picture/model/scene";
import { entriesOf } from "../../picture/model/values";
import type { Plan, PlannedResource, Side } from "../../plan/plan";
import { VIRTUAL_ROUTER } from "../../trace/route";
import { rowsOf } from "./names";

/** The side of a plan that a path belongs to. */
export type PathSide = "before" | "after";

const HIDDEN: Readonly<Record<PathSide, ReadonlySet<string>>> = { before: new Set(["added", "moved"]), after: new Set(["removed", "left"]) };
const ROLES: Readonly<Record<string, string>> = { Logical_Switch: "switch", Logical_Router: "router" };

/** Boxes of a picture by the names that paths of packets have. */
export class PathBoxes {
  readonly #boxes: Readonly<Record<PathSide, readonly ComparedBox[]>>;
  /** Resources of a logical switch or router by its name. */
  readonly #owners: ReadonlyMap<string, readonly Owner[]>;

  constructor({ boxes }: Pick<ComparedScene, "boxes">, { resources }: Plan) {
    const on = (side: PathSide) => boxes.filter(({ status }) => !HIDDEN[side].has(status));
    this.#boxes = { before: on("before"), after: on("after") };
    this.#owners = Map.groupBy(
      resources.flatMap((resource) => [resource.before, resource.after].flatMap((given) => (given ? ownersIn(resource, given) : []))),
      ({ name }) => name,
    );
  }

  workload(side: PathSide, name: string, zone: string | undefined): ComparedBox | undefined {
    const found = this.#boxes[side].filter(({ role, title }) => role === "workload" && title === name);
    return found.find(({ column }) => column === zone) ?? found[0];
  }

  /** The box of a logical switch or router, or of a bridge of a VPC. Undefined if no box represents it, as for a switch between a gateway router and its network. */
  datapath(side: PathSide, zone: string, name: string): ComparedBox | undefined {
    const owners = this.#owners.get(name) ?? [];
    const boxOf = (owner: Owner) => {
      const isOf = ({ urn, arguments: paths }: Source) => urn === owner.urn && (owner.argument === undefined || paths.includes(owner.argument));
      const own = this.#boxes[side].filter(({ sources }) => sources.some(isOf));
      return own.find(({ role }) => role === ROLES[owner.table]) ?? own.find(({ role }) => role === "service");
    };
    const inZone = owners.filter((owner) => owner.zone === zone).flatMap((owner) => boxOf(owner) ?? []);
    // A distributed switch is one box, also for a zone that only the other side has.
    return inZone[0] ?? owners.flatMap((owner) => boxOf(owner) ?? []).find(({ column }) => column === undefined);
  }

  outside(side: PathSide, zone: string, network: string): ComparedBox | undefined {
    if (network === VIRTUAL_ROUTER)
      return this.#boxes[side].find(({ role, title, column }) => role === "router" && title === "virtual router" && column === zone);
    return this.#boxes[side].find((box) => box.role === "outside" && box.network === network && (box.columns.length === 0 || box.columns.includes(zone)));
  }
}

interface Owner {
  readonly name: string;
  readonly zone: string | undefined;
  readonly table: string;
  readonly urn: string;
  /** Path of the argument that the box comes from. Undefined if the resource has one box of the role. */
  readonly argument?: string;
}

function ownersIn(resource: PlannedResource, side: Side): Owner[] {
  const { urn, kind } = resource;
  const { tiers, vpc } = side.state.inputs;
  const origin = { zone: side.target?.name, urn };
  if (kind === "LogicalRouterBridge") return [{ ...origin, name: routerBridge(String(vpc)), table: "Logical_Router" }];
  if (kind === "VpcBridges")
    return entriesOf(tiers).map(([tier, key]) => ({ ...origin, name: tierBridge(Number(key)), table: "Logical_Switch", argument: `tiers.${tier}` }));
  return rowsOf(resource, side).flatMap(({ table, columns }): Owner[] => {
    const { name } = columns;
    return ROLES[table] === undefined || typeof name !== "string" ? [] : [{ ...origin, name, table }];
  });
}
