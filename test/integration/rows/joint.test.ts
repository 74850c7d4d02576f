import { connect, type OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { kinds, type RemoteChassisArgs, type RowSet } from "@pulumi-ovn/provider";
import { ensureRows, readRows, removeOwned, removeRows, type Target } from "@pulumi-ovn/provider/rows";
import { findAdoptable } from "@pulumi-ovn/provider/testing";
import { type Central, startCentral } from "@pulumi-ovn/sandbox";

const urn = (name: string, kind = "RemoteChassis", stack = "dev") =>
  `urn:pulumi:${stack}::net::ovn:network:Layer2Network$pulumi-nodejs:dynamic/ovn:${kind}::${name}`;
const [blue, green, red] = [urn("blue"), urn("green"), urn("red", "RemoteChassis", "other")];
const EXTENT = { tables: ["Chassis", "Encap"], joint: { tables: ["Chassis"], parts: ["Encap"] } };

let central: Central;
let client: OvsdbClient;
beforeAll(async () => {
  central = await startCentral({ northd: false });
  client = await connect(central.southbound, { database: "OVN_Southbound" });
});
afterEach(() => client.transact([{ op: "delete", table: "Chassis", where: [] }]));
afterAll(async () => {
  await client?.close();
  await central?.stop();
});

const target = (owner: string, more: Partial<Target> = {}): Target => ({ client, owner, ...more });
type Chassis = Record<string, string | string[] | RemoteChassisArgs["chassis"][string]>;

function tunnels(chassis: Chassis): RowSet {
  const entries = Object.entries(chassis).map(([name, given]) => [
    name,
    typeof given === "string" ? { addresses: [given] } : Array.isArray(given) ? { addresses: given } : given,
  ]);
  return kinds.RemoteChassis.render(kinds.RemoteChassis.schema.parse({ zone: "a", chassis: Object.fromEntries(entries) })).set;
}

const two = tunnels({ h1: "198.18.0.1", h2: "198.18.0.2" });

/** Every chassis: `name hostname tunnels users`, the first user first. */
async function chassis(): Promise<string[]> {
  const sbctl = async (...args: string[]) => (JSON.parse((await central.run("ovn-sbctl", ["--format=json", ...args])).stdout) as { data: never[][] }).data;
  const encaps = new Map((await sbctl("--columns=_uuid,type,ip", "list", "Encap")).map(([uuid, type, ip]) => [uuid![1], `${type} ${ip}`]));
  const rows = (await sbctl("--columns=name,hostname,encaps,external_ids", "list", "Chassis")) as unknown as [
    string,
    string,
    [string, unknown],
    [string, [string, string][]],
  ][];
  return rows
    .map(([name, hostname, [kind, list], [, ids]]) => {
      const own = (kind === "uuid" ? [list as string] : (list as [string, string][]).map(([, uuid]) => uuid)).map((uuid) => encaps.get(uuid as never));
      const users = ids
        .filter(([key]) => key.startsWith("pulumi-ovn:"))
        .sort()
        .map(([, user]) => user.split("::").at(-1));
      return [name, hostname, own.sort().join("+"), users.join(",")].join(" ");
    })
    .sort();
}

/** `_version` of all rows, by UUID. */
async function versions(): Promise<Record<string, string>> {
  const results = await client.transact(["Chassis", "Encap"].map((table) => ({ op: "select", table, where: [], columns: ["_uuid", "_version"] }) as const));
  return Object.fromEntries(
    results.flatMap(({ rows = [] }) => rows.map((row) => [row._uuid, row._version].map((value) => (value as [string, string])[1]) as [string, string])),
  );
}

const uuids = async () => Object.keys(await versions()).sort();
const drift = async (owner: string, set = two) => (await readRows(target(owner), set))?.drift;

describe("rows that several resources share", () => {
  it("are created by the first resource, marked by others, and deleted with the last", async () => {
    await ensureRows(target(blue), two);
    const made = await uuids();
    expect(await chassis()).toEqual(["h1 h1 geneve 198.18.0.1 blue", "h2 h2 geneve 198.18.0.2 blue"]);
    await ensureRows(target(green), two);
    await ensureRows(target(red), tunnels({ h2: "198.18.0.2" }));
    expect(await chassis()).toEqual(["h1 h1 geneve 198.18.0.1 blue,green", expect.stringMatching(/^h2 h2 geneve 198\.18\.0\.2 blue,(green,red|red,green)$/)]);
    expect(await uuids()).toEqual(made);
    expect([await drift(blue), await drift(green), await drift(red, tunnels({ h2: "198.18.0.2" }))]).toEqual([{}, {}, {}]);

    await removeRows(target(blue), two);
    expect(await chassis()).toEqual(["h1 h1 geneve 198.18.0.1 green", expect.stringMatching(/^h2 h2 geneve 198\.18\.0\.2 (green,red|red,green)$/)]);
    expect(await uuids()).toEqual(made);
    expect([await drift(green), await drift(red, tunnels({ h2: "198.18.0.2" }))]).toEqual([{}, {}]);
    await removeRows(target(green), two);
    expect(await chassis()).toEqual(["h2 h2 geneve 198.18.0.2 red"]);
    await removeRows(target(red), tunnels({ h2: "198.18.0.2" }));
    expect(await uuids()).toEqual([]);
  });

  it("are written once: a repeated write changes nothing", async () => {
    await ensureRows(target(blue), two);
    await ensureRows(target(green), two);
    const before = await versions();
    for (const owner of [blue, green]) {
      await ensureRows(target(owner), two);
      await ensureRows(target(owner), two, { previous: two });
      await ensureRows(target(owner), two, { previous: two, assume: "unchanged" });
    }
    expect(await versions()).toEqual(before);
  });

  it("are the same rows for simultaneous writers, and deleted when all leave at the same time", async () => {
    const owners = Array.from({ length: 8 }, (_, index) => urn(`net${index}`));
    await Promise.all(owners.map((owner) => ensureRows(target(owner), two)));
    expect((await chassis()).map((line) => line.split(" ").at(-1)!.split(",").length)).toEqual([8, 8]);
    for (const owner of owners) expect(await drift(owner)).toEqual({});
    await Promise.all(owners.map((owner) => removeRows(target(owner), two)));
    expect(await uuids()).toEqual([]);
  });

  it("are shared again by a resource that has left and returns", async () => {
    await ensureRows(target(blue), two);
    await ensureRows(target(green), two);
    await removeRows(target(blue), two);
    await ensureRows(target(blue), two);
    expect(await chassis()).toEqual(["h1 h1 geneve 198.18.0.1 green,blue", "h2 h2 geneve 198.18.0.2 green,blue"]);
    expect([await drift(blue), await drift(green)]).toEqual([{}, {}]);
  });

  it("lose a row for one resource only, if it no longer has it", async () => {
    await ensureRows(target(blue), two);
    await ensureRows(target(green), two);
    await ensureRows(target(blue), tunnels({ h1: "198.18.0.1" }), { previous: two, assume: "unchanged" });
    expect(await chassis()).toEqual(["h1 h1 geneve 198.18.0.1 blue,green", "h2 h2 geneve 198.18.0.2 green"]);
    await ensureRows(target(green), tunnels({ h1: "198.18.0.1" }), { previous: two, assume: "unchanged" });
    expect(await chassis()).toEqual(["h1 h1 geneve 198.18.0.1 blue,green"]);
  });

  it.each([[[blue, green]], [[green, blue]]])("change for all when the resources change them one after the other", async (order) => {
    await ensureRows(target(blue), two);
    await ensureRows(target(green), two);
    const made = await uuids();
    const moved = tunnels({ h1: "198.18.0.9", h2: "198.18.0.2" });
    for (const owner of order) await ensureRows(target(owner), moved, { previous: two, assume: "unchanged" });
    expect(await chassis()).toEqual(["h1 h1 geneve 198.18.0.9 blue,green", "h2 h2 geneve 198.18.0.2 blue,green"]);
    expect(await uuids()).toEqual(made);
    expect([await drift(blue, moved), await drift(green, moved)]).toEqual([{}, {}]);
    expect(await drift(red, two)).toEqual({
      "Chassis h1": "the owner's mark is missing",
      "Chassis h2": "the owner's mark is missing",
      "Encap h1 geneve": "ip=198.18.0.9 instead of ip=198.18.0.1",
    });
  });

  it("keep, change and lose tunnels separately", async () => {
    const steps = [
      ["198.18.0.1"],
      ["198.18.0.1", "198.18.1.1"],
      ["198.18.1.1"],
      ["198.18.2.1", "198.18.1.1"],
      ["198.18.3.1", "198.18.4.1"],
      ["198.18.1.1", "198.18.3.1", "198.18.4.1"],
      ["198.18.5.1"],
    ];
    await ensureRows(target(blue), tunnels({ h1: steps[0]! }));
    await ensureRows(target(green), tunnels({ h1: steps[0]! }));
    for (const [index, addresses] of steps.entries()) {
      if (index === 0) continue;
      for (const owner of [blue, green])
        await ensureRows(target(owner), tunnels({ h1: addresses }), { previous: tunnels({ h1: steps[index - 1]! }), assume: "unchanged" });
      expect(await chassis()).toEqual([
        `h1 h1 ${addresses
          .map((ip) => `geneve ${ip}`)
          .sort()
          .join("+")} blue,green`,
      ]);
      expect((await uuids()).length).toBe(1 + addresses.length);
      expect([await drift(blue, tunnels({ h1: addresses })), await drift(green, tunnels({ h1: addresses }))]).toEqual([{}, {}]);
    }
  });

  it("keep the hostname of the first resource", async () => {
    const named = (hostname: string) => tunnels({ h1: { addresses: ["198.18.0.1"], hostname } });
    await ensureRows(target(blue), named("first"));
    await ensureRows(target(green), named("second"));
    expect(await chassis()).toEqual(["h1 first geneve 198.18.0.1 blue,green"]);
    expect(await drift(green, named("second"))).toEqual({});
    await removeRows(target(blue), named("first"));
    expect(await drift(green, named("second"))).toEqual({ "Chassis h1": "hostname=first instead of hostname=second" });
    await ensureRows(target(green), named("second"));
    expect(await chassis()).toEqual(["h1 second geneve 198.18.0.1 green"]);
  });

  it("are repaired by any resource, with its own mark", async () => {
    await ensureRows(target(blue), two);
    await ensureRows(target(green), two);
    await client.transact([
      { op: "delete", table: "Chassis", where: [["name", "==", "h1"]] },
      { op: "mutate", table: "Encap", where: [["ip", "==", "198.18.0.2"]], mutations: [["options", "delete", ["set", ["csum"]]]] },
    ]);
    expect(await drift(green)).toEqual({ "Chassis h1": "missing", "Encap h1 geneve": "missing", "Encap h2 geneve": "nothing instead of options:csum=true" });
    await ensureRows(target(green), two);
    expect(await chassis()).toEqual(["h1 h1 geneve 198.18.0.1 green", "h2 h2 geneve 198.18.0.2 blue,green"]);
    expect([await drift(blue), await drift(green)]).toEqual([{ "Chassis h1": "the owner's mark is missing" }, {}]);
    await ensureRows(target(blue), two);
    expect(await drift(blue)).toEqual({});
  });
});

describe("refuses", () => {
  it("a resource with differing values, of which nothing is written", async () => {
    await ensureRows(target(blue), two);
    const before = await versions();
    const other = tunnels({ h1: "198.18.0.9", h2: "198.18.0.2", h3: "198.18.0.3" });
    await expect(ensureRows(target(red), other)).rejects.toMatchObject({
      code: "OVN_SHARED",
      message: `Chassis h1 is shared with ${blue}, which has other values (Encap h1 geneve: ip=198.18.0.1 instead of ip=198.18.0.9); all resources that share a row must give it the same values`,
    });
    await expect(ensureRows(target(red), tunnels({ h1: { addresses: ["198.18.0.1"], encapsulation: "vxlan" } }))).rejects.toMatchObject({ code: "OVN_SHARED" });
    await expect(ensureRows(target(red), tunnels({ h1: ["198.18.0.1", "198.18.1.1"] }))).rejects.toMatchObject({ code: "OVN_SHARED" });
    expect(await versions()).toEqual(before);
  });

  it.each([
    ["another manager's", { "k8s.ovn.org/zone": "x" }, "of k8s.ovn.org/zone=x"],
    ["nobody's", {}, "without an owner mark"],
    ["another kind's", { "pulumi-ovn:owner": urn("rows", "SouthboundRows") }, `of ${urn("rows", "SouthboundRows")}`],
  ])("a chassis that is %s", async (_whose, ids, holder) => {
    const encap = { op: "insert", table: "Encap", row: { type: "geneve", ip: "198.18.0.1", chassis_name: "h1" }, "uuid-name": "encap" } as const;
    await client.transact([
      encap,
      { op: "insert", table: "Chassis", row: { name: "h1", encaps: ["named-uuid", "encap"], external_ids: ["map", Object.entries(ids)] } },
    ]);
    await expect(ensureRows(target(blue), two)).rejects.toMatchObject({ code: "OVN_NAME_TAKEN", message: expect.stringContaining(holder) as string });
    expect(await readRows(target(blue), two)).toBeUndefined();
    await removeRows(target(blue), two);
    expect(await uuids()).toHaveLength(2);
  });

  it("a tunnel address of another chassis", async () => {
    await ensureRows(target(blue), two);
    await expect(ensureRows(target(green), tunnels({ h3: "198.18.0.2" }))).rejects.toMatchObject({ code: "OVN_NAME_TAKEN" });
    expect((await chassis()).map((line) => line.split(" ")[0])).toEqual(["h1", "h2"]);
  });
});

describe("without the earlier version", () => {
  it("removes rows that this resource no longer desires", async () => {
    await ensureRows(target(blue), two);
    await ensureRows(target(green), two);
    await ensureRows(target(green), tunnels({ h3: "198.18.0.3" }), { extent: EXTENT });
    expect(await chassis()).toEqual(["h1 h1 geneve 198.18.0.1 blue", "h2 h2 geneve 198.18.0.2 blue", "h3 h3 geneve 198.18.0.3 green"]);
    expect((await readRows(target(blue), tunnels({ h1: "198.18.0.1" }), EXTENT))?.drift).toEqual({ "Chassis h2": "surplus" });
    await removeOwned(target(blue), EXTENT);
    expect(await chassis()).toEqual(["h3 h3 geneve 198.18.0.3 green"]);
    await removeOwned(target(green), EXTENT);
    expect(await uuids()).toEqual([]);
  });
});

describe("next to foreign chassis", () => {
  const other = {
    op: "insert",
    table: "Chassis",
    uuid: "11111111-1111-4111-8111-111111111111",
    row: { name: "other", hostname: "other", encaps: ["named-uuid", "tunnel"] },
  } as const;
  const tunnel = { op: "insert", table: "Encap", "uuid-name": "tunnel", row: { type: "geneve", ip: "198.18.9.9", chassis_name: "other" } } as const;
  const numbered = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`h${index}`, `198.18.1.${index}`]));

  it.each([
    [20, "one by one", 40],
    [21, "by the whole table", 2],
    [150, "by the whole table", 2],
  ])("%i are found %s", async (count, _how, most) => {
    await client.transact([tunnel, other]);
    const many = tunnels(numbered(count));
    await ensureRows(target(blue), many);
    await ensureRows(target(green), many);
    const asked = jest.spyOn(client, "transact");
    expect(await drift(green, many)).toEqual({});
    expect(asked.mock.calls.flatMap(([operations]) => operations)).toHaveLength(most);
    asked.mockRestore();

    await client.transact([{ op: "update", table: "Encap", where: [["ip", "==", "198.18.1.7"]], row: { ip: "198.18.1.250" } }]);
    expect(Object.values((await drift(green, many))!)).toEqual(["ip=198.18.1.250 instead of ip=198.18.1.7"]);
    await ensureRows(target(green), many);
    await removeRows(target(blue), many);
    expect(await chassis()).toHaveLength(count + 1);
    expect(await drift(green, many)).toEqual({});
    await removeRows(target(green), many);
    expect(await chassis()).toEqual(["other other geneve 198.18.9.9 "]);
  });
});

it("does not adopt rows that it would share", async () => {
  await ensureRows(target(blue), two);
  const { adopted, outlook } = await findAdoptable(target(green), tunnels({ h1: "198.18.0.1", h3: "198.18.0.3" }), undefined, []);
  expect(Object.keys(adopted)).not.toContain("Chassis h1");
  expect(outlook).toMatchObject({ shared: { "Chassis h1": "with its owners" }, added: { "Chassis h3": "made" } });
});
