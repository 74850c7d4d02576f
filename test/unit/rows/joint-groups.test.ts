import type { DesiredRow } from "@pulumi-ovn/provider";
import { changedGroups, jointGroups, ungrouped } from "@pulumi-ovn/provider/testing";

const chassis = (key: string, columns: DesiredRow["columns"] = {}): DesiredRow => ({ table: "Chassis", key, columns, joint: {} });
const encap = (of: string, ip: string): DesiredRow => ({
  table: "Encap",
  key: `${of} ${ip}`,
  columns: { ip },
  joint: { partOf: { table: "Chassis", key: of } },
});
const alone = (key: string): DesiredRow => ({ table: "Chassis", key, columns: {} });

/** A row of only one resource. Comparing it throws. */
const untouchable: DesiredRow = {
  table: "Port",
  key: "p",
  get columns(): never {
    throw new Error("this row was compared");
  },
};

describe("groups of shared rows", () => {
  const rows = [alone("x"), chassis("a"), encap("a", "1"), encap("a", "2"), chassis("b")];

  it("contain a shared row with its parts; other rows are separate", () => {
    expect(jointGroups(rows)).toEqual([
      { row: chassis("a"), parts: [encap("a", "1"), encap("a", "2")] },
      { row: chassis("b"), parts: [] },
    ]);
    expect(ungrouped(rows)).toEqual([alone("x")]);
    const none = [alone("x"), alone("y")];
    expect(ungrouped(none)).toBe(none);
  });

  it("change as a whole if the row or any part changes", () => {
    const now = [alone("x"), chassis("a"), encap("a", "1"), encap("a", "3"), chassis("b", { name: "other" }), chassis("c")];
    const then = [...rows, chassis("c"), chassis("gone"), encap("gone", "1")];
    expect(changedGroups({ desired: now, previous: then })).toEqual({
      desired: [chassis("a"), encap("a", "1"), encap("a", "3"), chassis("b", { name: "other" })],
      previous: [chassis("a"), encap("a", "1"), encap("a", "2"), chassis("b"), chassis("gone"), encap("gone", "1")],
    });
  });

  it("are compared without reading rows of one resource", () => {
    expect(changedGroups({ desired: [untouchable, chassis("a")], previous: [untouchable] })).toEqual({ desired: [chassis("a")], previous: [] });
  });

  it("change when a row becomes shared, and when it is no longer shared", () => {
    expect(changedGroups({ desired: [chassis("x")], previous: [alone("x")] })).toEqual({ desired: [chassis("x")], previous: [] });
    expect(changedGroups({ desired: [alone("x")], previous: [chassis("x")] })).toEqual({ desired: [], previous: [chassis("x")] });
  });
});
