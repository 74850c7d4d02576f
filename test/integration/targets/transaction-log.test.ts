import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Connections } from "@pulumi-ovn/provider/targets";
import { type Central, startCentral } from "@pulumi-ovn/sandbox";
import { disconnect, ownerOf, served } from "../../support/provider";

let central: Central;
let folder: string;
beforeAll(async () => {
  central = await startCentral({ northd: false });
  await central.run("ovn-nbctl", ["init"]);
  folder = mkdtempSync(join(tmpdir(), "log-"));
});
afterEach(async () => {
  delete process.env.PULUMI_OVN_LOG;
  jest.restoreAllMocks();
  await disconnect();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await central?.stop();
});

const zones = () => ({ node1: { northbound: central.northbound } });
const rows = (name: string, value: string, more: object = {}) => ({
  zone: "node1",
  entries: { [name]: { table: "Address_Set", columns: { name, external_ids: { note: value } } } },
  owner: ownerOf("NorthboundRows", name),
  ...more,
});

/** Makes a resource and removes it. */
async function made(args: Record<string, unknown>): Promise<void> {
  const provider = await served("NorthboundRows", zones());
  const { inputs } = await provider.check({}, args);
  const { id, outs } = await provider.create(inputs);
  await provider.delete(id, outs);
}

interface Line {
  readonly operations: readonly {
    readonly op: string;
    readonly table?: string;
    readonly row?: Record<string, unknown>;
    readonly columns?: readonly string[];
  }[];
  readonly results: readonly object[];
  readonly ms: number;
  readonly time: string;
}
const lines = (path: string) =>
  readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);

it("logs each transaction in one line: resource, target, operation, and result", async () => {
  const path = (process.env.PULUMI_OVN_LOG = join(folder, "open.jsonl"));
  await made(rows("open", "in the clear"));
  const [create] = lines(path);
  expect(create).toMatchObject({ zone: "node1", database: "OVN_Northbound", endpoint: central.northbound, resource: "open" });
  expect(create!.operations.find(({ op }) => op === "insert")).toMatchObject({ table: "Address_Set", row: { name: "open" } });
  expect(JSON.stringify(create!.operations)).toContain("in the clear");
  expect(create!.results).toHaveLength(create!.operations.length);
  expect([typeof create!.ms, new Date(create!.time).toISOString()]).toEqual(["number", create!.time]);
  expect(lines(path).some(({ operations }) => operations.some(({ op, table }) => op === "delete" && table === "Address_Set"))).toBe(true);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

it("logs no values of a resource that has or had a secret, nor of rows without a resource", async () => {
  const path = (process.env.PULUMI_OVN_LOG = join(folder, "secret.jsonl"));
  await made(rows("secret", "s3cret", { redact: ["entries"] }));
  const provider = await served("NorthboundRows", zones());
  const { inputs } = await provider.check({}, rows("had", "s3cret", { redact: ["entries"] }));
  const { id, outs } = await provider.create(inputs);
  const { inputs: news } = await provider.check(inputs, rows("had", "s3cret too"));
  const { outs: later = {} } = await provider.update(id, { ...outs }, news);
  await provider.delete(id, { ...later, redact: ["entries"] });
  await using closing = {
    connections: new Connections(zones() as never),
    [Symbol.asyncDispose]() {
      return this.connections.close();
    },
  };
  await (await closing.connections.get("node1", "OVN_Northbound")).select("Address_Set", { where: { name: "s3cret" } });
  expect(readFileSync(path, "utf8")).not.toContain("s3cret");
  expect(lines(path)[0]!.operations.find(({ op }) => op === "insert")).toEqual({
    op: "insert",
    table: "Address_Set",
    columns: expect.arrayContaining(["name", "external_ids"]) as string[],
  });
});

it("logs refused transactions, on standard error on request", async () => {
  process.env.PULUMI_OVN_LOG = "stderr";
  const said: string[] = [];
  jest.spyOn(process.stderr, "write").mockImplementation((text) => (said.push(String(text)), true));
  await central.run("ovn-nbctl", ["create", "Address_Set", "name=taken"]);
  await expect(made(rows("taken", "x"))).rejects.toThrow("OVN_NAME_TAKEN");
  expect(said.map((line) => JSON.parse(line) as { error?: { code: string } }).some(({ error }) => error?.code === "OVSDB_OPERATION")).toBe(true);
});

it("reports that the file can't be written, and writes to no database", async () => {
  process.env.PULUMI_OVN_LOG = join(folder, "nowhere", "log");
  await expect(made(rows("none", "x"))).rejects.toThrow(
    /^OVN_LOG: NorthboundRows "none" in zone "node1" .*: the file that PULUMI_OVN_LOG names can't be written: ENOENT/,
  );
  expect((await central.run("ovn-nbctl", ["--bare", "--columns=name", "find", "Address_Set", "name=none"])).stdout.trim()).toBe("");
});
