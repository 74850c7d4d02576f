import fc from "fast-check";
import { rowUuid } from "@pulumi-ovn/provider/rows";

describe("row UUIDs", () => {
  it("are fixed: a change would orphan every row of every stack", () => {
    expect(rowUuid("urn:pulumi:dev::net::ovn:Kind::a", "Logical_Router", "router")).toBe("ea52db42-9af1-859f-8dc2-fb8b9f61c24c");
  });

  it("are valid, have version 8, and differ by owner, table and key", () => {
    const text = fc.string({ minLength: 1 });
    fc.assert(
      fc.property(text, text, text, text, (owner, table, key, other) => {
        const uuid = rowUuid(owner, table, key);
        expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        if (other !== key) expect(rowUuid(owner, table, other)).not.toBe(uuid);
        if (other !== owner) expect(rowUuid(other, table, key)).not.toBe(uuid);
      }),
    );
  });

  it("separate their parts", () => {
    expect(rowUuid("a", "bc", "d")).not.toBe(rowUuid("ab", "c", "d"));
  });
});
