import { connect, type OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { nodeLocalBridge, type RowSet } from "@pulumi-ovn/provider";
import { ensureRows, readRows, removeRows, setDigest, type Target } from "@pulumi-ovn/provider/rows";
import { OpenVSwitch } from "../../support/open-vswitch";

const owner = "urn:pulumi:dev::net::pulumi-nodejs:dynamic/ovn:NodeLocalBridge::local";
let host: OpenVSwitch;
let client: OvsdbClient;
let target: Target;

const setOf = (args: object = {}): RowSet => nodeLocalBridge.render(nodeLocalBridge.schema.parse({ zone: "node1", ...args })).set;
const names = async (table: string) => (await host.vsctl("--bare", "--columns=name", "list", table)).split("\n").filter(Boolean).sort();
const mappings = () => host.vsctl("--if-exists", "get", "Open_vSwitch", ".", "external_ids:ovn-bridge-mappings");

beforeAll(async () => {
  host = await OpenVSwitch.start();
  client = await connect(host.endpoint, { database: "Open_vSwitch" });
  target = { client, owner };
});
afterAll(async () => {
  await client?.close();
  await host?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  await host.vsctl(
    "--if-exists",
    "del-br",
    "br-local",
    "--",
    "--may-exist",
    "add-br",
    "br-ex",
    "--",
    "set",
    "Open_vSwitch",
    ".",
    'external_ids={ovn-bridge-mappings="physnet:br-ex"}',
  );
});

it("creates the bridge next to foreign ones, reads it back without drift, and removes it", async () => {
  const set = setOf({ mtu: 1400, datapathType: "netdev" });
  await ensureRows(target, set);
  expect(await names("Bridge")).toEqual(["br-ex", "br-local"]);
  expect((await host.vsctl("list-ports", "br-local")).split("\n")).toEqual(["ovn-k8s-gw0"]);
  expect(await host.vsctl("get", "Interface", "ovn-k8s-gw0", "type", "mac", "mtu_request")).toBe('internal\n"0a:58:a9:fe:00:01"\n1400');
  expect(await host.vsctl("get", "Bridge", "br-local", "datapath_type")).toBe("netdev");
  expect(await mappings()).toBe('"physnet:br-ex,locnet:br-local"');
  expect(await readRows(target, set)).toMatchObject({ present: 6, digest: setDigest(set), drift: {} });
  await removeRows(target, set);
  for (const table of ["Bridge", "Port", "Interface"]) expect(await names(table)).toEqual(["br-ex"]);
  expect(await host.vsctl("get", "Open_vSwitch", ".", "external_ids")).toBe('{ovn-bridge-mappings="physnet:br-ex"}');
});

it("keeps what vswitchd and operators write, and repairs its own columns", async () => {
  const set = setOf();
  await ensureRows(target, set);
  await host.vsctl(
    "set",
    "Interface",
    "ovn-k8s-gw0",
    "admin_state=up",
    "other_config:theirs=1",
    "--",
    "set",
    "Bridge",
    "br-local",
    "other_config:hwaddr=0a:00:00:00:00:01",
  );
  expect(await readRows(target, set)).toMatchObject({ digest: setDigest(set), drift: {} });
  await host.vsctl("set", "Interface", "ovn-k8s-gw0", 'mac="0a:58:00:00:00:01"');
  expect((await readRows(target, set))!.drift).toEqual({ "Interface ovn-k8s-gw0": "mac=0a:58:00:00:00:01 instead of mac=0a:58:a9:fe:00:01" });
  await ensureRows(target, set, { previous: set });
  expect(await host.vsctl("get", "Interface", "ovn-k8s-gw0", "mac", "other_config")).toBe('"0a:58:a9:fe:00:01"\n{theirs="1"}');
  await removeRows(target, set);
});

it("changes the names of port, bridge and mapping in one step each", async () => {
  const steps = [setOf(), setOf({ port: "gw1" }), setOf({ port: "gw1", bridge: "br-two" }), setOf({ port: "gw1", bridge: "br-two", networkName: "othernet" })];
  await ensureRows(target, steps[0]!);
  for (const [index, set] of steps.slice(1).entries()) await ensureRows(target, set, { previous: steps[index] });
  expect(await names("Bridge")).toEqual(["br-ex", "br-two"]);
  expect(await names("Port")).toEqual(["br-ex", "br-two", "gw1"]);
  expect(await names("Interface")).toEqual(["br-ex", "br-two", "gw1"]);
  expect(await mappings()).toBe('"physnet:br-ex,othernet:br-two"');
  await removeRows(target, steps[3]!);
  expect(await names("Bridge")).toEqual(["br-ex"]);
});

it("is removed with ovn-controller's patch ports, but not with unowned ports", async () => {
  const set = setOf();
  await ensureRows(target, set);
  const patch = (port: string, localnet: string) => [
    "--",
    "add-port",
    "br-local",
    port,
    "--",
    "set",
    "Port",
    port,
    `external_ids:ovn-localnet-port=${localnet}`,
  ];
  await host.vsctl(...patch("patch1", "lnet-node_local_switch"), ...patch("patch2", "lnet-other"));
  await expect(removeRows(target, set)).rejects.toMatchObject({ code: "OVN_NOT_EMPTY", message: expect.stringContaining('still holds Port "patch2"') });
  expect(await mappings()).toBe('"physnet:br-ex,locnet:br-local"');
  await host.vsctl("del-port", "patch2");
  await removeRows(target, set);
  expect(await names("Port")).toEqual(["br-ex"]);
});

it("refuses an existing bridge, and a network with another mapping, and changes nothing", async () => {
  await host.vsctl("add-br", "br-local");
  await expect(ensureRows(target, setOf())).rejects.toMatchObject({ code: "OVN_NAME_TAKEN", message: expect.stringContaining("br-local") });
  expect(await mappings()).toBe('"physnet:br-ex"');
  await host.vsctl("del-br", "br-local", "--", "set", "Open_vSwitch", ".", 'external_ids:ovn-bridge-mappings="locnet:br-ex"');
  await expect(ensureRows(target, setOf())).rejects.toMatchObject({
    code: "OVN_CLAIMED",
    message: expect.stringContaining('ovn-bridge-mappings:locnet is "br-ex" already'),
  });
  expect(await names("Bridge")).toEqual(["br-ex"]);
});
