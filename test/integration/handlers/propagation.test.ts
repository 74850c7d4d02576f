import { Connections } from "@pulumi-ovn/provider/targets";
import { Handled } from "../../support/handled";
import { failuresOf } from "../../support/provider";
import { TestZones } from "../../support/zones";

const handler = new Handled("Propagation");
let zones: TestZones;
let connections: Connections;
beforeAll(async () => {
  zones = await TestZones.start(["a", "b"]);
  connections = new Connections({ ...zones.config, dead: { northbound: "unix:/nowhere/nb.sock", timeout: 1 } });
});
afterAll(async () => {
  await connections?.close();
  await zones?.stop();
});

/** How often each zone was asked to follow. */
const asked = async () => Promise.all(["a", "b"].map(async (zone) => Number(await zones.nbctl(zone, "get", "NB_Global", ".", "nb_cfg"))));
async function difference(action: () => Promise<unknown>): Promise<number[]> {
  const before = await asked();
  await action();
  return (await asked()).map((count, index) => count - before[index]!);
}
const args = (revisions: object, more: object = {}) => ({
  owner: "urn:pulumi:dev::trial::pulumi-nodejs:dynamic/ovn:Propagation::wait",
  waitFor: "southbound",
  zones: revisions,
  ...more,
});

it("waits for every zone in a create, and in an update only for changed zones", async () => {
  expect(await difference(() => handler.create(args({ a: "1", b: "1" }), connections))).toEqual([1, 1]);
  expect(await difference(() => handler.update(args({ a: "1", b: "1" }), args({ a: "1", b: "2" }), connections))).toEqual([0, 1]);
  expect(await difference(() => handler.update(args({ a: "1" }), args({ a: "1", b: "2" }), connections))).toEqual([0, 1]);
  expect(await difference(() => handler.update(args({ a: "1", b: "2" }), args({ a: "1" }), connections))).toEqual([0, 0]);
  expect(await difference(() => handler.update(args({ a: "1", b: "2" }, { timeout: 5 }), args({ a: "1", b: "2" }), connections))).toEqual([0, 0]);
});

it("waits for all zones if the condition changes", async () => {
  expect(await difference(() => handler.update(args({ a: "1", b: "2" }, { waitFor: "chassis" }), args({ a: "1", b: "2" }), connections))).toEqual([1, 1]);
  // From a release that had one for each zone.
  expect(await difference(() => handler.update(args({}, { zones: undefined, zone: "a", revision: ["1"] }), args({ a: ["1"], b: "2" }), connections))).toEqual([
    0, 1,
  ]);
});

it("names each zone that did not follow, after waiting for the others", async () => {
  const failed = handler.create(args({ a: "1", dead: "1" }), connections);
  await expect(failed).rejects.toMatchObject({
    code: "OVSDB_CONNECTION",
    message: expect.stringMatching(/^OVSDB_CONNECTION: Propagation "wait" in zone "dead" \(unix:\/nowhere\/nb.sock\)/),
  });
});

it("refuses invalid arguments", async () => {
  const given = (more: object) => failuresOf("Propagation", more, zones.config);
  expect(await given({})).toEqual(['zone: give either "zone" or "zones" [custom]']);
  expect(await given({ zone: "a", zones: { b: "1" } })).toEqual(['zone: give either "zone" or "zones" [custom]']);
  expect(await given({ zones: { a: "1" }, revision: "1" })).toEqual(['revision: is only for "zone": each of "zones" has its own [custom]']);
  expect(await given({ zones: { a: "1", c: "1" } })).toEqual(['zones.c: zone "c" is not configured; the targets have a, b [zone]']);
});
