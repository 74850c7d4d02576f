import { connect, type OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import type { BgpExposureArgs } from "@pulumi-ovn/provider";
import { ensureRows, removeRows } from "@pulumi-ovn/provider/rows";
import { Connections } from "@pulumi-ovn/provider/targets";
import { bgpExposure } from "@pulumi-ovn/provider/testing";
import { until } from "@pulumi-ovn/sandbox/testing";
import { type Central, startCentral } from "@pulumi-ovn/sandbox";
import { Handled } from "../../support/handled";

let central: Central;
let client: OvsdbClient;
let targets: Connections;

beforeAll(async () => {
  central = await startCentral();
  // Without the chassis northd advertises nothing.
  await central.run("ovn-sbctl", ["chassis-add", "h1", "geneve", "198.18.0.1", "--", "chassis-add", "h2", "geneve", "198.18.0.2"]);
  await nbctl(
    ...["gr1 h1 11", "gr2 h2 12"].flatMap((text, index) => {
      const [router, chassis, last] = text.split(" ");
      const n = index + 1;
      return [
        `lr-add ${router}`,
        `set logical_router ${router} options:chassis=${chassis}`,
        `ls-add ext${n}`,
        `ls-add tenant${n}`,
        `ls-add other${n}`,
        `lsp-add ext${n} ln${n}`,
        `set logical_switch_port ln${n} type=localnet options:network_name=physnet`,
        `lrp-add ${router} up${n} 0a:00:00:00:0${n}:01 172.18.0.${last}/24 fc00::${last}/64`,
        `lsp-add ext${n} to-up${n}`,
        `set logical_switch_port to-up${n} type=router options:router-port=up${n} addresses=router`,
        `lrp-add ${router} down${n} 0a:00:00:00:0${n}:02 10.${n}.0.1/24 2001:db8:${n}::1/64`,
        `lsp-add tenant${n} to-down${n}`,
        `set logical_switch_port to-down${n} type=router options:router-port=down${n} addresses=router`,
        `lrp-add ${router} side${n} 0a:00:00:00:0${n}:03 10.${n}.8.1/24 fe80::99/64`,
        `lsp-add other${n} to-side${n}`,
        `set logical_switch_port to-side${n} type=router options:router-port=side${n} addresses=router`,
        `lr-route-add ${router} 0.0.0.0/0 172.18.0.1`,
        `lr-nat-add ${router} dnat_and_snat 172.18.0.${50 + n} 10.${n}.0.5`,
        `lr-nat-add ${router} snat 172.18.0.${last} 10.${n}.0.0/24`,
        `lb-add lb${n} 172.18.0.${60 + n}:80 10.${n}.0.5:80`,
        `lr-lb-add ${router} lb${n}`,
        `lb-add lb${n}-6 [2001:db8:ff::${n}]:80 [2001:db8:${n}::5]:80`,
        `lr-lb-add ${router} lb${n}-6`,
        `set logical_switch tenant${n} external_ids:team=red external_ids:number=${n}`,
      ];
    }),
  );
  await run("ovn-nbctl", [
    "lsp-add",
    "tenant1",
    "vm1",
    "--",
    "lsp-set-addresses",
    "vm1",
    "0a:00:00:00:00:21 10.1.0.5 2001:db8:1::5 fe80::21",
    "--",
    "lsp-add",
    "tenant1",
    "any",
    "--",
    "lsp-set-addresses",
    "any",
    "unknown",
  ]);
  await run("ovn-nbctl", [
    "set",
    "logical_switch",
    "tenant2",
    "other_config:subnet=10.2.0.0/24",
    "--",
    "lsp-add",
    "tenant2",
    "vm2",
    "--",
    "lsp-set-addresses",
    "vm2",
    "dynamic",
  ]);
  await run("ovn-nbctl", ["lsp-add", "ext1", "provider1", "--", "lsp-set-addresses", "provider1", "0a:00:00:00:00:71 172.18.0.71 fc00::71"]);
  // Addresses on a switch's port to a router are not the router's.
  await run("ovn-nbctl", ["lsp-set-addresses", "to-down1", "0a:00:00:00:01:02 10.1.0.77"]);
  // northd (25.03) asks no parent about the address of a virtual port.
  await run("ovn-nbctl", [
    "lsp-add",
    "tenant1",
    "virtual1",
    "--",
    "lsp-set-type",
    "virtual1",
    "virtual",
    "--",
    "lsp-set-addresses",
    "virtual1",
    "0a:00:00:00:00:22 10.1.0.99",
    "--",
    "lsp-set-options",
    "virtual1",
    "virtual-ip=10.1.0.99",
    "virtual-parents=vm1",
  ]);
  await nbctl("lb-add shared 172.18.0.90 10.2.0.5");
  const [balancer] = (await nbctl("--bare --columns=_uuid find Load_Balancer name=shared")).split("\n");
  const group = (await nbctl(`create Load_Balancer_Group name=group load_balancer=${balancer}`)).trim();
  await nbctl(`add Logical_Router gr2 load_balancer_group ${group}`, "--add-duplicate lr-add twin", "--add-duplicate lr-add twin");
  client = await connect(central.northbound, { database: "OVN_Northbound" });
  targets = new Connections({ zone: { northbound: central.northbound } });
}, 60_000);
afterAll(async () => {
  await client?.close();
  await targets?.close();
  await central?.stop();
});

async function run(name: string, args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await central.run(name, args);
  if (code !== 0) throw new Error(`${name} ${args.join(" ")}: ${stderr}`);
  return stdout;
}
const nbctl = (...commands: string[]) =>
  run(
    "ovn-nbctl",
    commands.flatMap((command, index) => [...(index > 0 ? ["--"] : []), ...command.split(" ")]),
  );

const OWNER = "urn:pulumi:dev::net::pulumi-nodejs:dynamic/ovn:BgpExposure::exposure";
const target = () => ({ client, owner: OWNER });
const BOTH = { gr1: { table: 1201 }, gr2: { table: 1202 } };

async function rendered(change: Partial<BgpExposureArgs>) {
  const spec = bgpExposure.schema.parse({ zone: "zone", mode: "ovn", routers: BOTH, ...change });
  return bgpExposure.render(spec, await bgpExposure.observe!(spec, { targets }));
}

/** Prefixes that northd advertises, by the router's chassis, in the form of the outputs. */
async function advertised(): Promise<Record<string, string[]>> {
  await nbctl("--wait=sb sync");
  const list = async (columns: string, table: string) =>
    (JSON.parse(await run("ovn-sbctl", ["--format=json", `--columns=${columns}`, "list", table])) as { data: any[][] }).data;
  const chassis = new Map((await list("_uuid,tunnel_key", "Datapath_Binding")).map(([[, uuid], key]) => [uuid, { 1201: "h1", 1202: "h2" }[key as number]]));
  const found: Record<string, Set<string>> = {};
  for (const [[, datapath], prefix] of await list("datapath,ip_prefix", "Advertised_Route"))
    (found[chassis.get(datapath)!] ??= new Set()).add(prefix.includes("/") ? prefix : `${prefix}/${prefix.includes(":") ? 128 : 32}`);
  return Object.fromEntries(
    Object.entries(found)
      .sort()
      .map(([name, prefixes]) => [name, [...prefixes].sort()]),
  );
}
/** Waits, because northd may need another round for a recent change. */
async function expectAdvertised(expected: Record<string, string[]>): Promise<void> {
  const same = async () => JSON.stringify(await advertised()) === JSON.stringify(expected);
  await until("northd", 10_000, same).catch(async () => expect(await advertised()).toEqual(expected));
}
const sorted = (announced: unknown) =>
  Object.fromEntries(Object.entries(announced as Record<string, string[]>).map(([name, prefixes]) => [name, prefixes.toSorted()]));

const CASES: [title: string, change: Partial<BgpExposureArgs>, expected: Record<string, string[]>][] = [
  ["floating IPs", { floatingIPs: true }, { h1: ["172.18.0.11/32", "172.18.0.51/32"], h2: ["172.18.0.12/32", "172.18.0.52/32"] }],
  ["load balancers", { loadBalancers: true }, { h1: ["172.18.0.61/32", "2001:db8:ff::1/128"], h2: ["172.18.0.62/32", "172.18.0.90/32", "2001:db8:ff::2/128"] }],
  [
    "tenant networks by subnet",
    { tenantNetworks: "subnet" },
    { h1: ["10.1.0.0/24", "10.1.8.0/24", "2001:db8:1::/64"], h2: ["10.2.0.0/24", "10.2.8.0/24", "2001:db8:2::/64"] },
  ],
  ["one router", { routers: { gr2: { table: 1202 } }, tenantNetworks: "subnet" }, { h2: ["10.2.0.0/24", "10.2.8.0/24", "2001:db8:2::/64"] }],
  ["a network by name", { tenantNetworks: "subnet", select: { networks: ["other1"] } }, { h1: ["10.1.8.0/24"] }],
  ["a network by its router's port", { tenantNetworks: "subnet", select: { ports: ["side2"] } }, { h2: ["10.2.8.0/24"] }],
  [
    "networks by label",
    { tenantNetworks: "subnet", select: { labels: { team: "red" } } },
    { h1: ["10.1.0.0/24", "2001:db8:1::/64"], h2: ["10.2.0.0/24", "2001:db8:2::/64"] },
  ],
  ["networks by several labels", { tenantNetworks: "subnet", select: { labels: { team: "red", number: "2" } } }, { h2: ["10.2.0.0/24", "2001:db8:2::/64"] }],
  [
    "all but what is excluded",
    { tenantNetworks: "subnet", exclude: { networks: ["other1"], labels: { number: "2" } } },
    { h1: ["10.1.0.0/24", "2001:db8:1::/64"], h2: ["10.2.8.0/24"] },
  ],
  ["all but a port outside", { floatingIPs: true, exclude: { ports: ["up1"] } }, { h2: ["172.18.0.12/32", "172.18.0.52/32"] }],
  [
    "hosts of a network, with floating IPs and load balancers",
    { tenantNetworks: "host", floatingIPs: true, loadBalancers: true, select: { networks: ["tenant1"] } },
    {
      h1: [
        "10.1.0.1/32",
        "10.1.0.5/32",
        "10.1.0.99/32",
        "172.18.0.11/32",
        "172.18.0.51/32",
        "172.18.0.61/32",
        "2001:db8:1::1/128",
        "2001:db8:1::5/128",
        "2001:db8:ff::1/128",
      ],
      h2: ["172.18.0.12/32", "172.18.0.52/32", "172.18.0.62/32", "172.18.0.90/32", "2001:db8:ff::2/128"],
    },
  ],
  [
    "hosts with an address that OVN has given",
    { tenantNetworks: "host", floatingIPs: true, loadBalancers: true, select: { networks: ["tenant2"] }, routers: { gr2: { table: 1202 } } },
    { h2: ["10.2.0.1/32", "10.2.0.2/32", "172.18.0.12/32", "172.18.0.52/32", "172.18.0.62/32", "172.18.0.90/32", "2001:db8:2::1/128", "2001:db8:ff::2/128"] },
  ],
  [
    "provider ports",
    { providerPorts: true, floatingIPs: true, loadBalancers: true, routers: { gr1: { table: 1201 } } },
    { h1: ["172.18.0.11/32", "172.18.0.51/32", "172.18.0.61/32", "172.18.0.71/32", "2001:db8:ff::1/128", "fc00::11/128", "fc00::71/128"] },
  ],
];

test.each(CASES)("northd advertises what is said to be announced: %s", async (_title, change, expected) => {
  const { set, outputs } = await rendered(change);
  expect(sorted(outputs!["announced"])).toEqual(expected);
  await ensureRows(target(), set, {});
  await expectAdvertised(expected);
  await removeRows(target(), set);
  await expectAdvertised({});
  // Nothing of it is left, and what was there before is.
  expect(
    await nbctl(
      "get Logical_Router gr1 options",
      "get Logical_Router_Port up1 options",
      "get Logical_Router_Port down1 options",
      "get Logical_Router gr1 external_ids",
    ),
  ).toBe("{chassis=h1}\n{}\n{}\n{}\n");
});

test("does not fail for invalid addresses of others: a VIP of a template, NAT and a router's port that northd can't read", async () => {
  await run("ovn-nbctl", [
    "--template",
    "lb-add",
    "templated",
    "^vip:^port",
    "^backends",
    "tcp",
    "ipv4",
    "--",
    "lr-lb-add",
    "gr2",
    "templated",
    "--",
    "--id=@nat",
    "create",
    "NAT",
    "type=dnat_and_snat",
    "external_ip=nowhere",
    "logical_ip=10.2.0.9",
    "--",
    "add",
    "Logical_Router",
    "gr2",
    "nat",
    "@nat",
  ]);
  await nbctl(
    "ls-add odd2",
    "lrp-add gr2 odd2-lrp 0a:00:00:00:02:09 10.2.9.1/24",
    'set Logical_Router_Port odd2-lrp networks="10.2.9.1/24","nonsense"',
    "lsp-add odd2 to-odd2",
    "set Logical_Switch_Port to-odd2 type=router options:router-port=odd2-lrp addresses=router",
  );
  const { set, outputs } = await rendered({ routers: { gr2: { table: 1202 } }, floatingIPs: true, loadBalancers: true, tenantNetworks: "subnet" });
  const announced = [
    "10.2.0.0/24",
    "10.2.8.0/24",
    "172.18.0.12/32",
    "172.18.0.52/32",
    "172.18.0.62/32",
    "172.18.0.90/32",
    "2001:db8:2::/64",
    "2001:db8:ff::2/128",
  ];
  expect(sorted(outputs!["announced"])).toEqual({ h2: announced });
  await ensureRows(target(), set, {});
  // The template's variable comes as it is, which no ovn-controller takes for an address.
  await expectAdvertised({ h2: [...announced, "^vip/32"] });
  await removeRows(target(), set);
  await nbctl("lr-lb-del gr2 templated", "lb-del templated", "lrp-del odd2-lrp", "ls-del odd2");
  const [nat] = (await nbctl("--bare --columns=_uuid find NAT external_ip=nowhere")).split("\n");
  await nbctl(`remove Logical_Router gr2 nat ${nat}`);
});

test("shows observed facts, reports changes of the database as drift, and keeps foreign options", async () => {
  const exposure = new Handled("BgpExposure");
  const args = { owner: OWNER, zone: "zone", mode: "ovn", routers: { gr1: { table: 1201 } }, tenantNetworks: "subnet", select: { networks: ["tenant1"] } };
  const { inputs, failures } = await exposure.check({}, args, targets);
  expect(failures).toEqual([]);
  expect(inputs["rows"]).toEqual({
    "Logical_Router gr1 options:dynamic-routing": "true",
    "Logical_Router gr1 options:requested-tnl-key": "1201",
    "Logical_Router_Port down1 options:dynamic-routing-redistribute": "connected",
  });
  expect(inputs["observed"]).toMatchObject({
    routers: {
      gr1: {
        chassis: "h1",
        nat: ["172.18.0.11", "172.18.0.51"],
        vips: ["172.18.0.61", "2001:db8:ff::1"],
        ports: { down1: { network: "tenant1", provider: false, labels: {}, hosts: [] }, up1: { provider: true } },
      },
    },
    taken: {},
  });
  const { outs } = await exposure.create(inputs, targets);
  expect(outs).toMatchObject({ announced: { h1: ["10.1.0.0/24", "2001:db8:1::/64"] }, tables: { h1: [1201] } });

  // Later objects appear in outputs of a refresh, and cause no write.
  const nat = await exposure.check({}, { ...args, floatingIPs: true }, targets);
  await nbctl("lr-nat-add gr1 dnat_and_snat 172.18.0.59 10.1.0.59");
  const later = (await exposure.read({ ...outs, ...nat.inputs }, targets))!;
  expect(
    [later.props["announced"], later.inputs!["announced"]].map((one) => (one as { h1: string[] }).h1.filter((prefix) => prefix.startsWith("172."))),
  ).toEqual([
    ["172.18.0.11/32", "172.18.0.51/32", "172.18.0.59/32"],
    ["172.18.0.11/32", "172.18.0.51/32", "172.18.0.59/32"],
  ]);
  await nbctl("lr-nat-del gr1 dnat_and_snat 172.18.0.59");

  // The same arguments change nothing: the key is the resource's own.
  const again = await exposure.check(outs, args, targets);
  expect([again.failures, exposure.diff(outs, again.inputs).changes]).toEqual([[], false]);

  await nbctl("set Logical_Router_Port down1 options:dynamic-routing-redistribute=static options:gateway_mtu=1400");
  const { props } = (await exposure.read(outs, targets))!;
  expect(props["drift"]).toEqual({ "Logical_Router_Port down1 options:dynamic-routing-redistribute": "static instead of connected" });
  const repaired = await exposure.check(props, args, targets);
  expect(exposure.diff(props, repaired.inputs).changes).toBe(true);
  const updated = await exposure.update(props, repaired.inputs, targets);
  await expectAdvertised({ h1: ["10.1.0.0/24", "2001:db8:1::/64"] });

  // Another's word on the same entry is not overwritten.
  const other = await exposure.check({}, { ...args, owner: `${OWNER}2`, tenantNetworks: "subnet", routers: { gr1: { table: 1203 } } }, targets);
  await expect(exposure.create(other.inputs, targets)).rejects.toMatchObject({ code: "OVN_FOREIGN_ROW" });

  await exposure.delete(updated.outs, targets);
  expect(
    await nbctl(
      "get Logical_Router gr1 options",
      "get Logical_Router gr1 external_ids",
      "get Logical_Router_Port down1 options",
      "get Logical_Router_Port down1 external_ids",
    ),
  ).toBe('{chassis=h1}\n{}\n{gateway_mtu="1400"}\n{}\n');
  await nbctl("clear Logical_Router_Port down1 options");
});

test.each<[string, object, { path: string; code: string }[]]>([
  ["a router that there is not", { routers: { gr9: { table: 1209 } } }, [{ path: "routers.gr9", code: "unknown-router" }]],
  ["a router that there is twice", { routers: { twin: { table: 1209 } } }, [{ path: "routers.twin", code: "unknown-router" }]],
  ["a network that there is not", { select: { networks: ["tenant9"] } }, [{ path: "select.networks[0]", code: "unknown-network" }]],
  ["a scope that there is not", { addressScopes: ["scope9"] }, [{ path: "addressScopes[0]", code: "unknown-scope" }]],
])("%s is refused in the preview", async (_title, change, expected) => {
  const { failures } = await new Handled("BgpExposure").check(
    {},
    { owner: OWNER, zone: "zone", mode: "ovn", routers: { gr1: { table: 1201 } }, tenantNetworks: "subnet", ...change },
    targets,
  );
  expect(failures.map(({ path, code }) => ({ path, code }))).toEqual(expected);
});

test("refuses a table that is the key of another router or switch, and reads address scopes and neighbours", async () => {
  await nbctl(
    "lr-add taken",
    "set Logical_Router taken options:requested-tnl-key=1201",
    "ls-add taken-switch",
    "set Logical_Switch taken-switch other_config:requested-tnl-key=1202",
  );
  await expect(rendered({ tenantNetworks: "subnet" })).rejects.toMatchObject({
    failures: [
      { path: "routers.gr1.table", code: "duplicate" },
      { path: "routers.gr2.table", code: "duplicate" },
    ],
  });
  await run("ovn-nbctl", [
    "lr-del",
    "taken",
    "--",
    "ls-del",
    "taken-switch",
    "--",
    "set",
    "Logical_Switch_Port",
    "to-side2",
    'external_ids:"neutron:subnet_pool_addr_scope4"=two',
  ]);
  expect((await rendered({ tenantNetworks: "subnet", addressScopes: ["two"] })).outputs!["announced"]).toEqual({ h2: ["10.2.8.0/24"] });
  await nbctl(
    "lrp-add gr2 guest2 0a:00:00:00:02:09 172.18.0.99/24",
    "lsp-add ext1 to-guest2",
    "set logical_switch_port to-guest2 type=router options:router-port=guest2 addresses=router",
  );
  await expect(rendered({ routers: { gr1: { table: 1201 } }, floatingIPs: true })).rejects.toMatchObject({
    failures: [{ path: "routers.gr1", code: "neighbors" }],
  });
  await nbctl("lrp-del guest2", "lsp-del to-guest2");
});

test("uses earlier facts in a preview if the database is unreachable, and reports this", async () => {
  const exposure = new Handled("BgpExposure");
  const args = { owner: OWNER, zone: "zone", mode: "ovn", routers: { gr1: { table: 1201 } }, tenantNetworks: "subnet" };
  const seen = await exposure.check({}, args, targets);
  const nowhere = new Connections({ zone: { northbound: "unix:/nonexistent/nb.sock" } });
  const blind = await exposure.check(seen.inputs, args, nowhere);
  expect([blind.failures, blind.inputs["observed"], blind.inputs["observedEarlier"], blind.inputs["rows"]]).toEqual([
    [],
    seen.inputs["observed"],
    true,
    seen.inputs["rows"],
  ]);
  await nowhere.close();
});
