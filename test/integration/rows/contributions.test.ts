/**
 * Several owners of one row, also at the same time.
 * @once
 */
import { connect, type OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import type { Contribution, DesiredRow, RowSet } from "@pulumi-ovn/provider";
import { ensureRows, readRows, removeRows, setDigest, type Target } from "@pulumi-ovn/provider/rows";
import { setLines } from "@pulumi-ovn/provider/testing";
import { type Central, startCentral } from "@pulumi-ovn/sandbox";
import { OpenVSwitch } from "../../support/open-vswitch";

const me = "urn:pulumi:dev::net::pulumi-nodejs:dynamic/ovn:Kind::mine";
const other = "urn:pulumi:dev::net::pulumi-nodejs:dynamic/ovn:Kind::other";
const MAPPINGS = "external_ids:ovn-bridge-mappings";

const mapping = (name: string, value: string): Contribution => ({
  table: "Open_vSwitch",
  row: { name: "." },
  column: "external_ids",
  part: { kind: "item", key: "ovn-bridge-mappings", name, value },
});
const set = (contributions: readonly Contribution[], rows: readonly DesiredRow[] = []): RowSet => ({ database: "Open_vSwitch", rows, contributions });

describe("a list in a map of a singleton row: ovn-bridge-mappings", () => {
  let host: OpenVSwitch;
  let client: OvsdbClient;
  const target = (owner = me): Target => ({ client, owner });
  const value = () => host.vsctl("--if-exists", "get", "Open_vSwitch", ".", MAPPINGS);
  const marks = async () => (await host.vsctl("get", "Open_vSwitch", ".", "external_ids")).match(/"pulumi-ovn:owner[^"]*"/g) ?? [];

  beforeAll(async () => {
    host = await OpenVSwitch.start();
    client = await connect(host.endpoint, { database: "Open_vSwitch" });
  });
  afterAll(async () => {
    await client?.close();
    await host?.[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    await host.vsctl("clear", "Open_vSwitch", ".", "external_ids", "--", "set", "Open_vSwitch", ".", "external_ids:system-id=node1");
  });

  it("is created with the first entry, and removed with the last", async () => {
    await ensureRows(target(), set([mapping("locnet", "br-local")]));
    expect(await value()).toBe('"locnet:br-local"');
    expect(await marks()).toEqual(['"pulumi-ovn:owner/external_ids/ovn-bridge-mappings/locnet"']);
    await removeRows(target(), set([mapping("locnet", "br-local")]));
    expect(await host.vsctl("get", "Open_vSwitch", ".", "external_ids")).toBe("{system-id=node1}");
  });

  it("keeps foreign entries before and after its own unchanged", async () => {
    await host.vsctl("set", "Open_vSwitch", ".", `${MAPPINGS}="physnet:br-ex, odd one"`);
    await ensureRows(target(), set([mapping("locnet", "br-local")]));
    expect(await value()).toBe('"physnet:br-ex, odd one,locnet:br-local"');
    await host.vsctl("set", "Open_vSwitch", ".", `${MAPPINGS}="physnet:br-ex, odd one,locnet:br-local,vlan:br-vlan"`);
    await removeRows(target(), set([mapping("locnet", "br-local")]));
    expect(await value()).toBe('"physnet:br-ex, odd one,vlan:br-vlan"');
    expect(await marks()).toEqual([]);
  });

  it("writes nothing the second time, and changes its entry in place", async () => {
    const before = set([mapping("locnet", "br-local")]);
    await ensureRows(target(), before);
    const version = () => client.transact([{ op: "select", table: "Open_vSwitch", where: [], columns: ["_version"] }]);
    const first = await version();
    await ensureRows(target(), before);
    await ensureRows(target(), before, { previous: before });
    expect(await version()).toEqual(first);
    await ensureRows(target(), set([mapping("locnet", "br-lokal")]), { previous: before });
    expect(await value()).toBe('"locnet:br-lokal"');
  });

  it("replaces one entry by another in one transaction", async () => {
    await host.vsctl("set", "Open_vSwitch", ".", `${MAPPINGS}="physnet:br-ex"`);
    const before = set([mapping("a", "br-a"), mapping("b", "br-b")]);
    await ensureRows(target(), before);
    expect(await value()).toBe('"physnet:br-ex,a:br-a,b:br-b"');
    await ensureRows(target(), set([mapping("b", "br-b2"), mapping("c", "br-c")]), { previous: before });
    expect(await value()).toBe('"physnet:br-ex,b:br-b2,c:br-c"');
    expect((await marks()).sort()).toEqual(["b", "c"].map((name) => `"pulumi-ovn:owner/external_ids/ovn-bridge-mappings/${name}"`));
  });

  it("shares an existing entry, and leaves it when it is removed", async () => {
    await host.vsctl("set", "Open_vSwitch", ".", `${MAPPINGS}="locnet:br-local"`);
    await ensureRows(target(), set([mapping("locnet", "br-local")]));
    expect(await marks()).toEqual([]);
    await removeRows(target(), set([mapping("locnet", "br-local")]));
    expect(await value()).toBe('"locnet:br-local"');
  });

  it("refuses a name with another value, or of another resource", async () => {
    await host.vsctl("set", "Open_vSwitch", ".", `${MAPPINGS}="locnet:br-theirs"`);
    await expect(ensureRows(target(), set([mapping("locnet", "br-local")]))).rejects.toMatchObject({
      code: "OVN_CLAIMED",
      message: `Open_vSwitch . ${MAPPINGS}:locnet is "br-theirs" already, set by another writer; choose another name, or remove it first`,
    });
    expect(await value()).toBe('"locnet:br-theirs"');
    await ensureRows(target(other), set([mapping("mine", "br-other")]));
    await expect(ensureRows(target(), set([mapping("mine", "br-other")]))).rejects.toMatchObject({
      code: "OVN_FOREIGN_ROW",
      message: `Open_vSwitch . ${MAPPINGS}:mine belongs to ${other}; remove it there first`,
    });
    await removeRows(target(), set([mapping("mine", "br-other")]));
    expect(await value()).toBe('"locnet:br-theirs,mine:br-other"');
  });

  it("removes an interrupted run's entry that only marks report", async () => {
    await host.vsctl("set", "Open_vSwitch", ".", `${MAPPINGS}="physnet:br-ex"`);
    const entry: Contribution = { table: "Open_vSwitch", row: { name: "." }, column: "other_config", part: { kind: "entry", key: "odd/key", value: "1" } };
    const [before, interrupted, after] = [set([mapping("a", "br-a")]), set([mapping("a", "br-a"), mapping("b", "br-b"), entry]), set([mapping("a", "br-a2")])];
    await ensureRows(target(other), set([mapping("theirs", "br-t")]));
    await ensureRows(target(), before);
    await ensureRows(target(), interrupted, { previous: before });
    const found = await readRows(target(), before);
    expect(found).toMatchObject({ present: 3, drift: { [`Open_vSwitch . ${MAPPINGS}:b`]: "surplus", "Open_vSwitch . other_config:odd/key": "surplus" } });
    expect(found!.lines).toEqual(setLines(before));
    await ensureRows(target(), after, { previous: before });
    expect(await value()).toBe('"physnet:br-ex,theirs:br-t,a:br-a2"');
    expect(await host.vsctl("get", "Open_vSwitch", ".", "other_config")).toBe("{}");
    expect((await marks()).sort()).toEqual(["a", "theirs"].map((name) => `"pulumi-ovn:owner/external_ids/ovn-bridge-mappings/${name}"`));
    await removeRows(target(other), set([mapping("theirs", "br-t")]));
  });

  it("leaves its entry if another writer has changed it", async () => {
    await ensureRows(target(), set([mapping("locnet", "br-local")]));
    await host.vsctl("set", "Open_vSwitch", ".", `${MAPPINGS}="locnet:br-new"`);
    await removeRows(target(), set([mapping("locnet", "br-local")]));
    expect(await value()).toBe('"locnet:br-new"');
    expect(await marks()).toEqual([]);
  });

  it("is shown in previews, and its drift is reported", async () => {
    const whole = set([mapping("locnet", "br-local")]);
    expect(setLines(whole)).toEqual({ [`Open_vSwitch . ${MAPPINGS}:locnet`]: "br-local" });
    expect(await readRows(target(), whole)).toBeUndefined();
    await ensureRows(target(), whole);
    await host.vsctl("set", "Open_vSwitch", ".", "external_ids:ovn-remote=tcp:127.0.0.1:6642");
    expect(await readRows(target(), whole)).toEqual({ present: 1, lines: setLines(whole), digest: setDigest(whole), drift: {} });
    await host.vsctl("set", "Open_vSwitch", ".", `${MAPPINGS}="physnet:br-ex,locnet:br-x"`);
    const both = set([mapping("locnet", "br-local"), mapping("physnet", "br-ex")]);
    expect(await readRows(target(), both)).toMatchObject({
      // A value changed by hand is present as long as it has the owner mark.
      present: 2,
      lines: { [`Open_vSwitch . ${MAPPINGS}:locnet`]: "br-x", [`Open_vSwitch . ${MAPPINGS}:physnet`]: "br-ex" },
      drift: { [`Open_vSwitch . ${MAPPINGS}:locnet`]: "br-x instead of br-local" },
    });
    await ensureRows(target(), whole, { previous: whole });
    expect(await value()).toBe('"physnet:br-ex,locnet:br-local"');
    expect((await readRows(target(), whole))!.digest).toBe(setDigest(whole));
    expect(setDigest(whole)).not.toBe(setDigest(set([mapping("locnet", "br-x")])));
  });

  it("loses no entry of many simultaneous writers, including other programs", async () => {
    const writers = Array.from({ length: 10 }, async (_, writer) => {
      const own = await connect(host.endpoint, { database: "Open_vSwitch" });
      try {
        const as: Target = { client: own, owner: `${other}-${writer}` };
        const [first, second] = [set([mapping(`net${writer}`, "br-a")]), set([mapping(`net${writer}`, `br-${writer}`)])];
        await ensureRows(as, first);
        await ensureRows(as, second, { previous: first });
        if (writer % 2 === 1) await removeRows(as, second);
      } finally {
        await own.close();
      }
    });
    const byHand = Array.from({ length: 4 }, (_, index) => host.vsctl("set", "Open_vSwitch", ".", `external_ids:theirs${index}=${index}`));
    await Promise.all([...writers, ...byHand]);
    expect(
      JSON.parse(await value())
        .split(",")
        .sort(),
    ).toEqual(["net0:br-0", "net2:br-2", "net4:br-4", "net6:br-6", "net8:br-8"]);
    expect((await host.vsctl("get", "Open_vSwitch", ".", "external_ids")).match(/theirs\d/g)).toHaveLength(4);
    expect(await marks()).toHaveLength(5);
  });

  it("is written in one transaction with the rows of its set", async () => {
    await host.vsctl("add-br", "br-taken");
    const bridge = (name: string): DesiredRow => ({
      table: "Bridge",
      key: "bridge",
      columns: { name },
      parent: { table: "Open_vSwitch", row: { name: "." }, column: "bridges" },
    });
    await expect(ensureRows(target(), set([mapping("locnet", "br-taken")], [bridge("br-taken")]))).rejects.toMatchObject({ code: "OVN_NAME_TAKEN" });
    expect(await value()).toBe("");
    const whole = set([mapping("locnet", "br-local")], [bridge("br-local")]);
    await ensureRows(target(), whole);
    expect((await host.vsctl("list-br")).split("\n")).toEqual(["br-local", "br-taken"]);
    await removeRows(target(), whole);
    expect(await host.vsctl("list-br")).toBe("br-taken");
    expect(await value()).toBe("");
    await host.vsctl("del-br", "br-taken");
  });

  it("deletes a daemon's rows with their parent, and no other foreign rows", async () => {
    const bridge: DesiredRow = {
      table: "Bridge",
      key: "bridge",
      columns: { name: "br-local" },
      parent: { table: "Open_vSwitch", row: { name: "." }, column: "bridges" },
      carries: { table: "Port", key: "ovn-localnet-port", value: "lnet" },
    };
    const whole = set([], [bridge]);
    await ensureRows(target(), whole);
    await host.vsctl(
      "add-port",
      "br-local",
      "patch",
      "--",
      "set",
      "Port",
      "patch",
      "external_ids:ovn-localnet-port=lnet",
      "--",
      "add-port",
      "br-local",
      "byhand",
    );
    await expect(removeRows(target(), whole)).rejects.toMatchObject({
      code: "OVN_NOT_EMPTY",
      message: expect.stringContaining('Bridge br-local still holds Port "byhand"'),
    });
    await host.vsctl("del-port", "byhand");
    await removeRows(target(), whole);
    expect(await host.vsctl("list-br")).toBe("");
    expect(await host.vsctl("--bare", "--columns=name", "list", "Port")).toBe("");
  });
});

describe("elements of sets and entries of maps in foreign Northbound rows", () => {
  let central: Central;
  let client: OvsdbClient;
  const target = (owner = me): Target => ({ client, owner });
  const nbctl = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await central.run("ovn-nbctl", ["--timeout=10", ...args]);
    if (code !== 0) throw new Error(stderr);
    return stdout.trim();
  };
  const nb = (...contributions: Contribution[]): RowSet => ({ database: "OVN_Northbound", rows: [], contributions });

  beforeAll(async () => {
    central = await startCentral({ northd: false });
    client = await connect(central.northbound, { database: "OVN_Northbound" });
    await nbctl(
      "ls-add",
      "sw",
      "--",
      "lb-add",
      "lb1",
      "10.0.0.1:80",
      "10.1.0.1:80",
      "--",
      "lb-add",
      "lb2",
      "10.0.0.2:80",
      "10.1.0.1:80",
      "--",
      "ls-lb-add",
      "sw",
      "lb2",
    );
  });
  afterAll(async () => {
    await client?.close();
    await central?.stop();
  });

  it("add a reference to a shared set, and remove only this one", async () => {
    const uuid = (name: string) => nbctl("get", "load_balancer", name, "_uuid");
    const whole = nb({ table: "Logical_Switch", row: { name: "sw" }, column: "load_balancer", part: { kind: "element", element: { name: "lb1" } } });
    await ensureRows(target(), whole);
    expect(
      (await nbctl("--bare", "get", "logical_switch", "sw", "load_balancer"))
        .split(/[[\], ]+/)
        .filter(Boolean)
        .sort(),
    ).toEqual([await uuid("lb1"), await uuid("lb2")].sort());
    expect(await readRows(target(), whole)).toMatchObject({ present: 1, lines: { "Logical_Switch sw load_balancer lb1": "included" }, drift: {} });
    await nbctl("ls-lb-del", "sw", "lb1");
    expect(await readRows(target(), { ...whole, contributions: [...whole.contributions!, entry("k", "1")] })).toBeUndefined();
    await ensureRows(target(), whole, { previous: whole });
    await removeRows(target(), whole);
    expect(await nbctl("get", "logical_switch", "sw", "load_balancer")).toBe(`[${await uuid("lb2")}]`);
    expect(await nbctl("get", "logical_switch", "sw", "external_ids")).toBe("{}");
  });

  const entry = (key: string, value: string): Contribution => ({
    table: "Logical_Switch",
    row: { name: "sw" },
    column: "other_config",
    part: { kind: "entry", key, value },
  });

  it("set, change and remove a key of a map", async () => {
    await nbctl("set", "logical_switch", "sw", "other_config:theirs=1");
    await ensureRows(target(), nb(entry("mcast_snoop", "true")));
    await ensureRows(target(), nb(entry("mcast_snoop", "false")), { previous: nb(entry("mcast_snoop", "true")) });
    expect(await nbctl("get", "logical_switch", "sw", "other_config")).toBe('{mcast_snoop="false", theirs="1"}');
    await expect(ensureRows(target(), nb(entry("theirs", "2")))).rejects.toMatchObject({ code: "OVN_CLAIMED" });
    await removeRows(target(), nb(entry("mcast_snoop", "false")));
    expect(await nbctl("get", "logical_switch", "sw", "other_config", "external_ids")).toBe('{theirs="1"}\n{}');
  });

  it("report a missing row, and remove nothing from a deleted row", async () => {
    const nobody = nb({ ...entry("a", "b"), row: { name: "nobody" } });
    await expect(ensureRows(target(), nobody)).rejects.toMatchObject({
      code: "OVN_NOT_FOUND",
      message: 'no Logical_Switch is named "nobody"; name one that exists, or give its UUID',
    });
    const gone = nb({ ...entry("a", "b"), row: { uuid: "00000000-0000-4000-8000-000000000001" } });
    await expect(ensureRows(target(), gone)).rejects.toMatchObject({
      code: "OVN_NOT_FOUND",
      message: expect.stringContaining("there is no such row of Logical_Switch"),
    });
    await expect(removeRows(target(), nobody)).resolves.toBeUndefined();
    await expect(removeRows(target(), gone)).resolves.toBeUndefined();
    const empty = nb({ ...entry("a", "b"), table: "SSL", row: { name: "." }, column: "external_ids" });
    await expect(ensureRows(target(), empty)).rejects.toMatchObject({
      code: "OVN_NOT_FOUND",
      message: "SSL has 0 rows, not one: is the database initialized?",
    });
  });
});
