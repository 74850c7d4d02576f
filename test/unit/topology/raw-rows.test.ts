import { northboundRows, openVSwitchRows, type RawRowsArgs, southboundRows } from "@pulumi-ovn/provider";
import { validate } from "@pulumi-ovn/provider/testing";

const render = (entries: RawRowsArgs["entries"], extra: Partial<RawRowsArgs> = {}) =>
  northboundRows.render(northboundRows.schema.parse({ zone: "z", entries, ...extra }));
const uuid = "6d6c4b0e-2cb5-8b4f-9a3e-000000000000";

describe("raw rows", () => {
  it("have scalars, sets, maps, empty columns and references", () => {
    const { set, exposes, primary } = render({
      web: { table: "Load_Balancer", columns: { name: "web", vips: { "10.0.0.1:80": "10.0.0.2:80" }, protocol: "tcp", selection_fields: ["ip_src"] } },
      group: { table: "Load_Balancer_Group", columns: { name: "g" }, references: { load_balancer: ["web", uuid, "other"] } },
      rule: {
        table: "ACL",
        columns: { priority: 5, log: false, severity: null },
        references: { meter: "m" },
        parent: { table: "Logical_Switch", row: "l2", column: "acls" },
      },
    });
    expect(primary).toBeUndefined();
    expect(exposes).toEqual([
      { table: "Load_Balancer_Group", key: "group" },
      { table: "ACL", key: "rule" },
      { table: "Load_Balancer", key: "web" },
    ]);
    expect(set).toEqual({
      database: "OVN_Northbound",
      rows: [
        {
          table: "Load_Balancer_Group",
          key: "group",
          columns: { name: "g", load_balancer: [{ table: "Load_Balancer", key: "web" }, { uuid }, { name: "other" }] },
        },
        {
          table: "ACL",
          key: "rule",
          columns: { priority: 5, log: false, severity: null, meter: { name: "m" } },
          parent: { table: "Logical_Switch", row: { name: "l2" }, column: "acls" },
        },
        {
          table: "Load_Balancer",
          key: "web",
          columns: { name: "web", vips: { map: { "10.0.0.1:80": "10.0.0.2:80" } }, protocol: "tcp", selection_fields: ["ip_src"] },
        },
      ],
    });
  });

  it("have marks in external_ids in addition to their own", () => {
    const { set } = render({ g: { table: "Port_Group", columns: { name: "g", external_ids: { a: "1" } } } }, { externalIds: { team: "net" } });
    expect(set.rows[0]!.columns.external_ids).toEqual({ map: { team: "net", a: "1" } });
  });

  it("have no mark in a table without external_ids of their database", () => {
    const entries = { g: { table: "Load_Balancer_Group", columns: { name: "g" } }, s: { table: "Address_Set", columns: { name: "s" } }, n: { table: "Newer" } };
    const ids = { map: { team: "net" } };
    const columnsOf = (kind: typeof northboundRows) =>
      kind.render(kind.schema.parse({ zone: "z", entries, externalIds: { team: "net" } })).set.rows.map(({ columns }) => columns.external_ids);
    expect(columnsOf(northboundRows)).toEqual([undefined, ids, ids]);
    expect(columnsOf(southboundRows)).toEqual([ids, ids, undefined]);
  });

  it("are in the database of their kind", () => {
    const args = { zone: "z", entries: { a: { table: "T" } } };
    expect(southboundRows.render(southboundRows.schema.parse(args)).set.database).toBe("OVN_Southbound");
    expect(openVSwitchRows.render(openVSwitchRows.schema.parse(args)).set.database).toBe("Open_vSwitch");
  });

  it("are refused if they contradict themselves", () => {
    expect(() => render({})).toThrow("entries: needs at least one row");
    expect(() => render({ a: { table: "ACL", columns: { meter: "m" }, references: { meter: "m" } } })).toThrow(
      'entries.a.references.meter: column "meter" is among the columns too',
    );
    expect(() =>
      render({ r: { table: "Logical_Router" }, p: { table: "Logical_Router_Port", parent: { table: "Logical_Switch", row: "r", column: "ports" } } }),
    ).toThrow('entries.p.parent.table: "r" is a row of Logical_Router, not of Logical_Switch');
    expect(() => render({ a: { table: "ACL", columns: { external_ids: { team: "net", "pulumi-ovn:owner": "urn" } } } })).toThrow(
      'entries.a.columns.external_ids["pulumi-ovn:owner"]: keys that begin with pulumi-ovn: are marks of this package',
    );
    expect(() => render({ a: { table: "ACL", columns: { external_ids: { "pulumi-ovnx": "mine" } } } })).not.toThrow();
    expect(() => render({ a: { table: "ACL", references: { constructor: "x" } } })).not.toThrow();
  });

  it.each([
    [{ table: "A;B" }, "entries.a.table"],
    [{ table: "ACL", columns: { "a b": 1 } }, 'entries.a.columns["a b"]'],
    [{ table: "ACL", columns: { match: { deep: { er: 1 } } } }, "entries.a.columns.match"],
    [{ table: "ACL", coloumns: {} }, "entries.a.coloumns"],
  ])("name the path of %j", (row, path) => {
    expect(validate(northboundRows.schema, { zone: "z", entries: { a: row } }).map((failure) => failure.path)).toEqual([path]);
  });
});
