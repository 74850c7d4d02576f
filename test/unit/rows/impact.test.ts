import type { ColumnValue, DesiredRow } from "@pulumi-ovn/provider";
import { Connections } from "@pulumi-ovn/provider/targets";
import { impactOf } from "@pulumi-ovn/provider/testing";
import { handlers } from "@pulumi-ovn/provider/tools";

const map = (entries: Record<string, string | number>): ColumnValue => ({ map: entries });
const set = (table: string, columns: Record<string, ColumnValue>, key = "k") => ({
  database: "OVN_Northbound" as const,
  rows: [{ table, key, columns: { name: "it", ...columns } } satisfies DesiredRow],
});
const codes = (table: string, before: Record<string, ColumnValue>, after: Record<string, ColumnValue>) =>
  impactOf(set(table, before), set(table, after)).map(({ code }) => code);

it.each<[string, Record<string, ColumnValue>, Record<string, ColumnValue>, string]>([
  ["Logical_Router_Port", { mac: "0a:58:00:00:00:01" }, { mac: "0a:58:00:00:00:02" }, "OVN_WARN_ROUTER_MAC"],
  ["Logical_Router_Port", { networks: ["10.0.0.1/24", "fd00::1/64"] }, { networks: ["10.0.0.2/24", "fd00::1/64"] }, "OVN_WARN_ROUTER_ADDRESS"],
  ["Logical_Switch", { other_config: map({ subnet: "10.0.0.0/24" }) }, { other_config: map({ subnet: "10.0.1.0/24" }) }, "OVN_WARN_SUBNET"],
  ["Logical_Switch", { other_config: map({ ipv6_prefix: "fd00::" }) }, { other_config: map({}) }, "OVN_WARN_SUBNET"],
  ["Logical_Switch", { other_config: map({ "requested-tnl-key": 5 }) }, { other_config: map({ "requested-tnl-key": 6 }) }, "OVN_WARN_TUNNEL_KEY"],
  ["Logical_Router", { options: map({ "requested-tnl-key": 5 }) }, { options: map({ "requested-tnl-key": 6 }) }, "OVN_WARN_TUNNEL_KEY"],
  ["Logical_Switch_Port", { options: map({ "requested-tnl-key": 5 }) }, { options: map({ "requested-tnl-key": 6 }) }, "OVN_WARN_TUNNEL_KEY"],
  ["Logical_Router_Port", { options: map({ "dynamic-routing-port-name": "uplink" }) }, { options: map({}) }, "OVN_WARN_LEARNED_ROUTES"],
  ["Logical_Router_Port", { options: map({ gateway_mtu: 1400 }) }, { options: map({ gateway_mtu: 1300 }) }, "OVN_WARN_MTU"],
  ["Logical_Router_Port", { ipv6_ra_configs: map({ mtu: 1400 }) }, { ipv6_ra_configs: map({ mtu: 1300 }) }, "OVN_WARN_MTU"],
  ["DHCP_Options", { options: map({ mtu: "1400" }) }, { options: map({ mtu: "1300" }) }, "OVN_WARN_MTU"],
  ["Logical_Switch_Port", { addresses: ["0a:58:00:00:00:01 10.0.0.5"] }, { addresses: ["0a:58:00:00:00:01 10.0.0.6"] }, "OVN_WARN_PORT_ADDRESS"],
  ["Logical_Switch_Port", { addresses: ["0a:58:00:00:00:01 10.0.0.5"] }, { addresses: [] }, "OVN_WARN_PORT_ADDRESS"],
  ["Logical_Router", { options: map({ chassis: "h1" }) }, { options: map({ chassis: "h2" }) }, "OVN_WARN_CHASSIS"],
  ["Gateway_Chassis", { chassis_name: "h1" }, { chassis_name: "h2" }, "OVN_WARN_CHASSIS"],
])("warns of %s %j => %j", (table, before, after, code) => {
  expect(codes(table, before, after)).toEqual([code]);
  expect(codes(table, before, before)).toEqual([]);
  // A new row has no old values that a reader could have kept.
  expect(codes(table, {}, after)).toEqual([]);
  expect(impactOf({ database: "OVN_Northbound", rows: [] }, set(table, after))).toEqual([]);
  expect(impactOf(set(table, before), { database: "OVN_Northbound", rows: [] })).toEqual([]);
  expect(impactOf(set(table, before, "other"), set(table, after))).toEqual([]);
  expect(codes("ACL", before, after)).toEqual([]);
});

it("does not warn of a changed key of a gateway router", () => {
  const key = (value: number) => ({ options: map({ "requested-tnl-key": value, chassis: "h1" }) });
  expect(codes("Logical_Router", key(1101), key(1102))).toEqual([]);
});

