import fc from "fast-check";
import { planDrain, planRestore, type ReroutePolicy } from "@pulumi-ovn/cli/testing";

const policy: ReroutePolicy = {
  uuid: "1",
  match: "ip4.src == 203.203.0.17",
  nexthops: ["100.88.0.7", "100.88.0.9"],
  known: "node2=100.88.0.7 node3=100.88.0.9",
  drained: undefined,
};
const apply = (before: ReroutePolicy, [step]: ReturnType<typeof planDrain>): ReroutePolicy =>
  step ? { ...before, nexthops: step.after, drained: step.drained } : before;

describe("draining a node", () => {
  test("removes its next hop and notes it", () => {
    expect(planDrain({ node: "node3", policies: [policy] })).toEqual([
      { uuid: "1", match: policy.match, before: ["100.88.0.7", "100.88.0.9"], after: ["100.88.0.7"], drained: "node3=100.88.0.9" },
    ]);
    expect(planDrain({ node: "node1", policies: [policy] })).toEqual([]);
  });

  test("notes a second node next to the first", () => {
    const once = apply(policy, planDrain({ node: "node3", policies: [policy] }));
    expect(planDrain({ node: "node2", policies: [once] })).toEqual([
      { uuid: "1", match: policy.match, before: ["100.88.0.7"], after: [], drained: "node3=100.88.0.9 node2=100.88.0.7" },
    ]);
  });

  test("does not restore a next hop that the stack no longer has, and only deletes the note of one that an update has restored", () => {
    const drained = { ...policy, nexthops: ["100.88.0.7"], drained: "node3=100.88.0.9" };
    expect(planRestore({ node: "node3", policies: [{ ...drained, known: "node2=100.88.0.7" }] })).toMatchObject([
      { after: ["100.88.0.7"], drained: undefined },
    ]);
    expect(planRestore({ node: "node3", policies: [{ ...policy, drained: "node3=100.88.0.9" }] })).toMatchObject([
      { after: policy.nexthops, drained: undefined },
    ]);
    expect(planRestore({ node: "node2", policies: [drained] })).toEqual([]);
  });

  test("ignores other writers' texts in the notes", () => {
    expect(planRestore({ node: "node3", policies: [{ ...policy, nexthops: [], drained: "nonsense = node3= =100.88.0.9 node3=100.88.0.9" }] })).toMatchObject([
      { after: ["100.88.0.9"] },
    ]);
  });

  test("ends with the original next hops after all nodes are restored, in any order, also repeatedly", () => {
    const known = ["node1=100.88.0.5", "node2=100.88.0.7", "node3=100.88.0.9", "node4=fd97::b"];
    const nodes = fc.constantFrom("node1", "node2", "node3", "node4", "node5");
    fc.assert(
      fc.property(
        fc.array(nodes, { maxLength: 8 }),
        fc.shuffledSubarray(["node1", "node2", "node3", "node4", "node5"], { minLength: 5 }),
        (drains, restores) => {
          const start: ReroutePolicy = { ...policy, known: known.join(" "), nexthops: known.map((pair) => pair.split("=")[1]!).sort() };
          let live = start;
          for (const node of drains) {
            live = apply(live, planDrain({ node, policies: [live] }));
            expect(planDrain({ node, policies: [live] })).toEqual([]);
            expect(live.nexthops).not.toContain(known.find((pair) => pair.startsWith(`${node}=`))?.split("=")[1]);
          }
          for (const node of restores) live = apply(live, planRestore({ node, policies: [live] }));
          expect(live).toEqual(start);
        },
      ),
    );
  });
});
