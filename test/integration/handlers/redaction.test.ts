import { type Central, startCentral } from "@pulumi-ovn/sandbox";
import { disconnect, ownerOf, served } from "../../support/provider";

let central: Central;
beforeAll(async () => {
  central = await startCentral({ northd: false });
});
afterAll(async () => {
  await disconnect();
  await central?.stop();
});

const nbctl = async (...args: string[]) => (await central.run("ovn-nbctl", args)).stdout.trim();
/** Another one for each row that is written. */
const versions = async (): Promise<unknown[]> => {
  const select = { op: "select", table: "Address_Set", where: [], columns: ["_uuid", "_version"] };
  const { stdout } = await central.run("ovsdb-client", ["query", central.northbound, JSON.stringify(["OVN_Northbound", select])]);
  return (JSON.parse(stdout) as [{ rows: { _uuid: [string, string] }[] }])[0].rows.sort((a, b) => (a._uuid[1] < b._uuid[1] ? -1 : 1));
};
const args = {
  zone: "node1",
  entries: {
    keys: { table: "Address_Set", columns: { name: "keys", external_ids: { psk: "hunter2-Zq8", team: "net" } } },
    open: { table: "Address_Set", columns: { name: "open", external_ids: { team: "net" } } },
  },
  owner: ownerOf("NorthboundRows", "sets"),
  redact: [["entries", "keys", "columns", "external_ids", "psk"]],
};

it("a refresh shows drift of open values and hides that of secret ones, also in the state", async () => {
  const provider = await served("NorthboundRows", { node1: { northbound: central.northbound } });
  const { inputs } = await provider.check({}, args);
  const rows = { "Address_Set keys": 'external_ids:psk="[secret]" external_ids:team=net', "Address_Set open": "external_ids:team=net" };
  expect((inputs as typeof args & { rows: object }).rows).toEqual(rows);
  const { id, outs = {} } = await provider.create(inputs);
  expect(await nbctl("get", "address_set", "keys", "external_ids:psk")).toBe("hunter2-Zq8");
  const read = async () => (await provider.read(id, outs as object)) as { props: Record<string, unknown>; inputs: Record<string, unknown> };
  expect((await read()).inputs.rows).toEqual(rows);

  await nbctl("set", "address_set", "open", "external_ids:team=others");
  await nbctl("set", "address_set", "keys", "external_ids:psk=leak-Zq7");
  const drifted = await read();
  expect(drifted.inputs.rows).toEqual({ "Address_Set keys": "[secret]", "Address_Set open": "external_ids:team=others" });
  expect(drifted.props.drift).toEqual({ "Address_Set keys": "[secret]", "Address_Set open": "external_ids:team=others instead of external_ids:team=net" });
  expect(JSON.stringify(drifted)).not.toContain("leak");

  await nbctl("destroy", "address_set", "open");
  expect((await read()).inputs.rows).toEqual({ "Address_Set keys": "[secret]" });
  await provider.delete(id, outs as object);
  expect(await nbctl("--bare", "--columns=name", "list", "address_set")).toBe("");
});

it("a value that is marked secret later is in the outputs by name after an update that writes nothing", async () => {
  const provider = await served("NorthboundRows", { node1: { northbound: central.northbound } });
  const { redact, ...open } = args;
  const { inputs } = await provider.check({}, open);
  const { id, outs: before } = await provider.create(inputs);
  expect(before).toHaveProperty("__arguments", expect.stringContaining("hunter2-Zq8"));
  const { inputs: news } = await provider.check(inputs as object, args);
  expect((news as { digest?: string }).digest).toBe((inputs as { digest?: string }).digest);
  expect((await provider.diff(id, before as object, news as object)).changes).toBe(true);

  const written = await versions();
  const { outs: after = {} } = await provider.update(id, before as object, news as object);
  expect([written.length, await versions()]).toEqual([2, written]);
  expect(after).toMatchObject({ entries: args.entries, redact });
  expect(after).not.toHaveProperty("__arguments");
  expect((await provider.diff(id, after as object, news as object)).changes).toBe(false);
  await provider.delete(id, after as object);
});
