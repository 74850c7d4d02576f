import { differenceOf, readPreview } from "@pulumi-ovn/cli/diff";
import { NO_COUNTS } from "@pulumi-ovn/cli/testing";
import { Connections } from "@pulumi-ovn/provider/targets";
import type { Properties } from "@pulumi-ovn/provider/tools";
import { type Central, startCentral } from "@pulumi-ovn/sandbox";
import { type Checked, Handled } from "../../support/handled";

let central: Central;
let connections: Connections;
const handler = new Handled("TransitRouter");
const urn = (name: string) => `urn:pulumi:dev::net::pulumi-nodejs:dynamic/ovn:TransitRouter::${name}`;

beforeAll(async () => {
  central = await startCentral({ northd: false });
  connections = new Connections({ node1: { northbound: central.northbound } });
});
afterAll(async () => {
  await connections?.close();
  await central?.stop();
});
beforeEach(async () => {
  await nbctl("ls-add", "l2", "--", "set", "logical_switch", "l2", "other_config:requested-tnl-key=5");
});
afterEach(async () => {
  for (const table of ["Logical_Router", "Logical_Switch"]) await nbctl("--all", "destroy", table);
});

async function nbctl(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await central.run("ovn-nbctl", ["--timeout=10", ...args]);
  if (code !== 0) throw new Error(stderr);
  return stdout.trim();
}

const router = ["lr-add", "tr", "--", "set", "logical_router", "tr", "options:requested-tnl-key=6", "options:theirs=1"];
const port = ["--", "lrp-add", "tr", "trtos-l2", "0a:58:cb:cb:00:99", "203.203.0.1/16", "--", "lrp-set-gateway-chassis", "trtos-l2", "node1", "1"];

function args(extra: Properties = {}): Properties {
  return {
    zone: "node1",
    owner: urn("mine"),
    name: "tr",
    tunnelKey: 6,
    switch: "l2",
    switchName: "l2",
    chassis: "node1",
    gateway: { addresses: ["203.203.0.1/16"] },
    adopt: true,
    ...extra,
  };
}

const check = async (news: Properties, olds: Properties = {}): Promise<Checked> => handler.check(olds, news, connections);

/** A preview's step that makes the resource. */
const creation = (inputs: Properties) => ({ op: "create", urn: urn("mine"), newState: { type: "pulumi-nodejs:dynamic/ovn:TransitRouter", inputs } });

async function dump(): Promise<string> {
  return (await central.run("ovsdb-client", ["dump", central.northbound, "OVN_Northbound"])).stdout;
}

