import { parseSchema } from "@pulumi-ovn/ovsdb-client";

const set = (key: unknown) => ({ type: { key, min: 0, max: "unlimited" } });
const map = { type: { key: "string", value: "string", min: 0, max: "unlimited" } };
const optional = { type: { key: "string", min: 0, max: 1 } };
const text = { type: "string" };
const strong = (refTable: string) => set({ type: "uuid", refTable, refType: "strong" });
const weak = (refTable: string) => set({ type: "uuid", refTable, refType: "weak" });

/** Some tables and columns of OVN's Northbound database, as they are there: rows inside of rows, weak references, an index, a table without marks. */
export const northboundExcerpt = parseSchema({
  name: "OVN_Northbound",
  version: "7.11.0",
  tables: {
    Logical_Router: {
      isRoot: true,
      columns: {
        name: text,
        ports: strong("Logical_Router_Port"),
        static_routes: strong("Logical_Router_Static_Route"),
        load_balancer: weak("Load_Balancer"),
        options: map,
        external_ids: map,
      },
    },
    Logical_Router_Port: {
      isRoot: false,
      indexes: [["name"]],
      columns: { name: text, mac: text, networks: set("string"), peer: optional, gateway_chassis: strong("Gateway_Chassis"), options: map, external_ids: map },
    },
    Logical_Router_Static_Route: {
      isRoot: false,
      columns: {
        ip_prefix: text,
        nexthop: text,
        policy: { type: { key: { type: "string", enum: ["set", ["dst-ip", "src-ip"]] }, min: 0, max: 1 } },
        options: map,
        external_ids: map,
      },
    },
    Gateway_Chassis: {
      isRoot: false,
      indexes: [["name"]],
      columns: {
        name: text,
        chassis_name: text,
        priority: { type: { key: { type: "integer", minInteger: 0, maxInteger: 32767 } } },
        options: map,
        external_ids: map,
      },
    },
    Load_Balancer: { isRoot: true, columns: { name: text, vips: map, external_ids: map } },
    Static_MAC_Binding: {
      isRoot: true,
      indexes: [["logical_port", "ip"]],
      columns: { logical_port: text, ip: text, mac: text, override_dynamic_mac: { type: "boolean" } },
    },
  },
});
