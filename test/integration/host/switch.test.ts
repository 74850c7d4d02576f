import { connect, type OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { followed, otherNumbers } from "@pulumi-ovn/provider/testing";
import { brokenInterfaces } from "@pulumi-ovn/provider/tools";
import { OpenVSwitch } from "../../support/open-vswitch";

// A host's database without ovs-vswitchd, whose columns the test writes.
let host: OpenVSwitch;
let client: OvsdbClient;

beforeAll(async () => {
  host = await OpenVSwitch.start();
  client = await connect(host.endpoint, { database: "Open_vSwitch" });
});
afterAll(async () => {
  await client?.close();
  await host?.[Symbol.asyncDispose]();
});

const configured = async () => Number(await host.vsctl("get", "Open_vSwitch", ".", "next_cfg"));

test("waits until the switch has the configuration, in any number of steps", async () => {
  const before = await configured();
  let done = false;
  const waiting = followed(client).then(() => (done = true));
  while ((await configured()) === before) await new Promise((resolve) => setTimeout(resolve, 10));
  await host.vsctl("set", "Open_vSwitch", ".", `cur_cfg=${before}`);
  await host.vsctl("set", "Open_vSwitch", ".", `cur_cfg=${before - 1}`);
  expect(done).toBe(false);
  await host.vsctl("set", "Open_vSwitch", ".", `cur_cfg=${before + 1}`);
  await waiting;
});

test("accepts a later configuration than the requested one", async () => {
  const waiting = followed(client);
  await host.vsctl("set", "Open_vSwitch", ".", `cur_cfg=${(await configured()) + 100}`);
  await waiting;
});

test("reports a switch that does not follow", async () => {
  await host.vsctl("set", "Open_vSwitch", ".", "cur_cfg=0");
  await expect(followed(client, 100)).rejects.toMatchObject({
    code: "OVN_SWITCH",
    message: "ovs-vswitchd did not follow its database within 0.1 s; does it run?",
  });
});

test("reports interfaces that are missing, refused, or not a port of their bridge", async () => {
  const add = (name: string, ...columns: string[]) => host.vsctl("add-port", "br0", name, "--", "set", "Interface", name, ...columns);
  await host.vsctl("add-br", "br0");
  await add("works", "ofport=5");
  await add("refused", "ofport=-1", 'error="could not add network device refused to ofproto (File exists)"');
  await add("waits", "type=internal");
  await add("none", "ofport=-1");
  expect(await brokenInterfaces(client, ["works", "refused", "waits", "none", "missing"])).toEqual({
    refused: "could not add network device refused to ofproto (File exists)",
    waits: "no port of its bridge",
    none: "no port of its bridge",
    missing: "missing",
  });
  expect(await brokenInterfaces(client, [])).toEqual({});
});

test("reports interfaces with another port number than requested, and no missing ones", async () => {
  expect(await otherNumbers(client, { works: 40_001, refused: 40_002, waits: 40_003, missing: 40_004 })).toEqual({
    works: "it has port number 5, not 40001, which another port of its bridge has",
  });
  expect([await otherNumbers(client, { works: 5 }), await otherNumbers(client, {})]).toEqual([{}, {}]);
});
