import fc from "fast-check";
import { StaleMemberError, WrongClusterError } from "@pulumi-ovn/ovsdb-client";
import { ClusterServers, refuse, type ServerDatabase, ServerRow, shuffled } from "@pulumi-ovn/ovsdb-client/testing";

const A = "aaaaaaaa-0000-4000-8000-000000000000";
const B = "bbbbbbbb-0000-4000-8000-000000000000";
const member = (clusterId: string | undefined, index: number | bigint | undefined, more: Partial<ServerDatabase> = {}): ServerDatabase => {
  return { model: clusterId === undefined ? "standalone" : "clustered", connected: true, leader: true, clusterId, serverId: B, index, ...more };
};

describe("members of a cluster", () => {
  test("the first used server decides the cluster", () => {
    const members = new ClusterServers(true);
    expect([member(A, 5), member(B, 5), member(undefined, undefined)].map((row) => members.refuse(row, "unix:e"))).toEqual([undefined, undefined, undefined]);
    members.note(member(A, 5));
    expect(members.refuse(member(A, 5), "unix:e")).toBeUndefined();
    expect(members.refuse(member(B, 6), "unix:e")).toEqual(new WrongClusterError(`unix:e: the server belongs to cluster ${B}, not to ${A}`));
    expect(members.refuse(member(undefined, undefined), "unix:e")).toEqual(
      new WrongClusterError(`unix:e: the database is in no cluster, and not in cluster ${A}`),
    );
  });

  test("a given cluster id decides from the beginning", () => {
    const members = new ClusterServers(true, A.toUpperCase());
    expect(members.refuse(member(A, 1), "unix:e")).toBeUndefined();
    expect(members.refuse(member(B, 1), "unix:e")).toBeInstanceOf(WrongClusterError);
    members.forget();
    expect(members.refuse(member(B, 1), "unix:e")).toBeInstanceOf(WrongClusterError);
    expect(members.refuse(member(A, 1), "unix:e")).toBeUndefined();
  });

  test("the index never decreases, also beyond 2^53", () => {
    const members = new ClusterServers(true);
    members.note(member(A, 7));
    members.note(member(A, 3));
    expect(members.refuse(member(A, 6), "unix:e")).toEqual(new StaleMemberError("unix:e: the server's data is old: it is at index 6, and 7 was seen before"));
    expect(members.refuse(member(A, 7), "unix:e")).toBeUndefined();
    members.note(member(A, 2n ** 60n + 1n));
    expect(members.refuse(member(A, 2n ** 60n), "unix:e")).toBeInstanceOf(StaleMemberError);
    members.forget();
    expect(members.refuse(member(B, 1), "unix:e")).toBeUndefined();
  });

  test("all are accepted without the check", () => {
    const members = new ClusterServers(false, A);
    members.note(member(A, 7));
    expect(members.refuse(member(B, 1), "unix:e")).toBeUndefined();
  });

  test("a server that is not the leader is refused for that, not for its age, and a relay for neither", () => {
    const members = new ClusterServers(true);
    members.note(member(A, 7));
    expect(refuse(member(A, 1, { leader: false }), "Test", true, members, "unix:e")?.message).toBe("unix:e: the server is not the leader of Test");
    expect(refuse(member(A, 1, { leader: false }), "Test", false, members, "unix:e")).toBeInstanceOf(StaleMemberError);
    expect(refuse(member(A, 1, { connected: false }), "Test", false, members, "unix:e")?.name).toBe("NotLeaderError");
    expect(refuse(member(undefined, undefined, { model: "relay", leader: false }), "Test", true, members, "unix:e")).toBeUndefined();
    expect(refuse(member(undefined, undefined), "Test", true, members, "unix:e")).toBeInstanceOf(WrongClusterError);
  });
});

describe("the row of _Server", () => {
  const row = (initial: object) => {
    const server = new ServerRow();
    server.apply({ Database: { [B]: { initial } } });
    return server;
  };

  test("contains cluster, server and index, also their changes", () => {
    const server = row({ name: "Test", model: "clustered", connected: true, cid: ["uuid", A], sid: ["uuid", B], index: 12 });
    expect(server.database).toEqual({ model: "clustered", connected: true, leader: false, clusterId: A, serverId: B, index: 12 });
    server.apply({ Database: { [B]: { modify: { index: 13n, leader: true } } } });
    expect([server.database?.index, server.database?.leader]).toEqual([13n, true]);
  });

  test("contains neither for a standalone database", () => {
    const expected = { model: "standalone", connected: true, leader: false, clusterId: undefined, serverId: undefined, index: undefined };
    expect(row({ name: "Test", connected: true }).database).toEqual(expected);
    expect(row({ name: "Test", connected: true, cid: ["set", []], sid: ["set", []], index: ["set", []] }).database).toEqual(expected);
  });
});

describe("the order of endpoints", () => {
  test("is random, and complete", () => {
    const list = ["a", "b", "c"];
    const chances = [0, 0.4, 0.9].flatMap((first) => [0, 0.5].map((second) => [first, second]));
    const orders = chances.map((given) => shuffled(list, () => given.shift()!).join(""));
    expect(orders.sort()).toEqual(["abc", "acb", "bac", "bca", "cab", "cba"]);
    expect(list).toEqual(["a", "b", "c"]);
    const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.nat()), fc.infiniteStream(chance), (any, stream) => {
        expect(shuffled(any, () => stream.next().value as number).sort()).toEqual([...any].sort());
      }),
    );
  });
});
