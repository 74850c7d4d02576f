import { connect, type OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { kinds, type RowSet } from "@pulumi-ovn/provider";
import { ensureRows, removeRows } from "@pulumi-ovn/provider/rows";
import { type Central, startCentral } from "@pulumi-ovn/sandbox";
import { complaints } from "../../support/refusals";

const ipv4 = {
  zone: "node1",
  subnet: "10.0.1.0/24",
  serverMac: "0a:58:0a:00:01:01",
  serverAddress: "10.0.1.1",
  router: "10.0.1.1",
  dnsServers: ["10.96.0.10", "192.0.2.53"],
  mtu: 1400,
};
const ipv6 = { zone: "node1", subnet: "2001:db8:1::/64", serverMac: "0a:58:0a:00:01:01", dnsServers: ["2001:db8::53"] };

// The real server checks the columns.
const rendered = (args: object): RowSet => kinds.DhcpOptions.render(kinds.DhcpOptions.schema.parse(args)).set;

it("renders one row for each family", () => {
  const options = {
    server_id: "10.0.1.1",
    server_mac: "0a:58:0a:00:01:01",
    lease_time: "86400",
    router: "10.0.1.1",
    dns_server: "{10.96.0.10, 192.0.2.53}",
    mtu: "1400",
  };
  expect(rendered(ipv4).rows).toEqual([{ table: "DHCP_Options", key: "options", columns: { cidr: "10.0.1.0/24", options: { map: options } } }]);
  const v6 = { server_id: "0a:58:0a:00:01:01", dns_server: "{2001:db8::53}" };
  expect(rendered(ipv6).rows).toEqual([{ table: "DHCP_Options", key: "options", columns: { cidr: "2001:db8:1::/64", options: { map: v6 } } }]);
});

it("refuses arguments of the other family, and addresses outside of the subnet", () => {
  const refused = (args: object) => complaints(() => rendered(args));
  expect(refused({ ...ipv4, serverAddress: undefined, router: "10.0.2.1", dnsServers: ["2001:db8::53"] })).toEqual([
    "serverAddress: is required for an IPv4 subnet",
    "router: 10.0.2.1 is outside of 10.0.1.0/24",
    "dnsServers[0]: 2001:db8::53 is not an IPv4 address",
  ]);
  expect(refused({ ...ipv6, serverAddress: "2001:db8:1::1", leaseTime: 60 })).toEqual([
    "serverAddress: is for IPv4 subnets only",
    "leaseTime: is for IPv4 subnets only",
  ]);
});

describe("with northd", () => {
  let central: Central;
  let client: OvsdbClient;
  beforeAll(async () => {
    central = await startCentral();
    client = await connect(central.northbound, { database: "OVN_Northbound" });
  });
  afterAll(async () => {
    await client.close();
    await central.stop();
  });

  const run = async (program: string, ...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await central.run(program, args);
    expect([program, args, code, stderr]).toEqual([program, args, 0, ""]);
    return stdout;
  };
  const answers = async (): Promise<string[]> => {
    await run("ovn-nbctl", "--wait=sb", "sync");
    const flows = await run("ovn-sbctl", "lflow-list", "s1");
    return [...flows.matchAll(/put_dhcp(?:v6)?_opts\([^)]*\)/g)].map(([action]) => action).sort();
  };

  it("workloads of a port receive the answers, until the rows are deleted", async () => {
    const sets: readonly RowSet[] = [ipv4, ipv6].map(rendered);
    const targets = ["v4", "v6"].map((name) => ({ client, owner: `urn:pulumi:dev::net::pulumi-nodejs:dynamic/ovn:DhcpOptions::${name}` }));
    for (const [index, set] of sets.entries()) await ensureRows(targets[index]!, set);
    await run("ovn-nbctl", "ls-add", "s1", "--", "lsp-add", "s1", "vm1", "--", "lsp-set-addresses", "vm1", "0a:58:0a:00:01:05 10.0.1.5 2001:db8:1::5");
    for (const [column, cidr] of [
      ["dhcpv4_options", ipv4.subnet],
      ["dhcpv6_options", ipv6.subnet],
    ] as const) {
      const uuid = (await run("ovn-nbctl", "--bare", "--columns=_uuid", "find", "DHCP_Options", `cidr="${cidr}"`)).trim();
      await run("ovn-nbctl", "set", "Logical_Switch_Port", "vm1", `${column}=${uuid}`);
    }
    const v4 = "dns_server = {10.96.0.10, 192.0.2.53}, lease_time = 86400, mtu = 1400, netmask = 255.255.255.0, router = 10.0.1.1, server_id = 10.0.1.1";
    const found = await answers();
    expect(new Set(found)).toEqual(
      new Set([
        `put_dhcp_opts(offerip = 10.0.1.5, ${v4})`,
        "put_dhcpv6_opts(ia_addr = 2001:db8:1::5, dns_server = {2001:db8::53}, server_id = 0a:58:0a:00:01:01)",
      ]),
    );
    for (const [index, set] of sets.entries()) await removeRows(targets[index]!, set);
    expect(await answers()).toEqual([]);
    expect(await run("ovn-nbctl", "--bare", "--columns=_uuid", "list", "DHCP_Options")).toBe("");
  });
});
