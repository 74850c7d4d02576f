import type { ComparedBox, ComparedScene } from "../picture/compare";
import type { Plan, PlannedResource, Side } from "../plan/plan";
import { rowsOf } from "./names";

/** The side of a plan that a path belongs to. */
export type PathSide = "before" | "after";

const HIDDEN: Readonly<Record<PathSide, ReadonlySet<string>>> = { before: new Set(["added", "moved"]), after: new Set(["removed", "left"]) };
const ROLES: Readonly<Record<string, string>> = { Logical_Switch: "switch", Logical_Router: "router" };

/** Boxes of a picture by the names that paths of packets have. */
export class Places {
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

  /** The box of a logical switch or router. Undefined if no box represents it, as for a switch between a gateway router and its network. */
  datapath(side: PathSide, zone: string, name: string): ComparedBox | undefined {
    const owners = this.#owners.get(name) ?? [];
    const boxOf = (owner: Owner) => {
      const own = this.#boxes[side].filter(({ sources }) => sources.some(({ urn }) => urn === owner.urn));
      return own.find(({ role }) => role === ROLES[owner.table]) ?? own.find(({ role }) => role === "service");
    };
    const inZone = owners.filter((owner) => owner.zone === zone).flatMap((owner) => boxOf(owner) ?? []);
    // A distributed switch is one box, also for a zone that only the other side has.
    return inZone[0] ?? owners.flatMap((owner) => boxOf(owner) ?? []).find(({ column }) => column === undefined);
  }

  outside(side: PathSide, zone: string, network: string): ComparedBox | undefined {
    return this.#boxes[side].find((box) => box.role === "outside" && box.network === network && (box.columns.length === 0 || box.columns.includes(zone)));
  }
}

interface Owner {
  readonly name: string;
  readonly zone: string | undefined;
  readonly table: string;
  readonly urn: string;
}

function ownersIn(resource: PlannedResource, side: Side): Owner[] {
  return rowsOf(resource, side).flatMap(({ table, columns }): Owner[] => {
    const { name } = columns;
    return ROLES[table] === undefined || typeof name !== "string" ? [] : [{ name, zone: side.place?.name, table, urn: resource.urn }];
  });
}
