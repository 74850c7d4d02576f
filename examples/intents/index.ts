import * as pulumi from "@pulumi/pulumi";
import * as ovn from "pulumi-ovn";

// `pulumi config set shop:closed true` moves the rule "close-database" before "let-web-in". The preview is valid, but breaks the first intent.
const closed = new pulumi.Config("shop").getBoolean("closed") ?? false;

const keys = new ovn.TunnelKeyPool("keys", { owners: { shop: 2 } });
const outside = (last: number) => ({ addresses: [`172.18.0.${last}/24`], nextHops: ["172.18.0.1"] });

const shop = new ovn.Layer2Network("shop", {
  name: "shop",
  subnets: ["10.80.0.0/16"],
  tunnelKeys: keys.of("shop"),
  nodes: {
    node1: { id: 2, tunnelAddresses: ["198.18.0.1"], external: outside(11) },
    node2: { id: 3, tunnelAddresses: ["198.18.0.2"], external: outside(12) },
  },
  workloads: {
    web1: { node: "node1", addresses: ["10.80.0.11"], labels: { role: "web" } },
    db1: { node: "node2", addresses: ["10.80.0.21"], labels: { role: "db" } },
  },
});

const acl = (priority: number, direction: string, match: string, action: string): ovn.RawRowsArgs["entries"][string] => ({
  table: "ACL",
  columns: { direction, priority, match, action },
  parent: { table: "Logical_Switch", row: "shop_ovn_layer2_switch", column: "acls" },
});

// Rules of a workload are in the workload's zone.
new ovn.NorthboundRows(
  "rules",
  {
    zone: "node2",
    entries: {
      "let-web-in": acl(1001, "to-lport", 'outport == "db1" && ip4.src == 10.80.0.11 && tcp.dst == 5432', "allow-related"),
      "close-database": acl(closed ? 1002 : 1000, "to-lport", 'outport == "db1" && tcp', "drop"),
      "keep-data-in": acl(1000, "from-lport", 'inport == "db1" && ip4.dst != 10.80.0.0/16', "drop"),
    },
  },
  { dependsOn: shop },
);

// The rules may change as long as packets do this.
ovn.expect(shop, { from: { labels: { role: "web" } }, to: { labels: { role: "db" } }, protocol: "tcp", port: 5432, reach: true });
ovn.expect(shop, { from: "db1", to: { address: "192.0.2.1" }, blocked: true });
ovn.expect(shop, { from: "web1", to: { address: "192.0.2.1" }, reach: true, sourceAddress: "172.18.0.11", byNode: "node1" });