it("does not warn of added addresses", () => {
  expect(codes("Logical_Router_Port", { networks: ["10.0.0.1/24"] }, { networks: ["fd00::1/64", "10.0.0.1/24"] })).toEqual([]);
  expect(codes("Logical_Switch_Port", { addresses: ["router"] }, { addresses: ["router", "unknown"] })).toEqual([]);
  expect(codes("Logical_Router_Port", { networks: ["a", "b"] }, { networks: ["b", "a"] })).toEqual([]);
});

it("warns of the router's port, not of the switch's port to it", () => {
  const port = (mac: string, type: string) => ({ type, addresses: [mac] });
  const [before, after] = ["0a:58:ac:12:00:0c", "0a:58:ac:12:00:16"];
  expect(codes("Logical_Switch_Port", port(before, "router"), port(after, "router"))).toEqual([]);
  expect(codes("Logical_Switch_Port", port(before, "remote"), port(after, "remote"))).toEqual(["OVN_WARN_PORT_ADDRESS"]);
});

it("names the row, the values and the effect", () => {
  expect(impactOf(set("Logical_Router_Port", { options: map({ gateway_mtu: 1400 }) }), set("Logical_Router_Port", { options: map({}) }))).toEqual([
    {
      path: 'rows["Logical_Router_Port it"]',
      code: "OVN_WARN_MTU",
      message:
        "Logical_Router_Port it: options:gateway_mtu changes from 1400 to nothing: connections with larger packets stall until both ends have learned the new size",
    },
  ]);
});

it("reports equal effects of a table's rows once, by the first name", () => {
  const rows = (mtu: number, other: number) => ({
    database: "OVN_Northbound" as const,
    rows: ["a", "b", "c", "d"].map(
      (name): DesiredRow => ({ table: "Logical_Router_Port", key: name, columns: { name, options: map({ gateway_mtu: name === "c" ? other : mtu }) } }),
    ),
  });
  const felt = "connections with larger packets stall until both ends have learned the new size";
  expect(impactOf(rows(1400, 1400), rows(1300, 1200)).map(({ path, message }) => [path, message])).toEqual([
    ['rows["Logical_Router_Port a"]', `Logical_Router_Port a and 2 more: options:gateway_mtu changes from 1400 to 1300: ${felt}`],
    ['rows["Logical_Router_Port c"]', `Logical_Router_Port c: options:gateway_mtu changes from 1400 to 1200: ${felt}`],
  ]);
});

describe("a check", () => {
  const targets = new Connections({ node1: { northbound: "unix:n" }, node2: { northbound: "unix:n" } } as never);
  const ROUTER = { zone: "node1", name: "tr", tunnelKey: 6, switch: "l2", switchName: "l2", gateway: { addresses: ["203.203.0.1/16"] } };
  const request = { urn: "urn:pulumi:dev::trial::pulumi-nodejs:dynamic/ovn:TransitRouter::tr", secrets: [] as string[], targets };
  const check = (olds: object, news: object, secrets: string[] = []) =>
    handlers.TransitRouter!.check({ ...request, secrets, olds: olds as never, news: news as never });
  const warnings = async (olds: object, news: object, secrets?: string[]) =>
    (await check(olds, news, secrets)).diagnostics.map(({ severity, code }) => `${severity} ${code}`);
  const MOVED = { ...ROUTER, gateway: { addresses: ["203.203.0.2/16"] } };

  it("warns of effects on a network in use, and continues", async () => {
    const { inputs } = await check({}, ROUTER);
    expect(await warnings(inputs, MOVED)).toEqual(["warning OVN_WARN_ROUTER_MAC", "warning OVN_WARN_ROUTER_ADDRESS"]);
    expect((await check(inputs, MOVED)).inputs.digest).not.toBe(inputs.digest);
    expect(await warnings(inputs, ROUTER)).toEqual([]);
  });

  it("does not warn of new rows, of another zone, of secrets, or of values that an older release accepted", async () => {
    const { inputs } = await check({}, ROUTER);
    expect(await warnings({}, MOVED)).toEqual([]);
    expect(await warnings(inputs, { ...MOVED, zone: "node2" })).toEqual([]);
    expect(await warnings(inputs, MOVED, ["gateway"])).toEqual([]);
    expect(await warnings({ ...inputs, gateway: "old" }, MOVED)).toEqual([]);
    expect(await warnings({ ...inputs, gateway: { addresses: ["203.203.0.0/16"] } }, MOVED)).toEqual([]);
  });
});
