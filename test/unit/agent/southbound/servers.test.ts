import { type Lookup, Servers } from "@pulumi-ovn/agent/testing";

/** A resolver that records lookups, and answers each when the test decides. */
function resolver() {
  const asked: { readonly name: string; readonly answer: (addresses: string[] | Error) => Promise<void> }[] = [];
  const lookup: Lookup = (name) =>
    new Promise((resolve, reject) => {
      asked.push({ name, answer: (addresses) => (addresses instanceof Error ? reject(addresses) : resolve(addresses), new Promise(setImmediate)) });
    });
  return { asked, lookup };
}
const none: Lookup = () => Promise.reject(new Error("nobody asks"));
const unexpected = () => {
  throw new Error("nothing has changed");
};

test("server addresses come from endpoint lists and connections, without duplicates", () => {
  const servers = new Servers(unexpected, none);
  expect(servers.of(["tcp:192.0.2.2:6642,ssl:192.0.2.1:6642,ssl:[2001:db8::1]:6642", undefined, "ssl:192.0.2.1:6641"])).toEqual([
    "192.0.2.1",
    "192.0.2.2",
    "2001:db8::1",
  ]);
  expect(servers.of(["tcp:192.0.2.2:6642"], ["192.0.2.3", "192.0.2.2"])).toEqual(["192.0.2.2", "192.0.2.3"]);
  expect(servers.of(["unix:/run/ovn/ovnsb_db.sock", "exec:ssh 192.0.2.1", "nothing", ""])).toEqual([]);
});

test("a name has all of its looked-up addresses; an answer is used for a minute, and longer if no newer one arrives", async () => {
  const { asked, lookup } = resolver();
  let [changes, now] = [0, 1_000];
  jest.spyOn(performance, "now").mockImplementation(() => now);
  const servers = new Servers(() => void changes++, lookup);
  const found = () => servers.of(["tcp:db1:6642,tcp:192.0.2.9:6642", "tcp:db1:6641"], ["192.0.2.9"]);
  expect([found(), found(), asked.length]).toEqual([["192.0.2.9"], ["192.0.2.9"], 1]);
  await asked[0]!.answer(["2001:db8::1", "192.0.2.1"]);
  expect([changes, found(), asked.length]).toEqual([1, ["192.0.2.1", "192.0.2.9", "2001:db8::1"], 1]);
  now += 59_999;
  found();
  expect(asked.length).toBe(1);
  now += 1;
  expect([found(), asked.length]).toEqual([["192.0.2.1", "192.0.2.9", "2001:db8::1"], 2]);
  await asked[1]!.answer(new Error("no resolver"));
  expect([changes, found()]).toEqual([1, ["192.0.2.1", "192.0.2.9", "2001:db8::1"]]);
  now += 60_000;
  found();
  await asked[2]!.answer(["192.0.2.1", "2001:db8::1"]);
  expect(changes).toBe(1);
  now += 60_000;
  found();
  await asked[3]!.answer(["192.0.2.4"]);
  expect([changes, found()]).toEqual([2, ["192.0.2.4", "192.0.2.9"]]);
});

test("a name that no endpoint has is dropped, and its late answer is ignored", async () => {
  const { asked, lookup } = resolver();
  const servers = new Servers(unexpected, lookup);
  servers.of(["tcp:db1:6642"]);
  expect(servers.of(["tcp:192.0.2.9:6642"])).toEqual(["192.0.2.9"]);
  await asked[0]!.answer(["192.0.2.1"]);
  expect([servers.of(["tcp:db1:6642"]), asked.map(({ name }) => name)]).toEqual([[], ["db1", "db1"]]);
});
