import { Connections } from "@pulumi-ovn/provider/targets";
import { reachableInterfaces } from "@pulumi-ovn/provider/testing";
import { OpenVSwitch } from "../../support/open-vswitch";

// A host's database, without ovs-vswitchd.
let host: OpenVSwitch;
let targets: Connections;

beforeAll(async () => {
  host = await OpenVSwitch.start();
  await host.vsctl("add-br", "br0", "--", "add-port", "br0", "tap1");
  await host.vsctl("add-port", "br0", "t1", "--", "set", "Interface", "t1", "type=gre", "ofport=7", 'error="no route"');
});
beforeEach(() => (targets = new Connections({}, { h1: { openvswitch: host.endpoint }, gone: { openvswitch: "unix:/nowhere/db.sock" } })));
afterEach(() => targets.close());
afterAll(() => host?.[Symbol.asyncDispose]());

const names = async (name = "h1", subject = "blue") =>
  [...((await reachableInterfaces(targets, name, subject)) ?? ["unreachable"])].map((each) => (typeof each === "string" ? each : each[0])).sort();

test("interfaces with a type are read, with the switch's reports", async () => {
  const found = await reachableInterfaces(targets, "h1", "blue");
  expect([...found!.keys()].sort()).toEqual(["br0", "t1"]);
  expect(found!.get("t1")).toMatchObject({ ofport: 7, error: "no route" });
});

test("simultaneous reads share one request, and the next one finds changes", async () => {
  const [one, two] = [reachableInterfaces(targets, "h1", "blue"), reachableInterfaces(targets, "h1", "blue")];
  expect([one === two, one === reachableInterfaces(targets, "h1", "red"), (await one) === (await two)]).toEqual([true, false, true]);
  await host.vsctl("add-port", "br0", "t2", "--", "set", "Interface", "t2", "type=gre");
  expect(await names()).toEqual(["br0", "t1", "t2"]);
  await host.vsctl("del-port", "t2");
  expect(await names()).toEqual(["br0", "t1"]);
});

test("a host that is unreachable, or not in the targets, is omitted, and not asked again immediately", async () => {
  expect([await names("gone"), await names("nobody")]).toEqual([["unreachable"], ["unreachable"]]);
  const get = jest.spyOn(targets, "get");
  expect([await names("gone"), await names("gone", "red"), get.mock.calls.length]).toEqual([["unreachable"], ["unreachable"], 0]);
  expect([await names(), get.mock.calls.length]).toEqual([["br0", "t1"], 1]);
});
