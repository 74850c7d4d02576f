import type { ComparedBox, ComparedColumn, ComparedFact, ComparedScene, Status } from "../compare";
import type { Role } from "../model/scene";

/** A box that represents several boxes. */
export interface FoldedBox extends ComparedBox {
  /** Identities of the boxes that it represents. Empty for a box of its own. */
  readonly represented: readonly string[];
}

export interface FoldedColumn extends ComparedColumn {
  /** Number of columns that it represents; 1 for a column of its own. */
  readonly count: number;
}

/** A scene with at most so many boxes that a person can look at. */
export interface FoldedScene extends Omit<ComparedScene, "boxes" | "columns"> {
  readonly columns: readonly FoldedColumn[];
  readonly boxes: readonly FoldedBox[];
}

const NOUNS: Readonly<Record<Role, string>> = {
  outside: "external networks",
  router: "routers",
  switch: "switches",
  workload: "workloads",
  address: "addresses",
  service: "services",
  rule: "rules",
  host: "hosts",
};

/** One box for several of a band and a column. They are sorted. */
export function foldBoxes(boxes: readonly ComparedBox[], band: string, column: string | undefined): FoldedBox {
  const [first, last] = [boxes[0]!, boxes.at(-1)!];
  const addresses = [first, last].flatMap(({ facts }) => facts[0]?.value ?? []);
  const has = ({ facts }: ComparedBox, wanted: ComparedFact) =>
    facts.some(({ name, value, status }) => name === wanted.name && value === wanted.value && status === wanted.status);
  const common = first.facts.filter((fact) => boxes.every((box) => has(box, fact)));
  const range: ComparedFact[] = [
    { name: "", value: `${first.title} … ${last.title}`, status: "same" },
    ...(common.length > 0 && common[0] === first.facts[0]
      ? common
      : addresses.length === 2
        ? [{ name: "", value: `${addresses[0]} … ${addresses[1]}`, status: "same" } as const]
        : []),
  ];
  return {
    id: `fold ${band} ${column ?? ""}`,
    role: first.role,
    title: `${boxes.length} ${NOUNS[first.role]}`,
    facts: range,
    band,
    column,
    columns: [],
    sources: boxes.slice(0, 20).flatMap(({ sources }) => sources.slice(0, 1)),
    status: statusOf(boxes),
    otherColumn: undefined,
    columnChanges: new Map(),
    represented: boxes.map(({ id }) => id),
  };
}

/** Common status; "changed" if there are several. */
function statusOf(boxes: readonly ComparedBox[]): Status {
  const found = new Set(boxes.map(({ status }) => status));
  return found.size === 1 ? boxes[0]!.status : "changed";
}
