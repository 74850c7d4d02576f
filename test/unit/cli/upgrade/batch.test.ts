import fc from "fast-check";
import { orderNodes, parseBatch, UpgradeError } from "@pulumi-ovn/cli/upgrade";

describe("parseBatch", () => {
  it.each([
    ["1", 10, 1],
    ["3", 10, 3],
    ["99", 10, 10],
    ["25%", 10, 3],
    ["1%", 10, 1],
    ["100%", 10, 10],
    [" 2 ", 3, 2],
  ])("%s of %i nodes is %i", (text, nodes, batch) => {
    expect(parseBatch(text, nodes)).toBe(batch);
  });

  it.each(["0", "0%", "00", "101%", "-1", "1.5", "", "all", "%", "1 %", "1e3"])("refuses %j", (text) => {
    expect(() => parseBatch(text, 10)).toThrow(expect.objectContaining({ code: "OVN_UPGRADE_BATCH" }) as Error);
  });

  it("is at least one node, and at most all", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 1, max: 100 }), (nodes, percent) => {
        const batch = parseBatch(`${percent}%`, nodes);
        expect(batch).toBeGreaterThanOrEqual(1);
        expect(batch).toBeLessThanOrEqual(nodes);
        expect(batch * 100).toBeGreaterThanOrEqual(nodes * percent);
      }),
    );
  });
});

describe("orderNodes", () => {
  it("orders by numbers in names, not by letters", () => {
    expect(orderNodes(["node10", "node2", "node1"])).toEqual(["node1", "node2", "node10"]);
  });

  it("begins with the given ones", () => {
    expect(orderNodes(["a", "b", "c"], ["c"])).toEqual(["c", "a", "b"]);
  });

  it("refuses a node that the network lacks, with the nearest name", () => {
    expect(() => orderNodes(["node1", "node2"], ["nod2"])).toThrow('there is no node "nod2" in the network, which has node1, node2; did you mean "node2"?');
    expect(() => orderNodes(["node1"], ["node1", "node1"])).toThrow(UpgradeError);
  });
});
