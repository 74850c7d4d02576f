import { connect, type OvsdbClient, type OVN_Northbound } from "@pulumi-ovn/ovsdb-client";
import { type Central, startCentral } from "@pulumi-ovn/sandbox";

let central: Central;
let client: OvsdbClient<OVN_Northbound>;
beforeAll(async () => {
  central = await startCentral({ northd: false });
  client = await connect<OVN_Northbound>(central.northbound, { database: "OVN_Northbound", reconnect: { initialDelay: 2000, jitter: 0 } });
});
afterAll(async () => {
  await client.close();
  await central[Symbol.asyncDispose]();
});

const nbctl = async (...args: string[]) => (await central.run("ovn-nbctl", [`--db=${central.northbound}`, ...args])).stdout.trim();
const port = async (name: string, owner: string) => {
  await nbctl("--", "lsp-add", "s", name, "--", "set", "Logical_Switch_Port", name, `external_ids:owner=${owner}`);
  return nbctl("--bare", "--columns=_uuid", "find", "Logical_Switch_Port", `name=${name}`);
};

test("indexes have other writers' rows, also those written without a connection", async () => {
  await nbctl("ls-add", "s");
  const first = await port("first", "a");
  const monitor = await client.monitor({ Logical_Switch: { columns: ["name", "ports"] }, Logical_Switch_Port: { columns: ["name", "external_ids", "up"] } });
  const [ports, switches] = [monitor.table("Logical_Switch_Port"), monitor.table("Logical_Switch")];
  const [names, owners, holders] = [ports.index("name"), ports.index(["external_ids", "owner"], "up"), switches.index("ports")];
  const by = (owner: string | null) =>
    owners
      .get(owner, null)
      .map((row) => row.get("name"))
      .sort();
  expect([names.first("first")?.uuid, by("a"), holders.first(first)?.get("name")]).toEqual([first, ["first"], "s"]);

  const second = await port("second", "a");
  await nbctl("set", "Logical_Switch_Port", "first", "external_ids:owner=b");
  // Earlier writes are in the cache when this call returns.
  await client.transaction((tx) => tx.comment("after"));
  expect([names.first("second")?.uuid, by("a"), by("b"), holders.first(second)?.get("name")]).toEqual([second, ["second"], ["first"], "s"]);

  // The server is back, and has other rows, before the client looks for it again.
  const resynced = new Promise((resolve) => client.subscribe({ resynced: resolve }));
  await central.kill("northbound");
  await central.start("northbound");
  await nbctl("lsp-del", "first");
  const third = await port("third", "b");
  await resynced;
  await client.transaction((tx) => tx.comment("after"));
  expect([names.first("third")?.uuid, by("b"), holders.first(third)?.get("name")]).toEqual([third, ["third"], "s"]);
  expect([names.first("first"), holders.first(first), names.size]).toEqual([undefined, undefined, 2]);
});
