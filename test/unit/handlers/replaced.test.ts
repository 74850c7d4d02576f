import { z } from "zod";
import type { Kind, Outputs } from "@pulumi-ovn/provider";
import { Connections } from "@pulumi-ovn/provider/targets";
import type { Previous } from "@pulumi-ovn/provider/testing";
import { ResourceHandler } from "@pulumi-ovn/provider/tools";
import { stubBackend } from "../../support/stub-backend";

interface Desired extends Outputs {
  readonly objects: readonly string[];
}

/** Objects of each host. As in all back ends, the desired states of a resource determine which objects belong to it. */
let hosts: Map<unknown, readonly string[]>;
let previous: (Previous<Desired> | undefined)[];

const backend = stubBackend<Desired>({
  digest: ({ objects }) => objects.join(),
  ensure: ({ properties: { host } }, { objects }, before) => {
    previous.push(before);
    const others = (hosts.get(host) ?? []).filter((each) => !before?.desired?.objects.includes(each) && !objects.includes(each));
    hosts.set(host, [...others, ...objects]);
    return Promise.resolve();
  },
  remove: ({ properties: { host } }, desired) => {
    hosts.set(
      host,
      (hosts.get(host) ?? []).filter((each) => !desired?.objects.includes(each)),
    );
    return Promise.resolve();
  },
});
const kind: Kind<{ host: string; objects: string[] }, Desired> = {
  name: "It",
  schema: z.strictObject({ host: z.string(), objects: z.array(z.string()) }),
  outputs: [],
  render: ({ objects }) => ({ objects }),
};

const request = { urn: "urn", secrets: [], targets: new Connections({}) };
const args = (host: string, ...objects: string[]) => ({ host, objects });
/** One operation of Pulumi's: a process of its own. */
let handler: ResourceHandler<{ host: string; objects: string[] }, Desired>;
const operation = () => (handler = new ResourceHandler(kind, backend));
beforeEach(() => {
  [hosts, previous] = [new Map(), []];
  operation();
});

async function checked(news: object) {
  return (await handler.check({ ...request, olds: {}, news: { ...news } })).inputs;
}
const create = async (news: object) => (await handler.create({ ...request, news: await checked(news) })).outs;
const remove = (olds: Record<string, unknown>, urn = "urn") => handler.delete({ ...request, urn, id: "id", olds });
/** Replaced at the same target by an operation that ended before it was deleted; another one begins. */
async function interrupted() {
  const old = await create(args("a", "x"));
  operation();
  const replacement = await create(args("a", "x"));
  operation();
  return [old, replacement] as const;
}
const diff = async (olds: Record<string, unknown>, news: object) => handler.diff({ urn: "urn", olds, news: await checked(news) });

it("keeps its objects when it is replaced, and deletes those that the replacement lacks", async () => {
  const old = await create(args("a", "x", "y"));
  operation();
  await diff(old, args("a", "y", "z"));
  await create(args("a", "y", "z"));
  await remove(old);
  expect(hosts.get("a")).toEqual(["y", "z"]);
  // The live parts are those of both together.
  expect(previous.at(-1)).toMatchObject({ desired: { objects: ["x", "y"] }, unchanged: false, replaced: true });
});

it("deletes objects that the replacement lacks, also in a later update, with and without a change of the replacement", async () => {
  for (const later of [["y"], ["y", "z"]]) {
    const old = await create(args("a", "x", "y"));
    operation();
    const replacement = await create(args("a", "y"));
    hosts.set("a", ["x", "y"]);
    operation();
    await diff(replacement, args("a", ...later));
    if (later.length > 1) await handler.update({ ...request, id: "id", olds: replacement, news: await checked(args("a", ...later)) });
    await remove(old);
    expect(hosts.get("a")).toEqual(later);
    operation();
  }
});

it("keeps them in an update with refresh, which also compares the replaced resource with the state", async () => {
  const old = await create(args("a", "x"));
  operation();
  const replacement = await create(args("a", "x"));
  const inputs = await checked(args("a", "x"));
  operation();
  for (const olds of [old, replacement]) handler.diff({ urn: "urn", olds, news: inputs });
  await diff(replacement, args("a", "x"));
  await remove(old);
  expect(hosts.get("a")).toEqual(["x"]);
});

