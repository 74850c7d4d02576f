import { planContributions, type ResolvedContribution } from "@pulumi-ovn/provider/testing";
import { northboundExcerpt as schema } from "../../support/northbound-excerpt";

const ROW = "00000000-0000-4000-8000-000000000001";
const place = (column: string, key: string | undefined, name: string | undefined, value = ""): ResolvedContribution => ({
  table: "Logical_Router",
  uuid: ROW,
  column,
  key,
  name,
  value,
  label: "tr",
  mark: ["pulumi-ovn:owner", column, key, name].filter((word) => word !== undefined).join("/"),
  source: { table: "Logical_Router", row: { uuid: ROW }, column, part: { kind: "entry", key: "", value: "" } },
});
const steps = (desired: ResolvedContribution[], previous: ResolvedContribution[], live: Record<string, unknown> | undefined) =>
  planContributions({
    schema,
    owner: "me",
    desired,
    previous,
    live: new Map(live ? [[ROW, { external_ids: new Map(), options: new Map(), ...live } as never]] : []),
  }).map(({ operation }) => operation);

const where = ["_uuid", "==", ["uuid", ROW]];
const map = (...pairs: [string, string][]) => ["map", pairs];
const holds = (...conditions: unknown[]) => ({
  op: "wait",
  table: "Logical_Router",
  where: [where, ...conditions],
  columns: ["_uuid"],
  until: "!=",
  rows: [],
  timeout: 0,
});
const mutate = (...mutations: unknown[]) => ({ op: "mutate", table: "Logical_Router", where: [where], mutations });

const entry = place("options", "k", undefined, "1");
const item = place("options", "list", "a", "br-a");
const mark = (contribution: ResolvedContribution, owner = "me"): [string, string] => [contribution.mark, owner];

describe("planContributions", () => {
  it("inserts an entry and its mark, then verifies both: an insert keeps another writer's new key", () => {
    expect(steps([entry], [], {})).toEqual([
      mutate(["options", "insert", map(["k", "1"])], ["external_ids", "insert", map(mark(entry))]),
      holds(["options", "includes", map(["k", "1"])], ["external_ids", "includes", map(mark(entry))]),
    ]);
  });

  it("changes an item of a list only if the list is unchanged since the read", () => {
    expect(steps([item], [], { options: new Map([["list", "x:y, odd,a:old"]]), external_ids: new Map([mark(item)]) })).toEqual([
      holds(["options", "includes", map(["list", "x:y, odd,a:old"])], ["external_ids", "includes", map(mark(item))]),
      mutate(
        ["options", "delete", map(["list", "x:y, odd,a:old"])],
        ["options", "insert", map(["list", "x:y, odd,a:br-a"])],
        ["external_ids", "delete", map(mark(item))],
        ["external_ids", "insert", map(mark(item))],
      ),
      holds(["options", "includes", map(["list", "x:y, odd,a:br-a"])], ["external_ids", "includes", map(mark(item))]),
    ]);
  });

  it("removes its entry and mark; a changed value stays, and its mark is removed", () => {
    const live = { options: new Map([["k", "1"]]), external_ids: new Map([mark(entry)]) };
    expect(steps([], [entry], live)).toEqual([
      holds(["options", "includes", map(["k", "1"])], ["external_ids", "includes", map(mark(entry))]),
      mutate(["options", "delete", map(["k", "1"])], ["external_ids", "delete", map(mark(entry))]),
    ]);
    expect(steps([], [entry], { ...live, options: new Map([["k", "2"]]) })).toEqual([
      holds(["external_ids", "includes", map(mark(entry))]),
      mutate(["external_ids", "delete", map(mark(entry))]),
    ]);
    expect(steps([], [entry], { ...live, external_ids: new Map([mark(entry, "other")]) })).toEqual([]);
    expect(steps([], [entry], undefined)).toEqual([]);
  });

  it("removes entries, items and elements that only marks report", () => {
    const port = "00000000-0000-4000-8000-000000000002";
    const element = place("ports", undefined, port);
    const live = {
      options: new Map([
        ["k", "1"],
        ["list", "x:y,a:br-a"],
      ]),
      ports: [port],
      external_ids: new Map([mark(place("options", "other", undefined), "other"), mark(item), mark(element)]),
    };
    expect(steps([entry], [], { ...live, external_ids: new Map([...live.external_ids, mark(entry)]) })).toEqual([
      holds(["options", "includes", map(["list", "x:y,a:br-a"])], ["external_ids", "includes", map(mark(item), mark(element))]),
      mutate(
        ["options", "delete", map(["list", "x:y,a:br-a"])],
        ["options", "insert", map(["list", "x:y"])],
        ["external_ids", "delete", map(mark(item), mark(element))],
        ["ports", "delete", ["set", [["uuid", port]]]],
      ),
      holds(["options", "includes", map(["list", "x:y"])]),
    ]);
  });

  it("removes an interrupted run's entry from a row that is no longer used", () => {
    const live = { options: new Map([["k", "1"]]), external_ids: new Map([mark(entry), mark(place("options", "other", undefined))]) };
    const gone = [mark(entry), mark(place("options", "other", undefined))] as const;
    expect(steps([], [entry], live)).toEqual([
      holds(["options", "includes", map(["k", "1"])], ["external_ids", "includes", map(...gone)]),
      mutate(["options", "delete", map(["k", "1"])], ["external_ids", "delete", map(...gone)]),
    ]);
  });

  it("removes the mark of a deleted item, and leaves the list", () => {
    const live = { options: new Map([["list", "x:y"]]), external_ids: new Map([mark(entry), mark(item)]) };
    expect(steps([entry], [], { ...live, options: new Map([...live.options, ["k", "1"]]) })).toEqual([
      holds(["external_ids", "includes", map(mark(item))]),
      mutate(["external_ids", "delete", map(mark(item))]),
    ]);
  });

  it("writes nothing if all is as desired, and refuses values of other owners", () => {
    const standing = { options: new Map([["k", "1"]]), external_ids: new Map([mark(entry)]) };
    expect(steps([entry], [entry], standing)).toEqual([]);
    expect(steps([entry], [], { options: new Map([["k", "1"]]) })).toEqual([]);
    expect(() => steps([entry], [], { options: new Map([["k", "2"]]) })).toThrow(expect.objectContaining({ code: "OVN_CLAIMED", row: "tr" }));
    expect(() => steps([entry], [], { ...standing, external_ids: new Map([mark(entry, "other")]) })).toThrow(
      expect.objectContaining({ code: "OVN_FOREIGN_ROW", row: "tr" }),
    );
    expect(() => steps([entry], [], undefined)).toThrow(expect.objectContaining({ code: "OVN_NOT_FOUND", row: "tr" }));
  });
});
