import type { Row } from "@pulumi-ovn/ovsdb-client";
import type { World } from "@pulumi-ovn/provider";
import { announcedByAgents, type BgpExposureSpec } from "@pulumi-ovn/provider/testing";

const map = (entries: Record<string, string>) => new Map(Object.entries(entries));
const port = (name: string, type: string, datapath: string, chassis: string | null, mac: string[], options: Record<string, string> = {}): Row => ({
  _uuid: `pb-${name}`,
  logical_port: name,
  type,
  datapath,
  chassis,
  mac,
  nat_addresses: [],
  tag: null,
  options: map(options),
  external_ids: new Map(),
  up: true,
});

/** Databases with a provider network, and for each chassis a gateway router with a tenant network and a workload; each has its tunnels inside of its own network. */
function zoneOf(chassis: number, tunnels: Record<string, string> = {}) {
  const each = Array.from({ length: chassis }, (_, index) => index + 1);
  const reads = { encaps: 0, floating: 0 };
  const counted = (list: string[]) =>
    new Proxy(list, { get: (target, key, receiver) => ((reads.floating += key === "map" ? 1 : 0), Reflect.get(target, key, receiver) as unknown) });
  const tables: Record<string, Row[]> = {
    Chassis: each.map((n) => ({ _uuid: `ch${n}`, name: `h${n}`, external_ids: new Map(), other_config: map({ "ovn-bridge-mappings": "physnet:br-ex" }) })),
    Encap: each.map((n) => ({
      chassis_name: `h${n}`,
      get ip() {
        reads.encaps++;
        return tunnels[`h${n}`] ?? `10.${n}.0.9`;
      },
    })),
    Datapath_Binding: [
      { _uuid: "ext", external_ids: map({ name: "ext" }) },
      ...each.flatMap((n) => [
        { _uuid: `gr${n}`, external_ids: map({ name: `gr${n}`, "logical-router": `nb${n}` }) },
        { _uuid: `t${n}`, external_ids: map({ name: `t${n}` }) },
      ]),
    ],
    Port_Binding: [
      port("ln", "localnet", "ext", null, [], { network_name: "physnet" }),
      ...each.flatMap((n) => [
        port(`gr${n}-ext`, "l3gateway", `gr${n}`, `ch${n}`, [`0a:00:00:00:00:01 198.51.100.${n}/24`], { peer: `ext-gr${n}` }),
        {
          ...port(`ext-gr${n}`, "l3gateway", "ext", `ch${n}`, ["router"], { peer: `gr${n}-ext` }),
          nat_addresses: counted([`0a:00:00:00:00:01 203.0.113.${n}`]),
        },
        port(`gr${n}-t`, "patch", `gr${n}`, null, [`0a:00:00:00:00:02 10.${n}.0.1/24`], { peer: `t-gr${n}` }),
        port(`t-gr${n}`, "patch", `t${n}`, null, ["router"], { peer: `gr${n}-t` }),
        port(`p${n}`, "", "ext", `ch${n}`, [`0a:00:00:00:00:05 198.51.100.${100 + n}`]),
      ]),
    ],
  };
  const matches = (row: Row, where: Record<string, unknown> | [string, string, unknown][]) =>
    (Array.isArray(where) ? where : Object.entries(where).map(([column, value]) => [column, "==", value] as const)).every(
      ([column, , value]) => row[column] === value,
    );
  const client = {
    getSchema: () => ({ table: () => ({ has: () => true }) }),
    transact: () => [],
    select: (table: string, { where = {} }: { where?: Parameters<typeof matches>[1] } = {}) => (tables[table] ?? []).filter((row) => matches(row, where)),
  };
  const announced = (
    names: string[],
    change: Partial<BgpExposureSpec> = {},
    endpoints: Partial<Record<"southbound" | "northbound", string>> = { southbound: "unix:/sb" },
  ) => {
    const spec = {
      zone: "z",
      mode: "agent",
      name: "blue",
      asNumber: 64513,
      chassis: names,
      floatingIPs: true,
      loadBalancers: false,
      providerPorts: true,
      tenantAddresses: "all",
      tenantNetworks: "subnet",
      ...change,
    } as BgpExposureSpec;
    return announcedByAgents(spec, { targets: { zone: () => endpoints, get: () => client } } as unknown as World);
  };
  return { announced, reads };
}

test("each chassis announces its own prefixes, also around its own tunnels, but no network around another's tunnel", async () => {
  const all = (n: number) => [`10.${n}.0.0/24`, `198.51.100.10${n}/32`, `198.51.100.${n}/32`, `203.0.113.${n}/32`].sort();
  expect(await zoneOf(2).announced(["h2", "h1"])).toEqual({ h1: all(1), h2: all(2) });
  expect(await zoneOf(2, { h2: "10.1.0.10" }).announced(["h1", "h2"])).toEqual({ h1: all(1).slice(1), h2: all(2) });
});

test("tunnels and floating IPs are read once for all chassis", async () => {
  const counts = async (names: string[]) => {
    const { announced, reads } = zoneOf(20);
    await announced(names, { tenantNetworks: "host" });
    return reads;
  };
  const one = await counts(["h1"]);
  expect(one.floating).toBeGreaterThan(0);
  expect(await counts(Array.from({ length: 20 }, (_, index) => `h${index + 1}`))).toEqual(one);
});

test.each(["southbound", "northbound"] as const)(
  "no tenant network around an address of the zone's %s endpoints is announced; a name is not looked up",
  async (which) => {
    const { announced } = zoneOf(2);
    const endpoints = { southbound: "unix:/sb", northbound: "unix:/nb" };
    const networks = async (list: string) =>
      Object.values(await announced(["h1", "h2"], {}, { ...endpoints, [which]: list })).map((prefixes) =>
        prefixes.filter((prefix) => prefix.startsWith("10.")),
      );
    expect(await networks("ssl:db.example:6642")).toEqual([["10.1.0.0/24"], ["10.2.0.0/24"]]);
    expect(await networks("ssl:db.example:6642,tcp:10.2.0.77:6642")).toEqual([["10.1.0.0/24"], []]);
  },
);