it("deletes all objects of both if the stack is destroyed after a refresh", async () => {
  const old = await create(args("a", "x", "y"));
  const inputs = await checked(args("a", "x"));
  operation();
  const replacement = await create(args("a", "x"));
  operation();
  for (const olds of [old, replacement]) handler.diff({ urn: "urn", olds, news: inputs });
  await remove(replacement);
  await remove(old);
  expect(hosts.get("a")).toEqual([]);
});

it("keeps them if a later update deletes the old resource and knows the replacement only from the state", async () => {
  const [old, replacement] = await interrupted();
  await diff(replacement, args("a", "x"));
  await remove(old);
  expect(hosts.get("a")).toEqual(["x"]);
});

it("keeps them if the replacement was updated since", async () => {
  const [old, replacement] = await interrupted();
  await diff(replacement, args("a", "y"));
  const { outs } = await handler.update({ ...request, id: "id", olds: replacement, news: await checked(args("a", "y")) });
  await remove(old);
  expect(hosts.get("a")).toEqual(["y"]);
  await remove(outs);
  expect(hosts.get("a")).toEqual([]);
});

it("keeps them if the old arguments return before the old resource is deleted", async () => {
  const old = await create(args("a", "x"));
  operation();
  const moved = await create(args("b", "x"));
  operation();
  await diff(moved, args("a", "x"));
  await create(args("a", "x"));
  await remove(old);
  await remove(moved);
  expect([hosts.get("a"), hosts.get("b")]).toEqual([["x"], []]);
});

it("deletes all objects of a deleted resource: after a read, a move, or before it is created again", async () => {
  const old = await create(args("a", "x"));
  operation();
  await diff(old, args("b", "x"));
  const moved = await create(args("b", "x"));
  await remove(old);
  expect([hosts.get("a"), hosts.get("b")]).toEqual([[], ["x"]]);
  operation();
  await diff(moved, args("b", "x"));
  await remove(moved);
  await create(args("b", "y"));
  expect(hosts.get("b")).toEqual(["y"]);
});

it("deletes all objects of a resource without a revision in its properties", async () => {
  const { revision: _revision, ...old } = await create(args("a", "x"));
  await remove(old);
  expect(hosts.get("a")).toEqual([]);
});

it("deletes objects that another resource of the same target does not have", async () => {
  const old = await create(args("a", "x"));
  operation();
  await create(args("a", "y"));
  await remove(old, "another");
  expect(hosts.get("a")).toEqual(["y"]);
  // Nothing is written for the one that stays.
  expect(previous).toEqual([undefined, undefined]);
});

it("deletes all objects if the operation that created the resource deletes it", async () => {
  await remove(await create(args("a", "x")));
  expect(hosts.get("a")).toEqual([]);
});

it("keeps all objects and writes nothing if the old resource is deleted before the replacement has its new arguments", async () => {
  const [old, replacement] = await interrupted();
  await diff(replacement, args("a", "y"));
  await remove(old);
  expect(hosts.get("a")).toEqual(["x"]);
  expect(previous).toEqual([undefined, undefined]);
});

it("fails the deletion if an object that the replacement lacks can't be removed", async () => {
  const old = await create(args("a", "x", "y"));
  operation();
  await create(args("a", "y"));
  jest.spyOn(backend, "ensure").mockRejectedValueOnce(Object.assign(new Error("gone"), { code: "OVN_CONNECTION" }));
  await expect(remove(old)).rejects.toMatchObject({ code: "OVN_CONNECTION" });
});

it("is replaced by a move, even if the objects are equal", async () => {
  const old = await create(args("a", "x"));
  expect(await diff(old, args("b", "x"))).toEqual({ changes: true, replaces: ["host"], deleteBeforeReplace: false });
  expect(await diff(old, args("a", "x"))).toEqual({ changes: false, replaces: [], deleteBeforeReplace: false });
});
