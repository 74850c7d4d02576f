import fc from "fast-check";
import { addsSecret, isPacked, type SecretPath } from "@pulumi-ovn/provider/testing";
import { checked, served } from "../../support/provider";

const ZONES = { node1: { northbound: "unix:/nowhere", southbound: "unix:/nowhere" } };
const LISTS = {
  nodes: { node1: { id: 2 } },
  workloads: { vm1: { zone: "node1", chassis: "h1", addresses: ["203.203.0.5"], mac: "0a:58:cb:cb:00:05", tunnelKey: 15 } },
};
const VM1 = ["workloads", "vm1", "mac"];
const inputsOf = (redact?: SecretPath[]) => checked("NetworkMembers", "blue-members", { ...LISTS, redact }, ZONES);

describe("an argument that is marked secret later, with an equal value", () => {
  it("is a change until an update has stored the outputs by name", async () => {
    const members = await served("NetworkMembers", ZONES);
    const [open, secret] = [await inputsOf(), await inputsOf([VM1])];
    const { id, outs: before } = await members.create(open);
    expect(isPacked(before!)).toBe(true);
    expect(await members.diff(id, before, open)).toEqual({ changes: false, replaces: [], deleteBeforeReplace: false });
    expect(await members.diff(id, before, secret)).toEqual({ changes: true, replaces: [], deleteBeforeReplace: false });
    // A refresh keeps it.
    expect((await members.diff(id, (await members.read(id, before)).props, secret)).changes).toBe(true);

    const { outs: after } = await members.update(id, before, secret);
    expect(after).toEqual({ ...secret, redact: [VM1] });
    expect(JSON.stringify(after).match(/0a:58:cb:cb:00:05/g)).toHaveLength(1);
    expect((await members.diff(id, after, secret)).changes).toBe(false);
    expect((await members.diff(id, (await members.read(id, after)).props, secret)).changes).toBe(false);
  });

  it("is a change next to another secret, and no change when it is open again", async () => {
    const members = await served("NetworkMembers", ZONES);
    const [one, two] = [await inputsOf([VM1]), await inputsOf([VM1, "nodes"])];
    const { id, outs } = await members.create(one);
    expect((await members.diff(id, outs, two)).changes).toBe(true);
    expect((await members.diff(id, (await members.update(id, outs, two)).outs, two)).changes).toBe(false);
    expect((await members.diff(id, outs, await inputsOf())).changes).toBe(false);
  });

  it("is no change if an earlier release has marked the whole argument", async () => {
    const members = await served("NetworkMembers", ZONES);
    const { id, outs } = await members.create(await inputsOf(["workloads"]));
    expect((await members.diff(id, outs, await inputsOf([VM1]))).changes).toBe(false);
  });
});

test.each<[SecretPath[], SecretPath[], boolean]>([
  [[], [], false],
  [[], ["a"], true],
  [["a"], [], false],
  [["a"], [["a"]], false],
  [["a"], [["a", "b"]], false],
  [[["a", "b"]], ["a"], true],
  [[["a", "b"]], [["a", "c"]], true],
  [[["a", "b"]], [["b", "a"]], true],
  [["a"], ["ab"], true],
  [["a", "b"], ["b", ["a", "0"]], false],
  [["a"], ["a", "b"], true],
])("of %j to %j: %s", (before, now, expected) => expect(addsSecret(before, now)).toBe(expected));

test("former secrets and their parts are not new secrets", () => {
  const paths = fc.array(fc.array(fc.constantFrom("a", "b", "0"), { minLength: 1, maxLength: 3 }), { minLength: 1 });
  fc.assert(
    fc.property(
      paths,
      fc.array(fc.constantFrom("c", "d")),
      (before, more) =>
        !addsSecret(
          before,
          before.map((path) => [...path, ...more]),
        ) && addsSecret(before, [...before, ["c"]]),
    ),
    { numRuns: 50 },
  );
});
