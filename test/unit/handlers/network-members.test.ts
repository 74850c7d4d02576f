import { Connections } from "@pulumi-ovn/provider/targets";
import { NetworkMembersHandler, referenceTo } from "@pulumi-ovn/provider/testing";
import { MemberLists, type Properties, UNKNOWN } from "@pulumi-ovn/provider/tools";

const handler = new NetworkMembersHandler();
const nodes = { node1: { id: 2 }, node2: { id: 3, chassis: "h2" } };
const more = { ...nodes, node3: { id: 4 } };
const workloads = { vm1: { zone: "node1", chassis: "node1", addresses: ["10.0.0.5"], mac: "0a:58:0a:00:00:05", tunnelKey: 15 } };
const of = (list: string, entries: object) => referenceTo(list, "blue-members", entries as never);

function request(members = new MemberLists()) {
  return { urn: "urn:pulumi:dev::net::pulumi-nodejs:dynamic/ovn:NetworkMembers::blue-members", secrets: [], targets: new Connections({}), members };
}
const check = (news: Properties, olds: Properties = {}, members?: MemberLists) => handler.check({ ...request(members), olds, news });
const inputs = async (news: Properties) => (await check(news)).inputs;

it("refers to each list, and knows the lists of the last and of this update", async () => {
  const olds = await inputs({ nodes, workloads });
  expect(olds).toEqual({ nodes, workloads, lists: { nodes: of("nodes", nodes), workloads: of("workloads", workloads) } });
  const members = new MemberLists();
  const news = (await check({ nodes: more, workloads }, olds, members)).inputs;
  expect([of("nodes", nodes), of("nodes", more), of("workloads", workloads)].map((reference) => members.find(reference))).toEqual([nodes, more, workloads]);
  expect([handler.diff({ olds, news }).changes, handler.diff({ olds: news, news }).changes]).toEqual([true, false]);
});

it("sets its own reference, whatever its input contains", async () => {
  expect((await inputs({ nodes, lists: { nodes: "mine" } })).lists).toEqual({ nodes: of("nodes", nodes) });
});

it("leaves only a list with unknown values unknown", async () => {
  const { lists } = await inputs({ nodes, workloads: { vm1: { ...workloads.vm1, mac: UNKNOWN } }, chassis: UNKNOWN });
  expect(lists).toEqual({ nodes: of("nodes", nodes), workloads: UNKNOWN, chassis: UNKNOWN });
});

it("refuses invalid lists with their path", async () => {
  const { diagnostics } = await check({ nodes: { node1: { id: 0 } }, workloads: { vm1: { ...workloads.vm1, where: "here" } } });
  expect(diagnostics.map(({ path, code }) => [path, code])).toEqual([
    ["nodes.node1.id", "out-of-range"],
    ["workloads.vm1.where", "unknown-argument"],
  ]);
});

it("keeps the differing earlier values in its outputs for an interrupted update, until the list changes again", async () => {
  const [first, second, third] = [
    await inputs({ nodes, workloads }),
    await inputs({ nodes: more, workloads }),
    await inputs({ nodes: more, workloads: {} }),
  ] as const;
  const { outs: made } = await handler.create({ ...request(), news: first });
  expect(made).toEqual(first);
  const { outs: two } = await handler.update({ ...request(), id: "members", olds: made, news: second });
  expect(two).toEqual({ ...second, formerly: { nodes: { reference: of("nodes", nodes), entries: { node3: null } } } });
  const { outs: three } = await handler.update({ ...request(), id: "members", olds: two, news: third });
  expect(three.formerly).toEqual({ nodes: (two.formerly as Properties).nodes, workloads: { reference: of("workloads", workloads), entries: workloads } });

  // The next update learns of them before anything that refers to them is looked at; so does a refresh.
  const [updating, refreshing] = [new MemberLists(), new MemberLists()];
  handler.diff({ olds: three, news: third, members: updating });
  const read = await handler.read({ ...request(refreshing), id: "members", olds: three });
  for (const members of [updating, refreshing])
    expect([of("nodes", nodes), of("nodes", more), of("workloads", workloads), of("workloads", {})].map((reference) => members.find(reference))).toEqual([
      nodes,
      more,
      workloads,
      {},
    ]);
  expect(read).toEqual({ props: three, inputs: third });
});

it("keeps no earlier values of a new list", async () => {
  const [first, second] = [await inputs({ nodes }), await inputs({ nodes, workloads })];
  expect((await handler.update({ ...request(), id: "members", olds: first, news: second })).outs).toEqual(second);
});

it("keeps no earlier values if a list has or had a secret: the state would show it", async () => {
  const [first, second] = [await inputs({ nodes, workloads }), await inputs({ nodes: more, workloads })];
  expect((await handler.update({ ...request(), secrets: ["workloads"], id: "members", olds: first, news: second })).outs).toEqual(second);
});
