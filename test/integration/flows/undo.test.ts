import { randomBytes } from "node:crypto";
import type { OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import * as fc from "fast-check";
import { APPLY_VARIABLE, confirmApply, type Connections, forgetApply, layDown, readRecord, undoApply } from "@pulumi-ovn/provider/targets";
import { restoreOn } from "@pulumi-ovn/provider/tools";
import { FACTS, undoneByHost } from "../../support/apply-record";
import { failure } from "../../support/failure";
import { FlowStack, Switches } from "../../support/switches";

const switches = Switches.of({ name: "undo", hosts: 1, workloads: [] });
const HOST = "node1";
const DATABASE = "Open_vSwitch";
const urn = (name: string) => `urn:pulumi:dev::net::pulumi-nodejs:dynamic/ovn:BridgeFlows::${name}`;
const flows = (bridge: string) => switches.flows(HOST, bridge);

let targets: Connections;
let client: OvsdbClient;
beforeAll(async () => {
  await switches.bridge(HOST, "br0", "p1", "p-2");
  await switches.bridge(HOST, "br1", "q1");
  await switches.on(HOST, "ovs-ofctl", "add-flow", "br0", "cookie=0xfff,table=9,priority=5,ip,actions=drop");
  targets = switches.targets();
  client = await targets.unguarded(HOST, DATABASE);
}, 60_000);
afterEach(() => void delete process.env[APPLY_VARIABLE]);

const undo = (id: string) => undoApply(client, DATABASE, id, restoreOn({ host: targets.host(HOST) }));
let count = 0;
/** Lays down an apply, to which the following updates belong. */
async function begin(): Promise<string> {
  const id = `apply-${++count}`;
  await layDown(client, DATABASE, id, FACTS);
  process.env[APPLY_VARIABLE] = id;
  return id;
}
const end = async (id: string) => {
  delete process.env[APPLY_VARIABLE];
  await forgetApply(client, DATABASE, id);
};
/** Lets the host itself undo an apply completely. */
async function undoByHost(id: string): Promise<void> {
  expect(await undoneByHost(targets.host(HOST), client, id)).toEqual([]);
  await end(id);
}
const both = async () => ({ br0: await flows("br0"), br1: await flows("br1") });

const actions = fc.constantFrom("drop", "output:p1", 'output:"p-2"', "NORMAL", "resubmit(,4)");
/** Flows with distinct positions; one of the forms returns in other words. */
const list = fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 2 }), fc.constantFrom("", "ip", "tcp,tcp_dst=80", 'in_port="p-2"'), actions), {
  maxLength: 5,
  selector: ([table, match]) => `${table} ${match}`,
});
const version = fc.option(
  list.map((all) =>
    all.map(
      ([table, match, act]) => `table=${table},priority=7,${match}${match && ","}actions=${act === "drop" ? act : `mod_dl_src:00:00:00:00:00:01,${act}`}`,
    ),
  ),
  { nil: undefined },
);

it("restores the flows after random changes, and leaves no record", async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(version, version, async (before, after) => {
      const stack = new FlowStack(switches, urn(`random${++run}`));
      const write = async (wanted: readonly string[] | undefined) => {
        if (wanted) await stack.up({ br0: wanted, ...(wanted.length > 2 && { br1: ["actions=q1"] }) });
        else if (stack.state) await stack.destroy();
      };
      await write(before);
      const [whole, state] = [await both(), stack.state];
      const id = await begin();
      await write(after);
      expect(await undo(id)).toEqual({ kept: [] });
      await end(id);
      expect(await both()).toEqual(whole);
      expect((await readRecord(client, DATABASE)) ?? "none").toBe("none");
      stack.state = state;
      await write(undefined);
    }),
    { numRuns: 6 },
  );
}, 120_000);

it("keeps flows that another writer changed since, and names them", async () => {
  const stack = new FlowStack(switches, urn("kept"));
  await stack.up({ br0: ["table=1,ip,actions=drop", "table=2,ip,actions=drop", "table=3,ip,actions=drop"] });
  const cookie = await stack.cookie();
  const id = await begin();
  await stack.up({ br0: ["table=1,ip,actions=p1", "table=2,ip,actions=p1", "table=4,ip,actions=p1"] });
  await switches.on(HOST, "ovs-ofctl", "-O", "OpenFlow13", "mod-flows", "br0", "table=1,ip,actions=NORMAL");
  expect(await undo(id)).toEqual({ kept: ["flow table=1, ip of bridge br0"] });
  expect((await readRecord(client, DATABASE))?.kept).toEqual(["flow table=1, ip of bridge br0"]);
  await end(id);
  expect((await flows("br0")).filter((flow) => flow.startsWith(`cookie=${cookie}, `))).toEqual([
    `cookie=${cookie}, table=1, ip actions=NORMAL`,
    `cookie=${cookie}, table=2, ip actions=drop`,
    `cookie=${cookie}, table=3, ip actions=drop`,
  ]);
  await stack.destroy();
}, 60_000);

it("refuses other updates while an apply is pending, and is undone by the host itself", async () => {
  const stack = new FlowStack(switches, urn("host"));
  await stack.up({ br0: ["table=1,ip,actions=drop"], br1: ["actions=q1"] });
  const whole = await both();
  const id = await begin();
  await stack.up({ br0: ["table=1,ip,actions=p1", "table=5,actions=drop"] });
  delete process.env[APPLY_VARIABLE];
  expect(await failure(stack.up({ br0: [] }))).toMatchObject({
    code: "OVN_APPLY_PENDING",
    message: expect.stringContaining(`apply ${id} is pending on this host; run "pulumi-ovn confirm ${id}" or "pulumi-ovn cancel ${id}" first`) as string,
  });
  await undoByHost(id);
  expect(await both()).toEqual(whole);
  const confirmed = await begin();
  await confirmApply(client, DATABASE, confirmed);
  expect(await undo(confirmed)).toBeUndefined();
}, 60_000);

it("undoes more than 100 kB of flows by the host itself", async () => {
  const stack = new FlowStack(switches, urn("large"));
  // Random addresses, which do not compress.
  const large = () => Array.from({ length: 2500 }, () => `ipv6,ipv6_dst=${randomBytes(16).toString("hex").match(/.{4}/g)!.join(":")},actions=drop`);
  await stack.up({ br1: large() });
  const whole = await both();
  const id = await begin();
  await stack.up({ br1: large() });
  expect((await readRecord(client, DATABASE))!.parts[0]!.value.length).toBeGreaterThan(100_000);
  await undoByHost(id);
  expect(await both()).toEqual(whole);
  await stack.destroy();
}, 120_000);

it("refuses writes of an update after its undo", async () => {
  const stack = new FlowStack(switches, urn("late"));
  await stack.up({ br0: ["priority=1,actions=drop"] });
  const before = await both();
  const id = await begin();
  await stack.up({ br0: ["priority=2,actions=drop"] });
  const refused: unknown[] = [];
  const undone = await undoApply(client, DATABASE, id, async (parts, isLast) => {
    refused.push(await failure(stack.up({ br0: ["priority=3,actions=drop"], br1: ["actions=drop"] })));
    return restoreOn({ host: targets.host(HOST) })(parts, isLast);
  });
  expect(undone).toEqual({ kept: [] });
  expect(refused).toEqual(refused.map(() => expect.objectContaining({ code: "OVN_APPLY_PENDING" }) as unknown));
  expect(await failure(confirmApply(client, DATABASE, id))).toMatchObject({ code: "OVN_APPLY_PENDING" });
  expect(await both()).toEqual(before);
  await end(id);
});
