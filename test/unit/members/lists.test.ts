import fc from "fast-check";
import { formerEntries, MembersError, referenceTo, restored } from "@pulumi-ovn/provider/testing";
import { MemberLists } from "@pulumi-ovn/provider/tools";

const nodes = { node2: { id: 3, chassis: "h2" }, node1: { id: 2 } };
const reference = referenceTo("nodes", "blue-members", nodes);

describe("a reference", () => {
  it("is readable, and equal in any order of the list", () => {
    expect(reference).toMatch(/^nodes of blue-members: 2, digest [\w-]{16}$/);
    expect(referenceTo("nodes", "blue-members", { node1: { id: 2 }, node2: { chassis: "h2", id: 3 } })).toBe(reference);
  });

  it("differs for another value, and for another list", () => {
    const digests = [
      reference,
      referenceTo("nodes", "blue-members", { ...nodes, node1: { id: 4 } }),
      referenceTo("chassis", "blue-members", nodes),
      referenceTo("nodes", "blue-members", { node1: { id: 2 } }),
    ].map((text) => text.split(" ").at(-1));
    expect(new Set(digests).size).toBe(4);
  });
});

describe("lists of a process", () => {
  it("are found by digest, whatever the resource's name is", () => {
    const lists = new MemberLists();
    lists.remember(reference, nodes);
    expect(lists.find(reference.replace("blue", "red"))).toBe(nodes);
    expect([lists.find(referenceTo("nodes", "blue-members", {})), lists.find(undefined), lists.find("blue")]).toEqual([undefined, undefined, undefined]);
  });

  it("are stored only with a digest, and only if they are lists", () => {
    const lists = new MemberLists();
    for (const [odd, entries] of [
      ["unknown", nodes],
      [undefined, nodes],
      [reference, undefined],
      [reference, "text"],
      [reference, null],
    ] as const)
      lists.remember(odd, entries);
    expect([lists.find(reference), lists.find("unknown")]).toEqual([undefined, undefined]);
  });

  it("are awaited by all readers at the same time", async () => {
    const lists = new MemberLists(60_000);
    const waits = [lists.arrival(reference), lists.arrival(reference)];
    lists.remember(reference, nodes, true);
    expect(await Promise.all(waits)).toEqual([nodes, nodes]);
    expect(await lists.arrival(reference)).toBe(nodes);
  });

  it("are awaited until one common deadline, each list by itself", async () => {
    const lists = new MemberLists(1);
    const other = referenceTo("nodes", "red-members", {});
    expect(await Promise.all([lists.arrival(reference), lists.arrival(reference), lists.arrival("no reference")])).toEqual([undefined, undefined, undefined]);
    expect(await lists.arrival(reference)).toBeUndefined();
    const late = lists.arrival(other);
    lists.remember(other, nodes, true);
    expect(await late).toBe(nodes);
  });

  it("are replaced by the current ones for references to a list that no longer exists, immediately, and only for those", async () => {
    const lists = new MemberLists(1);
    const today = { node1: { id: 2 } };
    lists.remember(reference, nodes);
    lists.remember(referenceTo("nodes", "blue-members", today), today, true);
    expect(await lists.arrival(reference)).toBe(nodes);
    expect(await lists.arrival(referenceTo("nodes", "blue-members", { node7: { id: 8 } }))).toBe(today);
    expect(await lists.arrival(referenceTo("chassis", "blue-members", { node7: { id: 8 } }))).toBeUndefined();
    expect(await lists.arrival(referenceTo("nodes", "red-members", { node7: { id: 8 } }))).toBeUndefined();
    expect(lists.find(referenceTo("nodes", "blue-members", { node7: { id: 8 } }))).toBeUndefined();
  });
});

it("are held by a resource with the URN of a sibling", () => {
  const urn = "urn:pulumi:dev::net::ovn:network:Layer2Network$pulumi-nodejs:dynamic/ovn:WorkloadPorts::blue-workloads-node1";
  const { code, message } = new MembersError(urn, reference);
  expect(code).toBe("OVN_MEMBERS");
  expect(message).toContain(
    `the ${reference} are not known, because this operation leaves out the resource that holds them: add --target 'urn:pulumi:dev::net::ovn:network:Layer2Network$pulumi-nodejs:dynamic/ovn:NetworkMembers::blue-members'`,
  );
});

it("reconstruct the earlier list from the smallest change", () => {
  const entry = fc.record({ id: fc.nat(3), chassis: fc.option(fc.constantFrom("h1", "h2"), { nil: undefined }) });
  const list = fc
    .dictionary(fc.constantFrom("a", "b", "c", "d", "constructor"), entry)
    .map((value) => JSON.parse(JSON.stringify(value)) as Record<string, object>);
  fc.assert(fc.property(list, list, (before, after) => expect(restored(after, formerEntries(before, after))).toEqual(before)));
  expect(formerEntries({ a: { id: 1 }, b: { id: 2 }, c: { id: 3 } }, { a: { id: 1 }, b: { id: 4 }, d: { id: 5 } })).toEqual({
    b: { id: 2 },
    c: { id: 3 },
    d: null,
  });
});
