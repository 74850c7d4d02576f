import { type Layer2NetworkArgs, planLayer2Network } from "@pulumi-ovn/provider";
import { Connections } from "@pulumi-ovn/provider/targets";
import { handlers, MemberLists, type Properties } from "@pulumi-ovn/provider/tools";
import { type Central, startCentral } from "@pulumi-ovn/sandbox";
import { blue } from "../../support/network";

const KINDS = {
  RemoteChassis: ["chassis", "remoteChassis"],
  Layer2Switch: [undefined, "switch"],
  GatewayRouter: [undefined, "gatewayRouter"],
  Layer2Gateway: ["nodes", "gateway"],
  WorkloadPorts: ["workloads", "workloads"],
} as const;
type Kind = keyof typeof KINDS;

let central: Central;
let targets: Connections;
beforeAll(async () => {
  central = await startCentral({ northd: false });
  targets = new Connections({ node1: { northbound: central.northbound, southbound: central.southbound } });
});
afterAll(async () => {
  await targets?.close();
  await central?.stop();
});

const urnOf = (kind: string, name = "it") => `urn:pulumi:dev::net::ovn:network:Layer2Network$pulumi-nodejs:dynamic/ovn:${kind}::${name}`;
const request = (kind: string, members: MemberLists | undefined) => ({ urn: urnOf(kind), secrets: [], targets, ...(members && { members }) });

/** The checked inputs of node1's resources, and a process that knows the lists. */
async function zoneOf(args: Layer2NetworkArgs): Promise<{ inputs: Record<Kind, Properties>; members: MemberLists }> {
  const plan = planLayer2Network({ ...args, tunnelKeys: [16715779, 16715780] });
  const members = new MemberLists();
  const { inputs: lists } = await handlers.NetworkMembers!.check({
    ...request("NetworkMembers", members),
    urn: urnOf("NetworkMembers", "blue-members"),
    olds: {},
    news: { ...plan.members },
  });
  const checked = Object.entries(KINDS).map(async ([kind, [list, part]]) => {
    const news = { ...plan.zones.node1![part], ...(list && { members: (lists.lists as Properties)[list] }) };
    const { inputs, diagnostics } = await handlers[kind]!.check({ ...request(kind, members), olds: {}, news });
    expect(diagnostics).toEqual([]);
    return [kind, inputs] as const;
  });
  return { inputs: Object.fromEntries(await Promise.all(checked)) as Record<Kind, Properties>, members };
}

const ctl = async (tool: "ovn-nbctl" | "ovn-sbctl", ...args: string[]) => (await central.run(tool, args)).stdout.split("\n").filter(Boolean).sort();
const names = (table: string) => ctl("ovn-nbctl", "--bare", "--columns=name", "list", table);
const chassis = () => ctl("ovn-sbctl", "--bare", "--columns=name", "list", "Chassis");
const LISTED = ["RemoteChassis", "Layer2Gateway", "WorkloadPorts"] as const;
const create = async ({ inputs, members }: Awaited<ReturnType<typeof zoneOf>>) => {
  const outs = {} as Record<Kind, Properties>;
  for (const kind of Object.keys(KINDS) as Kind[]) ({ outs: outs[kind] } = await handlers[kind]!.create({ ...request(kind, members), news: inputs[kind] }));
  return outs;
};

const whole = blue();
const without = blue(["node1", "node3"]);

it("writes a zone's part of the lists, and reads it in a new process without the lists", async () => {
  const first = await zoneOf(whole);
  const olds = await create(first);
  expect(await names("Logical_Switch_Port")).toEqual(["br-ex_blue_node1", "etor-GR_blue_node1", "stotr-blue_ovn_layer2_switch", "vm1", "vm2", "vm3"]);
  expect(await chassis()).toEqual(["node2", "node3"]);
  for (const kind of LISTED) expect(JSON.stringify(olds[kind])).not.toContain("node3");

  // A read waits for the list, which another read of the same operation gives.
  const arriving = new MemberLists(60_000);
  const reads = LISTED.map((kind) => handlers[kind]!.read({ ...request(kind, arriving), id: "id", olds: olds[kind] }));
  for (const kind of LISTED) arriving.remember(olds[kind].members, first.members.find(olds[kind].members), true);
  for (const [index, read] of (await Promise.all(reads)).entries())
    expect([read!.inputs!.digest, read!.inputs!.rows, read!.props.drift]).toEqual([olds[LISTED[index]!].digest, first.inputs[LISTED[index]!].rows, undefined]);
  // Without it, no deletion is reported.
  for (const members of [new MemberLists(1), undefined]) {
    await expect(handlers.WorkloadPorts!.read({ ...request("WorkloadPorts", members), id: "id", olds: olds.WorkloadPorts })).rejects.toMatchObject({
      code: "OVN_MEMBERS",
      message: expect.stringContaining(`add --target '${urnOf("NetworkMembers", "blue-members")}'`),
    });
  }

  // A zone that was away during two changes is compared with the lists of today: the difference is drift.
  const second = await zoneOf(without);
  const { props, inputs } = (await handlers.WorkloadPorts!.read({ ...request("WorkloadPorts", second.members), id: "id", olds: olds.WorkloadPorts }))!;
  expect([Object.keys(props.drift as object), props.members, inputs!.digest === second.inputs.WorkloadPorts.digest]).toEqual([
    ["Logical_Switch_Port vm2"],
    olds.WorkloadPorts.members,
    false,
  ]);

  // An update that has only the new lists, as after two interrupted ones.
  for (const kind of LISTED)
    ({ outs: olds[kind] } = await handlers[kind]!.update({ ...request(kind, second.members), id: "id", olds: olds[kind], news: second.inputs[kind] }));
  expect(await names("Logical_Switch_Port")).toEqual(["br-ex_blue_node1", "etor-GR_blue_node1", "stotr-blue_ovn_layer2_switch", "vm1", "vm3"]);
  expect(await names("Logical_Router_Port")).toEqual([
    "rtoe-GR_blue_node1",
    "rtotr-GR_blue_node1",
    "trtor-GR_blue_node1",
    "trtor-GR_blue_node3",
    "trtos-blue_ovn_layer2_switch",
  ]);
  expect(await ctl("ovn-nbctl", "--bare", "--columns=logical_port", "list", "Static_MAC_Binding")).toEqual(["trtor-GR_blue_node3", "trtor-GR_blue_node3"]);
  expect(await chassis()).toEqual(["node3"]);

  // A delete that knows nothing.
  for (const kind of (Object.keys(KINDS) as Kind[]).reverse())
    await handlers[kind]!.delete({ ...request(kind, new MemberLists()), id: "id", olds: olds[kind] });
  for (const table of ["Logical_Switch", "Logical_Router", "Logical_Switch_Port", "Logical_Router_Port", "Logical_Router_Static_Route"])
    expect([table, await names(table).catch(() => [])]).toEqual([table, []]);
  expect(await ctl("ovn-nbctl", "--bare", "--columns=logical_port", "list", "Static_MAC_Binding")).toEqual([]);
  expect([await chassis(), await ctl("ovn-sbctl", "--bare", "--columns=ip", "list", "Encap")]).toEqual([[], []]);
});