describe("adopt", () => {
  it("shows the changes, then adopts the rows with their UUIDs", async () => {
    await nbctl(...router, ...port);
    const before = await dump();
    const { inputs, failures } = await check(args());
    expect(failures).toEqual([]);
    expect(await dump()).toBe(before);
    expect(inputs.adoption).toEqual({
      adopted: { "Logical_Router tr": "as it is", "Gateway_Chassis trtos-l2-node1": "as it is" },
      changed: { "Logical_Router_Port trtos-l2": { before: "mac=0a:58:cb:cb:00:99", after: "mac=0a:58:cb:cb:00:01 options:requested-tnl-key=1" } },
      added: { "Logical_Switch_Port stotr-l2": "made" },
    });
    const [resource] = differenceOf(readPreview(JSON.stringify({ steps: [creation(inputs)] }), "it")).zones[0]!.resources;
    expect(resource!.counts).toEqual({ ...NO_COUNTS, added: 1, adopted: 2, changed: 1 });
    const uuids = [await nbctl("get", "logical_router", "tr", "_uuid"), await nbctl("get", "logical_router_port", "trtos-l2", "_uuid")];
    expect(inputs.uuid).toBe(uuids[0]);
    const { id, outs } = await handler.create(inputs, connections);
    expect(id).toBe(uuids[0]);
    expect([await nbctl("get", "logical_router", "tr", "_uuid"), await nbctl("get", "logical_router_port", "trtos-l2", "_uuid")]).toEqual(uuids);
    expect(await nbctl("get", "logical_router_port", "trtos-l2", "mac")).toBe('"0a:58:cb:cb:00:01"');
    expect(await nbctl("get", "logical_router", "tr", "options")).toBe('{requested-tnl-key="6", theirs="1"}');

    const again = await check(args(), inputs);
    expect(again.inputs.uuid).toBe(uuids[0]);
    expect(again.inputs.adoption).toBeUndefined();
    expect(handler.diff(outs, again.inputs)).toEqual({ changes: false, replaces: [], deleteBeforeReplace: false });
    expect((await handler.read(outs, connections))!.props).toEqual(outs);
    const changed = await check(args({ tunnelKey: 8 }), inputs);
    const updated = await handler.update(outs, changed.inputs, connections);
    expect(await nbctl("get", "logical_router", "tr", "_uuid", "options:requested-tnl-key")).toBe(`${uuids[0]}\n"8"`);
    await handler.delete(updated.outs, connections);
    expect(await nbctl("show")).toMatch(/^switch \S+ \(l2\)$/);
  });

  it("hides the database's values if an argument is secret", async () => {
    await nbctl(...router, ...port);
    const { inputs, failures } = await check(args({ redact: ["gateway"] }));
    expect(failures).toEqual([]);
    expect(inputs.adoption).toEqual({ hidden: "the arguments hold a secret" });
  });

  it("refuses a router that does not exist", async () => {
    expect((await check(args())).failures).toEqual([
      { path: "adopt", code: "OVN_NOT_FOUND", message: 'there is no Logical_Router tr to adopt; leave out "adopt" to create it' },
    ]);
  });

  it("refuses rows of a manager that is not named", async () => {
    await nbctl(...router, "external_ids:k8s.ovn.org/network=blue");
    expect((await check(args())).failures).toEqual([
      {
        path: "adopt",
        code: "OVN_FOREIGN_ROW",
        message: 'Logical_Router tr belongs to k8s.ovn.org/network=blue; to take it over, name that owner: adopt: { owners: ["k8s.ovn.org/network=blue"] }',
      },
    ]);
    for (const owner of ["k8s.ovn.org/network=blue", "k8s.ovn.org/network", "k8s.ovn.org"]) {
      expect((await check(args({ adopt: { owners: [owner] } }))).failures).toEqual([]);
    }
    expect((await check(args({ adopt: { owners: ["k8s.ovn"] } }))).failures).toHaveLength(1);
  });

  it("refuses a row that another stack owns, or takes at the same moment", async () => {
    await nbctl(...router);
    const mine = (await check(args())).inputs;
    const theirs = (await check(args({ owner: urn("theirs") }))).inputs;
    const results = await Promise.allSettled([handler.create(mine, connections), handler.create(theirs, connections)]);
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const rejected = results.find((result) => result.status === "rejected")!;
    expect(rejected.reason).toMatchObject({ code: "OVN_FOREIGN_ROW" });
    expect((await check(args({ owner: urn("third") }))).failures).toMatchObject([{ path: "adopt", code: "OVN_FOREIGN_ROW" }]);
    const owner = (await nbctl("get", "logical_router", "tr", 'external_ids:"pulumi-ovn:owner"')).replaceAll('"', "");
    const taken = await check(args({ owner: urn("third"), adopt: { owners: [owner] } }));
    expect(taken.failures).toEqual([]);
    await handler.create(taken.inputs, connections);
    expect(await nbctl("get", "logical_router", "tr", 'external_ids:"pulumi-ovn:owner"')).toBe(`"${urn("third")}"`);
  });

  it("refuses two routers with one name, and an invalid argument", async () => {
    await nbctl(...router);
    await nbctl("--add-duplicate", "lr-add", "tr");
    expect((await check(args())).failures).toMatchObject([
      { path: "adopt", code: "OVN_AMBIGUOUS", message: expect.stringMatching(/^Logical_Router tr could be any of 2 rows/) },
    ]);
    expect((await check(args({ adopt: "yes" }))).failures).toMatchObject([{ path: "adopt" }]);
  });

  it("reports the reason if the database does not answer", async () => {
    const elsewhere = new Connections({ node1: { northbound: "unix:/nowhere.sock" } });
    const { failures } = await handler.check({}, args(), elsewhere);
    expect(failures).toMatchObject([{ path: "adopt", code: "OVSDB_CONNECTION", message: expect.stringContaining("unix:/nowhere.sock") }]);
    await elsewhere.close();
  });
});
