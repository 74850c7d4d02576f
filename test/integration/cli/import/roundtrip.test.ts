import { importZones } from "@pulumi-ovn/cli/import";
import { connect } from "@pulumi-ovn/ovsdb-client";
import type { Layer2NetworkArgs } from "@pulumi-ovn/provider";
import { Connections } from "@pulumi-ovn/provider/targets";
import { type Central, startCentral } from "@pulumi-ovn/sandbox";
import { Handled } from "../../../support/handled";
import { zonePlan } from "../../../support/network";

let central: Central;
let connections: Connections;
beforeAll(async () => {
  central = await startCentral({ northd: false });
  await nbctl("init");
  connections = new Connections({ node1: { northbound: central.northbound } });
});
afterAll(async () => {
  await connections?.close();
  await central?.stop();
});

const stack = { stack: "dev", project: "net", providerText: (kind: string) => `provider of ${kind}` };
const imported = () => importZones({ node1: { northbound: central.northbound } }, ["node1"], stack);
const urn = (kind: string) => `urn:pulumi:other::net::pulumi-nodejs:dynamic/ovn:${kind}::it`;

async function nbctl(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await central.run("ovn-nbctl", args);
  if (code !== 0) throw new Error(stderr);
  return stdout.trim();
}

/** Makes the rows of one zone of a network, as the stack of the same resources would. */
async function make(change: Partial<Layer2NetworkArgs>): Promise<void> {
  const { switch: layer2Switch, gatewayRouter, gateway, workloads } = zonePlan("node1", change);
  for (const [kind, args] of Object.entries({ Layer2Switch: layer2Switch, GatewayRouter: gatewayRouter, Layer2Gateway: gateway, WorkloadPorts: workloads })) {
    if (!args) continue;
    const { inputs, failures } = await new Handled(kind).check({}, { ...args, owner: urn(kind) }, connections);
    expect(failures).toEqual([]);
    await new Handled(kind).create(inputs, connections);
  }
}

/** Removes the owner marks, so that the rows are unowned. */
async function forget(): Promise<void> {
  await using client = await connect(central.northbound, { database: "OVN_Northbound" });
  const schema = await client.getSchema();
  const tables = [...schema.tables.values()].filter((table) => table.columns.has("external_ids"));
  await client.transact(
    tables.map(({ name }) => ({
      op: "mutate" as const,
      table: name,
      where: [],
      mutations: [["external_ids", "delete", ["set", ["pulumi-ovn:owner"]]] as const],
    })),
  );
}

async function clear(): Promise<void> {
  for (const table of ["Logical_Router", "Logical_Switch", "Static_MAC_Binding", "Load_Balancer", "Port_Group"]) await nbctl("--all", "destroy", table);
}
afterEach(clear);

const masquerade = { networkId: 7, masquerade: { hostFlows: true } };
const management = { management: {} };
const variants: Record<string, Partial<Layer2NetworkArgs>> = {
  "as it is by default": {},
  "of IPv4 only": { subnets: ["10.7.0.0/16"], workloads: {}, nodes: { node1: { id: 1, external: { addresses: ["192.0.2.2/24"], nextHops: ["192.0.2.1"] } } } },
  "of IPv4 only, with links of both families": {
    ...masquerade,
    ...management,
    subnets: ["203.203.0.0/16"],
    joinSubnets: ["100.65.0.0/16", "fd99::/64"],
    workloads: {},
  },
  "of IPv6 only": {
    subnets: ["2001:db8:7::/64"],
    workloads: {},
    nodes: {
      node1: { id: 9, external: { addresses: ["2001:db8::2/64"], nextHops: ["2001:db8::1"] } },
      node2: { id: 10, external: { addresses: ["2001:db8::3/64"] } },
    },
  },
  "with masquerade addresses and management ports": { ...masquerade, ...management },
  "in gateway mode local": { ...masquerade, ...management, gatewayMode: "local" },
  "with the ports and the option of ovn-kubernetes' local mode": {
    ...masquerade,
    ...management,
    gatewayMode: "local",
    snatPorts: "32768-60999",
    gatewayRouterCtCommitAll: true,
  },
  "without translation": { snat: false },
  "with other subnets and a larger MTU": { mtu: 8900, joinSubnets: ["100.70.0.0/20", "fd98::/64"], transitSubnets: ["100.90.0.0/24", "fd96::/96"] },
  "with marks": { externalIds: { team: "net", "cost center": "4 ${x}" } },
  "with other router advertisements": {
    subnets: ["203.203.0.0/16", "2010:100:200::/64"],
    workloads: {},
    routerAdvertisements: { addressMode: "slaac", maxInterval: 60, minInterval: 20, preference: "HIGH" },
  },
};