it("writes differences without further reads, if the process knows both lists", async () => {
  const first = await zoneOf(whole);
  const olds = await create(first);
  const second = await zoneOf(without);
  const both = { find: (reference: unknown) => second.members.find(reference) ?? first.members.find(reference) } as MemberLists;
  const sent = jest.spyOn(await targets.get("node1", "OVN_Northbound"), "transact");
  await handlers.WorkloadPorts!.update({ ...request("WorkloadPorts", both), id: "id", olds: olds.WorkloadPorts, news: second.inputs.WorkloadPorts });
  const operations = sent.mock.calls.flatMap(([all]) => all.map((operation) => [operation.op, "table" in operation ? operation.table : ""].join(" ")));
  sent.mockRestore();
  // The switch is referred to by name here, and the deleted port is read.
  expect(operations).toEqual([
    "select Logical_Switch",
    "select Logical_Switch_Port",
    "comment ",
    "wait Logical_Switch_Port",
    "mutate Logical_Switch",
    "delete Logical_Switch_Port",
  ]);
  expect(await names("Logical_Switch_Port")).not.toContain("vm2");
  for (const kind of (Object.keys(KINDS) as Kind[]).reverse()) await handlers[kind]!.delete({ ...request(kind, both), id: "id", olds: olds[kind] });
});

describe("a check without the list", () => {
  it("keeps unchanged resources, and refuses changed ones", async () => {
    const { inputs } = await zoneOf(whole);
    const check = (news: Properties) => handlers.WorkloadPorts!.check({ ...request("WorkloadPorts", new MemberLists()), olds: inputs.WorkloadPorts, news });
    const { rows: _rows, digest: _digest, ...given } = inputs.WorkloadPorts;
    expect(await check(given)).toEqual({ inputs: inputs.WorkloadPorts, diagnostics: [] });
    expect((await check({ ...given, switch: "another" })).diagnostics).toEqual([
      expect.objectContaining({ severity: "error", path: "members", code: "OVN_MEMBERS" }),
    ]);
    expect((await check({ ...given, members: "workloads of blue-members: 4, digest AAAAAAAAAAAAAAAA" })).diagnostics).toEqual([
      expect.objectContaining({ code: "OVN_MEMBERS" }),
    ]);
  });

  it("leaves rows and digest unknown with an unknown reference", async () => {
    const { inputs, members } = await zoneOf(whole);
    const { rows: _rows, digest: _digest, ...given } = inputs.WorkloadPorts;
    const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
    expect(
      await handlers.WorkloadPorts!.check({ ...request("WorkloadPorts", members), olds: inputs.WorkloadPorts, news: { ...given, members: unknown } }),
    ).toEqual({
      inputs: { ...given, members: unknown, rows: unknown, digest: unknown, uuid: unknown, uuids: unknown },
      diagnostics: [],
    });
  });

  it("warns of effects on a network in use, if both lists are known", async () => {
    const first = await zoneOf(whole);
    const second = await zoneOf(blue(undefined, { workloads: { ...whole.workloads, vm2: { ...whole.workloads!.vm2!, mac: "0a:58:00:00:00:77" } } }));
    const both = { find: (reference: unknown) => second.members.find(reference) ?? first.members.find(reference) } as MemberLists;
    const check = (members: MemberLists) =>
      handlers.WorkloadPorts!.check({ ...request("WorkloadPorts", members), olds: first.inputs.WorkloadPorts, news: { ...second.inputs.WorkloadPorts } });
    expect((await check(both)).diagnostics.map(({ severity, code }) => [severity, code])).toEqual([["warning", "OVN_WARN_PORT_ADDRESS"]]);
    expect((await check(second.members)).diagnostics).toEqual([]);
  });
});
