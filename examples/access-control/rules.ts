import * as pulumi from "@pulumi/pulumi";
import * as ovn from "pulumi-ovn";

type Entries = ovn.RawRowsArgs["entries"];

/** Rules are applied where a server runs, so a zone's groups hold its own servers' ports. */
function group(name: string, servers: readonly string[], allowed: readonly string[]): Entries {
  const rule = (priority: number, match: string, action: string): Entries[string] => ({
    table: "ACL",
    columns: { direction: "to-lport", priority, match: `outport == @${name} && ip4${match}`, action },
    // The row that lists this one: an entry of the same resource, or another resource's row by UUID or name.
    parent: { table: "Port_Group", row: name, column: "acls" },
  });
  return {
    [name]: { table: "Port_Group", columns: { name }, references: { ports: [...servers] } },
    ...Object.fromEntries(allowed.map((match, index) => [`${name}-allow-${index + 1}`, rule(1001, ` && ${match}`, "allow-related")])),
    [`${name}-deny`]: rule(1000, "", "drop"),
  };
}

/** Access rules and the shop's load balancer in one zone. */
export function rules(zone: string, layer2Switch: pulumi.Input<string>, local: readonly string[], options: pulumi.CustomResourceOptions): void {
  const web = local.filter((name) => name.startsWith("web"));
  const db = local.filter((name) => name.startsWith("db"));
  new ovn.NorthboundRows(
    `rules-${zone}`,
    {
      zone,
      entries: {
        shop_web_addresses: { table: "Address_Set", columns: { name: "shop_web", addresses: ["10.80.0.11", "10.80.0.12"] } },
        ...group("shop_web", web, ["tcp.dst == {80, 443}", "icmp4"]),
        ...group("shop_db", db, ["ip4.src == $shop_web && tcp.dst == 5432"]),
      },
    },
    options,
  );
  new ovn.NorthboundRows(
    `balancer-${zone}`,
    {
      zone,
      entries: {
        web: {
          table: "Load_Balancer",
          columns: { name: "shop-web", protocol: "tcp", vips: { "10.80.255.1:80": "10.80.0.11:80,10.80.0.12:80" } },
          // A switch lists its load balancers; the switch itself is another resource's.
          parent: { table: "Logical_Switch", row: layer2Switch, column: "load_balancer" },
        },
      },
    },
    options,
  );
}