describe("a network that a stack made, once the stack is forgotten", () => {
  it.each(Object.entries(variants))("%s, is the same resources again", async (_name, change) => {
    await make(change);
    await forget();
    const { report, program } = await imported();
    // Columns of the gateway router and the management port; columns without an argument would match as well.
    expect(program.match(/snatPorts: "32768-60999"|ctCommitAll: true/g) ?? []).toHaveLength(change.snatPorts === undefined ? 0 : 3);
    const kinds = `1 Layer2Switch, 1 TransitRouter, 1 GatewayRouter, 1 GatewayPeer${change.workloads ? "" : ", 1 WorkloadPorts"}`;
    const rows = Number(/of (\d+) rows/.exec(report)![1]);
    // All but NB_Global; and nothing of the rows is left over.
    expect(report.split("\n")).toEqual([
      `zone node1: ${rows - 1} of ${rows} rows imported as ${kinds}`,
      "  not imported, and left as they are:",
      expect.stringMatching(/^ {4}NB_Global \S+: a setting of the database itself$/),
      "",
    ]);
  });

  it("is not imported while a stack has it, and reports which", async () => {
    await make({});
    await expect(imported()).rejects.toMatchObject({
      code: "OVN_NOTHING_TO_IMPORT",
      message: expect.stringMatching(/^zone "node1" has nothing to import: its \d+ rows belong to stacks already \(urn:pulumi:other::net::\S+ for one\)/),
    });
    await nbctl("ls-add", "mine", "--", "lsp-add", "blue_ovn_layer2_switch", "guest");
    const { report, program } = await imported();
    expect(report).toMatch(/^zone node1: 2 of \d+ rows imported as 2 NorthboundRows$/m);
    expect(report).toMatch(/^ {4}\d+ rows of urn:pulumi:other::net::pulumi-nodejs:dynamic\/ovn:Layer2Gateway::it: in a stack already$/m);
    // The report expects nothing of rows that were not imported.
    expect(report).not.toContain("though they look like more");
    const uuid = await nbctl("get", "logical_switch", "blue_ovn_layer2_switch", "_uuid");
    expect(program).toContain(`parent: { table: "Logical_Switch", row: "${uuid}", column: "ports" }`);
  });
});

