/**
 * Types that the compiler accepts and refuses: nothing here runs. `tsc --project test`, part of `npm test`, fails if an expected error is
 * missing.
 */
import { InsertedRow, type Monitor, type Open_vSwitch, type OvsdbClient, type OVN_Northbound, type OVN_Southbound, type Uuid } from "@pulumi-ovn/ovsdb-client";

/** Fails to compile unless both types are the same. */
function same<A, B>(..._: (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? [] : [never]): void {}

async function reads(nb: OvsdbClient<OVN_Northbound>, sb: OvsdbClient<OVN_Southbound>, ovs: OvsdbClient<Open_vSwitch>, any: OvsdbClient) {
  const [port] = await nb.select("Logical_Switch_Port", { where: { name: "vm1" }, columns: ["up", "tag", "options", "mirror_rules", "addresses"] });
  same<
    typeof port,
    | {
        readonly _uuid: Uuid<"Logical_Switch_Port">;
        readonly up: boolean | null;
        readonly tag: number | null;
        readonly options: ReadonlyMap<string, string>;
        readonly mirror_rules: readonly Uuid<"Mirror">[];
        readonly addresses: readonly string[];
      }
    | undefined
  >();
  const [nat] = await nb.select("NAT");
  same<NonNullable<typeof nat>["type"], "dnat" | "snat" | "dnat_and_snat">();
  same<typeof nat, OVN_Northbound.NAT | undefined>();
  const [chassis] = await sb.select("Chassis", { columns: ["nb_cfg"] });
  same<NonNullable<typeof chassis>["nb_cfg"], number | bigint>();
  const [bridge] = await ovs.select("Bridge", { columns: ["flow_tables"] });
  same<NonNullable<typeof bridge>["flow_tables"], ReadonlyMap<number, Uuid<"Flow_Table">>>();
  const [row] = await any.select("Whatever", { where: [["a", ">", 1]], columns: ["b"] });
  void row?.["c"];

  // @ts-expect-error unknown table
  await nb.select("Chassis");
  // @ts-expect-error unknown column
  await nb.select("Logical_Switch", { columns: ["nam"] });
  // @ts-expect-error the column was not read
  void port?.type;
  // @ts-expect-error no value of the enumeration
  void (nat?.type === "masquerade");
  // @ts-expect-error rows that were read don't change
  nat!.type = "snat";
  // @ts-expect-error no column of the table
  await nb.select("Logical_Switch", { where: { nam: "blue" } });
  // @ts-expect-error another type than the column's
  await nb.select("Logical_Switch", { where: [["name", "==", 7]] });
  // @ts-expect-error no function of conditions
  await nb.select("Logical_Switch", { where: [["name", "=", "blue"]] });
  // @ts-expect-error the UUID of a row of another table
  await nb.select("Logical_Switch", { where: port!._uuid });
}

async function writes(nb: OvsdbClient<OVN_Northbound>, ovs: OvsdbClient<Open_vSwitch>, any: OvsdbClient) {
  const { value, uuid, count } = await nb.transaction(async (tx) => {
    const port = tx.insert("Logical_Switch_Port", {
      name: "vm1",
      tag: null,
      options: { "requested-tnl-key": "10" },
      addresses: new Set(["dynamic"]),
      ha_chassis_group: "9a1b0c3e-0000-4000-8000-000000000000",
    });
    const blue = tx.insert("Logical_Switch", { name: "blue", ports: port, other_config: new Map([["a", "b"]]) });
    tx.update("Logical_Switch", blue, { ports: [port], copp: null });
    tx.mutate("Logical_Switch", { name: "red" }, { ports: { insert: [port], delete: [] }, other_config: { set: { subnet: "10.0.0.0/8" }, delete: ["a"] } });
    tx.mutate("NB_Global", [], { nb_cfg: { "+=": 1 } });
    const [acl] = await tx.select("ACL", { columns: ["priority", "match"], verify: true });
    tx.verify("ACL", acl!, "match");
    const removed = tx.delete("ACL", acl!);
    // @ts-expect-error no column of the table
    tx.insert("Logical_Switch", { nam: "blue" });
    // @ts-expect-error another type than the column's
    tx.insert("Logical_Switch", { name: 7 });
    tx.insert("ACL", { action: "drop", direction: "to-lport" });
    // @ts-expect-error no value of the enumeration
    tx.insert("ACL", { action: "alow", direction: "to-lport" });
    // @ts-expect-error without a direction the server refuses it
    tx.insert("ACL", { action: "drop" });
    // @ts-expect-error an update may leave it as it is, but not take it away
    tx.update("ACL", acl!, { direction: null });
    tx.update("ACL", acl!, { priority: 7 });
    // @ts-expect-error the column takes ports
    tx.insert("Logical_Switch", { ports: [blue] });
    // @ts-expect-error the column takes ports
    tx.insert("Logical_Switch", { ports: acl!._uuid });
    // @ts-expect-error the server gives it
    tx.insert("Logical_Switch", { _version: "9a1b0c3e-0000-4000-8000-000000000000" });
    // @ts-expect-error a row of another table
    tx.update("Logical_Switch", port, { name: "red" });
    const [port2] = await tx.select("Logical_Switch_Port", { columns: ["name"] });
    // @ts-expect-error a row of another table
    tx.update("Logical_Switch", port2!, { name: "red" });
    // @ts-expect-error a name can't be counted up
    tx.mutate("Logical_Switch", blue, { name: { "+=": 1 } });
    // @ts-expect-error a number has no elements
    tx.mutate("NB_Global", [], { nb_cfg: { insert: 1 } });
    // @ts-expect-error a set has no pairs
    tx.mutate("Logical_Switch", blue, { ports: { set: [port] } });
    // @ts-expect-error no column that was read
    tx.verify("ACL", acl!, "name");
    // @ts-expect-error no column of the table
    tx.wait("ACL", acl!, { until: "==", rows: [{ matches: "ip4" }] });
    return { port, removed };
  });
  same<typeof value.port, InsertedRow<"Logical_Switch_Port">>();
  const id = uuid(value.port);
  same<typeof id, Uuid<"Logical_Switch_Port">>();
  same<ReturnType<typeof count>, number>();
  await ovs.transaction((tx) => {
    const bridge = tx.insert("Bridge", { name: "br0" });
    tx.update("Bridge", bridge, { datapath_type: "netdev" });
    // @ts-expect-error set by insert only
    tx.update("Bridge", bridge, { name: "br1" });
    // @ts-expect-error set by insert only
    tx.mutate("Bridge", bridge, { name: { insert: "br1" } });
    // An enumeration as key
    tx.insert("CT_Timeout_Policy", { timeouts: { tcp_close: 5 } });
    // @ts-expect-error no such key
    tx.insert("CT_Timeout_Policy", { timeouts: { tcp_open: 5 } });
  });
  await any.transaction((tx) => {
    const row = tx.insert("Whatever", { a: 1, b: ["x"], c: null, d: { e: true } });
    tx.mutate("Whatever", row, { a: { "+=": 1n }, d: { set: { f: 1 } } });
  });
}

async function monitors(nb: OvsdbClient<OVN_Northbound>, any: OvsdbClient) {
  const monitor = await nb.monitor({ Logical_Switch: { columns: ["name", "ports"] }, ACL: {} });
  for (const row of monitor.table("Logical_Switch")) {
    same<ReturnType<typeof row.get<"ports">>, readonly Uuid<"Logical_Switch_Port">[]>();
    // @ts-expect-error not monitored
    row.get("acls");
    // @ts-expect-error not monitored
    void row.toObject().acls;
  }
  const priority = monitor.table("ACL").get("9a1b0c3e-0000-4000-8000-000000000000")?.get("priority");
  same<typeof priority, number | undefined>();
  monitor.subscribe({
    changed(changes) {
      for (const change of changes) {
        if (change.table === "ACL") change.new?.get("match").trim();
        // @ts-expect-error it may be a row of either table
        change.new?.get("match");
      }
    },
  });
  const acls = monitor.table("ACL").index("direction", ["external_ids", "owner"], "name");
  same<Parameters<typeof acls.get>, ["from-lport" | "to-lport", string | null, string | null]>();
  same<NonNullable<ReturnType<typeof acls.first>>["uuid"], string>();
  monitor.table("Logical_Switch").index("ports").first("9a1b0c3e-0000-4000-8000-000000000000")?.get("name").trim();
  // @ts-expect-error a map needs one of its keys
  monitor.table("ACL").index("external_ids");
  // @ts-expect-error not monitored
  monitor.table("Logical_Switch").index("acls");
  // @ts-expect-error no column at all
  monitor.table("Logical_Switch").index();
  // @ts-expect-error a value for each column
  acls.get("to-lport");
  // @ts-expect-error no value of the enumeration
  acls.get("to-port", null, null);
  // @ts-expect-error not monitored
  monitor.table("NAT");
  // @ts-expect-error no column of the table
  await nb.monitor({ Logical_Switch: { columns: ["nam"] } });
  // @ts-expect-error no table of the database
  await nb.monitor({ Chassis: {} });
  const loose: Monitor = await any.monitor({ Anything: {} });
  loose.table("Anything").get("x")?.get("column");
}

function loosens(nb: OvsdbClient<OVN_Northbound>): OvsdbClient {
  same<ReturnType<typeof nb.as<Open_vSwitch>>, OvsdbClient<Open_vSwitch>>();
  return nb.as();
}

test("is checked by the compiler", () => {
  expect([reads, writes, monitors, loosens].map((check) => typeof check)).toEqual(["function", "function", "function", "function"]);
});
