import { connect, type OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { older, Proxy, unsorted } from "../../support/ovsdb-proxy";
import { standalone } from "../../support/ovsdb-server";
import { until } from "../../support/until";

let server: Awaited<ReturnType<typeof standalone>>;
let proxy: Proxy;
let direct: OvsdbClient;
let client: OvsdbClient;

beforeEach(async () => {
  server = await standalone();
  direct = await connect(server.endpoint, { database: "Test" });
});
afterEach(async () => {
  await client.close();
  await direct.close();
  await proxy.stop();
  await server.remove();
});

const COLUMNS = ["name", "names", "options"] as const;
const NAMES = ["a", "b", "d", "f", "\uffee", "\u{1F600}"];
const OPTIONS = new Map(NAMES.map((name) => [name, `${name}1`]));

describe.each([
  ["monitor_cond_since", []],
  ["monitor_cond", ["monitor_cond_since"]],
  ["monitor", ["monitor_cond_since", "monitor_cond"]],
])("%s of a server that does not sort", (_method, missing) => {
  test("has the database's values after each change, and reports only real changes", async () => {
    proxy = await Proxy.start(server.socket, older(...missing), unsorted());
    client = await connect(proxy.endpoint, { database: "Test", reconnect: { initialDelay: 10 } });
    await direct.transaction((transaction) => {
      for (const name of ["one", "two", "three"]) transaction.insert("Types", { name, color: "red", pair: [1], names: NAMES, options: OPTIONS });
    });
    const monitor = await client.monitor({ Types: { columns: COLUMNS } });
    const changed: string[] = [];
    monitor.subscribe({ changed: (changes) => changed.push(...changes.map(({ new: row }) => String(row?.get("name")))) });
    const copied = () => [...monitor.table("Types")].map((row) => row.toObject()).sort((a, b) => (a["_uuid"]! < b["_uuid"]! ? -1 : 1));
    const rows = async (from: OvsdbClient) => (await from.select("Types", { columns: COLUMNS })).sort((a, b) => (a["_uuid"]! < b["_uuid"]! ? -1 : 1));
    const entries = (found: readonly Record<string, unknown>[]) => found.map((row) => ({ ...row, options: [...(row["options"] as Map<string, string>)] }));
    const expectSame = async () => {
      const expected = entries(await rows(direct));
      expect(entries(copied())).toEqual(expected);
      // Either of two messages in a row is reversed.
      for (let turn = 0; turn < 2; turn++) expect(entries(await rows(client))).toEqual(expected);
    };
    await expectSame();
    for (const [gone, come] of [
      ["b", "c"],
      ["\uffee", "e"],
      ["a", "\u{1F601}"],
    ] as const) {
      const count = changed.length;
      await direct.transact([
        {
          op: "mutate",
          table: "Types",
          where: [["name", "==", "two"]],
          mutations: [
            ["names", "delete", ["set", [gone]]],
            ["names", "insert", ["set", [come]]],
            ["options", "delete", ["set", [gone, "f"]]],
            [
              "options",
              "insert",
              [
                "map",
                [
                  [come, "2"],
                  ["f", `f${come}`],
                ],
              ],
            ],
          ],
        },
      ]);
      await until(() => changed.length > count);
      await expectSame();
    }
    expect(changed).toEqual(["two", "two", "two"]);
    for (let turn = 0; turn < 3; turn++) {
      let isCurrent = false;
      const stop = monitor.subscribe({ current: () => (isCurrent = true) });
      proxy.cut();
      await until(() => isCurrent);
      stop();
    }
    await expectSame();
    expect(changed).toHaveLength(3);
  });
});