describe("a network that differs in one value from what its resource would write", () => {
  it("is imported row by row, and the report names the difference", async () => {
    await make({});
    await forget();
    await nbctl("set", "logical_router_port", "rtotr-GR_blue_node1", 'mac="0a:58:00:00:00:01"');
    const { report, program } = await imported();
    expect(report).toContain("1 Layer2Switch, 1 TransitRouter, 1 GatewayRouter, 1 WorkloadPorts, 2 NorthboundRows\n");
    expect(report).toContain(
      '    Logical_Router_Port "trtor-GR_blue_node1" is not a GatewayPeer: Logical_Router_Port rtotr-GR_blue_node1: mac=0a:58:00:00:00:01 instead of mac=0a:58:64:41:00:02\n',
    );
    expect(program).toContain('mac: "0a:58:00:00:00:01"');
    expect(program).toContain("row: node1BlueTransitRouter.uuid");
  });

  it.each<[string, string[], RegExp | undefined]>([
    [
      "a network that is none",
      ["set", "logical_router_port", "rtotr-GR_blue_node1", 'networks="100.65.0.2"'],
      /^ {4}Logical_Router_Port "trtor-GR_blue_node1" is not a GatewayPeer: .*"100\.65\.0\.2" has no prefix length/m,
    ],
    [
      "a gateway router whose load balancers use the router's address",
      ["set", "logical_router", "GR_blue_node1", "options:lb_force_snat_ip=router_ip"],
      /^ {4}Logical_Router "GR_blue_node1" is not a GatewayRouter: joinAddresses\[0\]: "router_ip" is not an IP address: expected four decimal numbers from 0 to 255, such as 192\.0\.2\.1, or IPv6$/m,
    ],
    [
      "a router port without a name",
      [
        "--id=@p",
        "create",
        "Logical_Router_Port",
        'name=""',
        'mac="0a:00:00:00:00:01"',
        "networks=10.9.9.1/24",
        "options:requested-tnl-key=99",
        "--",
        "add",
        "Logical_Router",
        "blue_transit_router",
        "ports",
        "@p",
      ],
      undefined,
    ],
    [
      "a switch port without a name",
      [
        "--id=@p",
        "create",
        "Logical_Switch_Port",
        'name=""',
        'addresses="0a:00:00:00:00:01 203.203.7.7"',
        "--",
        "add",
        "Logical_Switch",
        "blue_ovn_layer2_switch",
        "ports",
        "@p",
      ],
      undefined,
    ],
    [
      "a translation of nothing",
      ["--id=@n", "create", "NAT", "type=snat", 'external_ip=""', 'logical_ip=""', "--", "add", "Logical_Router", "GR_blue_node1", "nat", "@n"],
      undefined,
    ],
    [
      "a route to nothing",
      [
        "--id=@r",
        "create",
        "Logical_Router_Static_Route",
        'ip_prefix=""',
        'nexthop=""',
        "output_port=rtoe-GR_blue_node1",
        "--",
        "add",
        "Logical_Router",
        "GR_blue_node1",
        "static_routes",
        "@r",
      ],
      undefined,
    ],
    [
      "a route by source to nothing",
      [
        "--id=@r",
        "create",
        "Logical_Router_Static_Route",
        'ip_prefix=""',
        'nexthop=""',
        "policy=src-ip",
        "--",
        "add",
        "Logical_Router",
        "blue_transit_router",
        "static_routes",
        "@r",
      ],
      /^ {4}Logical_Router_Port "trtor-GR_blue_node1" is not a GatewayPeer: /m,
    ],
  ])("is imported whole with %s in it, which is named where it matters", async (_what, command, reason) => {
    await make({});
    await forget();
    await nbctl("--", ...command);
    const { report } = await imported();
    const [, rows, all] = /^zone node1: (\d+) of (\d+) rows imported/.exec(report)!;
    const left = report
      .split("\n  columns of")[0]!
      .split("\n  imported row by row")[0]!
      .match(/^ {4}\S.*/gm)!;
    expect(left[0]).toMatch(/^ {4}NB_Global /);
    // Static_MAC_Bindings, which have no mark to take away, count as a stack's still.
    const outside = left.map((line) => Number(/^ {4}(\d+) rows of /.exec(line)?.[1] ?? 1)).reduce((sum, number) => sum + number);
    expect(Number(rows) + outside).toBe(Number(all));
    if (reason === undefined) expect([left.length, report]).toEqual([1, expect.not.stringContaining("though they look like more")]);
    else expect(report).toMatch(reason);
  });

  it("keeps what others put next to the rows in resources of its own", async () => {
    await make({});
    await forget();
    await nbctl(
      "lr-policy-add",
      "GR_blue_node1",
      "555",
      "ip4.dst == 10.77.0.1",
      "drop",
      "--",
      "lb-add",
      "vip",
      "10.96.0.1:80",
      "10.0.0.2:80",
      "--",
      "ls-lb-add",
      "blue_ovn_layer2_switch",
      "vip",
    );
    const { report, program } = await imported();
    expect(report).toContain("  columns of imported rows that the stack does not manage:\n    node1-blue_ovn_layer2_switch: Logical_Switch.load_balancer\n");
    expect(program).toContain('new ovn.NorthboundRows("node1-GR_blue_node1-rows", {');
    expect(program).toMatch(
      /const node1Vip = new ovn\.NorthboundRows\("node1-vip"[^;]*;\n\nconst node1BlueOvnLayer2Switch = new ovn\.Layer2Switch\([^;]*, \{ dependsOn: \[node1Vip\] \}\);/,
    );
  });
});
