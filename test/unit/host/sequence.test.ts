import { OperationError, type Operation, type OvsdbClient, parseSchema } from "@pulumi-ovn/ovsdb-client";
import type { RowSet } from "@pulumi-ovn/provider";
import { OWNER_KEY } from "@pulumi-ovn/provider/rows";
import { appliedTo, keepUpdate, nextUpdate } from "@pulumi-ovn/provider/testing";

const host = (sequence: number, succeeds = "") => ({ sequence, succeeds, bridges: new Map() });

test.each([
  ["nothing is there, and nothing is known", host(0), undefined, { sequence: 1, succeeds: "" }],
  ["the state is lost", host(4, "r3"), undefined, { sequence: 5, succeeds: "" }],
  ["the host has what the state knows", host(4, "r3"), { sequence: 4, revision: "r4" }, { sequence: 5, succeeds: "r4" }],
  ["the bridges were made again", host(0), { sequence: 4, revision: "r4" }, { sequence: 5, succeeds: "r4" }],
  ["bridges of an older one came back", host(2, "r1"), { sequence: 4, revision: "r4" }, { sequence: 5, succeeds: "r4" }],
  ["a release without numbers wrote it", host(0), { revision: "r" }, { sequence: 1, succeeds: "r" }],
] as const)("%s: an update like any other", (_case, applied, state, next) => {
  expect(nextUpdate(applied, state)).toEqual({ ...next, warnings: [] });
});

test("an update of the host that began from this state is overwritten, with a warning", () => {
  const { warnings, ...next } = nextUpdate(host(7, "r4"), { sequence: 4, revision: "r4" });
  expect(next).toEqual({ sequence: 8, succeeds: "r4" });
  expect(warnings).toEqual([
    {
      path: "",
      code: "OVN_WARN_SEQUENCE",
      message: expect.stringMatching(/^the host has update 7 of this resource, the state knows of 4: .*; update 8 is written over it$/),
    },
  ]);
});

test.each([
  ["an update that began from another state", host(5, "r9"), { sequence: 4, revision: "r4" }, "5 of this resource, the state knows of 4"],
  ["numbers, and the state is one of a release without", host(3, "r2"), { revision: "r1" }, "3 of this resource, the state knows of 0"],
  ["a create whose state was saved", host(2, ""), { sequence: 1, revision: "r1" }, "2 of this resource, the state knows of 1"],
] as const)("the host has %s: refused", (_case, applied, state, text) => {
  expect(() => nextUpdate(applied, state)).toThrow(
    expect.objectContaining({ code: "OVN_SEQUENCE", message: expect.stringContaining(`the host has update ${text}: `) as string }),
  );
});

describe("numbers on a host's bridges", () => {
  const text = { key: "string", value: "string", min: 0, max: "unlimited" };
  const schema = parseSchema({
    name: "Open_vSwitch",
    version: "8.0.0",
    tables: { Bridge: { columns: { name: { type: "string" }, external_ids: { type: text } } } },
  });
  const URN = "urn:pulumi:dev::net::ovn:Kind::mine";
  let sent: (readonly Operation[])[] = [];
  beforeEach(() => void (sent = []));
  const client = (answer: unknown) =>
    ({
      getSchema: () => Promise.resolve(schema),
      transact: (operations: readonly Operation[]) => (sent.push(operations), answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)),
    }) as unknown as OvsdbClient;
  const bridge = (name: string, ids: Record<string, string>) => ({
    name,
    external_ids: ["map", Object.entries({ [OWNER_KEY]: URN, ...ids })],
  });
  const numbered = (sequence: string, succeeds?: string) => ({
    "pulumi-ovn:sequence": sequence,
    ...(succeeds !== undefined && { "pulumi-ovn:succeeds": succeeds }),
  });

  test("the highest number counts; a bridge with none, or with other text, has none", async () => {
    const rows = [
      bridge("a", numbered("3", "r2")),
      bridge("b", numbered("10", "r9")),
      bridge("c", numbered("4")),
      bridge("d", {}),
      bridge("e", numbered("x", "r")),
    ];
    const applied = await appliedTo(client([{ rows }]), URN);
    expect(applied).toEqual({
      sequence: 10,
      succeeds: "r9",
      bridges: new Map([
        ["a", 3],
        ["b", 10],
        ["c", 4],
      ]),
    });
    expect(await appliedTo(client([{ rows: [bridge("a", numbered("3"))] }]), URN)).toMatchObject({ sequence: 3, succeeds: "" });
    expect(await appliedTo(client([{ rows: [] }]), URN)).toEqual({ sequence: 0, succeeds: "", bridges: new Map() });
  });

  const rows: RowSet = { database: "Open_vSwitch", rows: ["Bridge", "Port"].map((table) => ({ table, key: "x", columns: { name: "x" } })) };
  const next = { sequence: 4, succeeds: "r3", warnings: [] };

  test("are written only on bridges, guarded by the read numbers", async () => {
    await keepUpdate(client([]), URN, rows, { sequence: 3, succeeds: "r2", bridges: new Map([["x", 3]]) }, next);
    await keepUpdate(client([]), URN, rows, host(0), next);
    expect(sent.map((operations) => operations.map((operation) => [operation.op, "table" in operation && operation.table]))).toEqual([
      [
        ["wait", "Bridge"],
        ["mutate", "Bridge"],
      ],
      [["mutate", "Bridge"]],
    ]);
    expect(sent[0]![0]).toMatchObject({
      where: [
        ["name", "==", "x"],
        ["external_ids", "includes", ["map", [["pulumi-ovn:sequence", "3"]]]],
      ],
    });
  });

  test("of another run fail the guard, and other errors are unchanged", async () => {
    const failed = (error: string) => new OperationError({ error, details: "", operationIndex: 0, operation: undefined, results: [] });
    const keep = (error: Error) => keepUpdate(client(error), URN, rows, host(0), next);
    await expect(keep(failed("timed out"))).rejects.toMatchObject({ code: "OVN_SEQUENCE" });
    await expect(keep(failed("not supported"))).rejects.toMatchObject({ error: "not supported" });
    await expect(keep(Object.assign(new Error("lost"), { error: "timed out" }))).rejects.toThrow("lost");
  });
});
