/** A schema with every kind of column, reference, index and limit that OVSDB knows. */
const unlimited = "unlimited";
const set = (key: unknown, min = 0, max: number | string = unlimited) => ({ type: { key, min, max } });

export const testSchema = {
  name: "Test",
  version: "1.2.3",
  cksum: "12345 678",
  tables: {
    Types: {
      isRoot: true,
      columns: {
        name: { type: "string" },
        truth: { type: "boolean" },
        count: { type: "integer" },
        ratio: { type: "real" },
        id: { type: "uuid" },
        maybe_count: set("integer", 0, 1),
        maybe_name: set("string", 0, 1),
        maybe_id: set("uuid", 0, 1),
        names: set("string"),
        counts: set("integer"),
        ratios: set("real"),
        ids: set("uuid"),
        pair: set("integer", 1, 2),
        options: { type: { key: "string", value: "string", min: 0, max: unlimited } },
        weights: { type: { key: "integer", value: "real", min: 0, max: unlimited } },
        color: { type: { key: { type: "string", enum: ["set", ["red", "green"]] } } },
        percent: { type: { key: { type: "integer", minInteger: 0, maxInteger: 100 }, min: 0, max: 1 } },
        short: { type: { key: { type: "string", minLength: 0, maxLength: 3 } } },
        fixed: { type: "string", mutable: false },
        passing: { type: "string", ephemeral: true },
      },
    },
    Parent: {
      isRoot: true,
      columns: {
        name: { type: "string" },
        children: set({ type: "uuid", refTable: "Child", refType: "strong" }),
        friends: set({ type: "uuid", refTable: "Parent", refType: "weak" }),
      },
      indexes: [["name"]],
    },
    Child: { columns: { name: { type: "string" } } },
    Holder: {
      isRoot: true,
      columns: { needs: { type: { key: { type: "uuid", refTable: "Parent", refType: "weak" }, min: 1, max: 1 } } },
    },
    Few: { isRoot: true, maxRows: 2, columns: { name: { type: "string" } } },
  },
};
