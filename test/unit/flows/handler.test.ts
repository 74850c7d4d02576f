import { BridgeFlows } from "pulumi-ovn";
import { Connections } from "@pulumi-ovn/provider/targets";
import { flowCookie, handlers, hasUnknown, UNKNOWN } from "@pulumi-ovn/provider/tools";
import { Handled } from "../../support/handled";
import { registeredBy } from "../../support/program";

// Behavior without any host.
const targets = new Connections({}, { host1: { command: ["/nowhere/ssh"] }, host2: {} });
const owner = "urn:pulumi:dev::net::pulumi-nodejs:dynamic/ovn:BridgeFlows::a";
const handled = new Handled("BridgeFlows");
const args = (flows: unknown[], host: unknown = "host1") => ({ host, bridges: [{ bridge: "br0", flows }], owner });
const check = (news: object) => handled.check({}, news as never, targets);

it("a class registers the inputs of the provider, including the identity", async () => {
  const [made] = await registeredBy(() => void new BridgeFlows("a", { host: "host1", bridges: [{ bridge: "br0", flows: ["actions=drop"] }] }));
  expect(made).toMatchObject({ kind: "BridgeFlows", name: "a", inputs: { host: "host1", bridges: [{ bridge: "br0", flows: ["actions=drop"] }] } });
});

it("a preview shows the cookie, which derives from the identity", async () => {
  const { inputs, failures } = await check(args(["actions=drop"]));
  expect(failures).toEqual([]);
  expect(inputs).toMatchObject({ cookie: flowCookie(owner), rows: { "br0 table=  0 priority=32768": "actions=drop" } });
});

it("an unknown value does not prevent the check of the others", async () => {
  const { inputs, failures } = await check(args([UNKNOWN]));
  expect(failures).toEqual([]);
  expect([inputs.rows, inputs.cookie].every(hasUnknown)).toBe(true);
  expect((await check(args(["actions=drop"], UNKNOWN))).failures).toEqual([]);
});

it("every failure has its path", async () => {
  const news = { host: "hots1", bridges: [{ bridge: "a-name-of-16-chars", flows: ["ip"], flow: [] }, { bridge: "br 1" }], brigdes: [] };
  const { failures } = await check(news);
  expect(failures.map(({ path, code }) => `${path} [${code}]`).sort()).toEqual([
    "bridges[0].bridge [name]",
    "bridges[0].flow [unknown-argument]",
    "bridges[1].bridge [name]",
    "brigdes [unknown-argument]",
    "host [host]",
  ]);
  expect(failures.find(({ path }) => path === "host")!.message).toBe('host "hots1" is not configured; the targets have host1, host2; did you mean "host1"?');
  expect((await check(args(["ip"]))).failures).toEqual([expect.objectContaining({ path: "bridges[0].flows[0]", code: "flow" })]);
});

it("refuses two protocols, a repeated field and unknown fields; reads and removes them from an older state", async () => {
  const twins = [
    "tcp,ip6,tp_dst=80,actions=drop",
    "ip,nw_proto=89,actions=drop",
    "ip,nw_dst=10.0.0.2,nw_dst=10.0.0.1,actions=drop",
    "arp,nw_src=10.0.0.1,arp_spa=10.0.0.2,actions=drop",
    "tcp,nw_proto=17,actions=drop",
    "cookie:5,udp,actions=drop",
    "table=1,table=2,actions=drop",
  ];
  const { failures } = await check(args(twins));
  expect(failures.map(({ path, code, message }) => `${path} [${code}] ${message}`)).toEqual([
    'bridges[0].flows[0] [duplicate] "ip6" and "tcp" both name the protocol: name the one that is meant, such as tcp6',
    'bridges[0].flows[2] [duplicate] "nw_dst" is in the match twice',
    'bridges[0].flows[3] [duplicate] "arp_spa" and "nw_src" match the same bits, and the switch would use only the last one: name one of them',
    'bridges[0].flows[4] [duplicate] "nw_proto" and "tcp" both name the protocol: name the one that is meant, such as tcp6',
    'bridges[0].flows[5] [value] a flow has no "cookie" here: the cookie derives from the resource',
    'bridges[0].flows[6] [duplicate] "table" is there twice',
  ]);
  // Both get as far as the host's command, which is not there.
  const state = { ...(await check(args([]))).inputs, ...args(twins) };
  await expect(handled.delete(state, targets)).rejects.toMatchObject({ code: "OVN_HOST_COMMAND" });
  await expect(handled.read(state, targets)).rejects.toMatchObject({ code: "OVN_HOST_COMMAND" });
});

/** Failures of a check for the flows of a program. */
async function failuresOf(...flows: string[]): Promise<string[]> {
  const [made] = await registeredBy(() => void new BridgeFlows("a", { host: "host1", bridges: [{ bridge: "br0", flows }] }));
  return (await check({ ...made!.inputs, owner })).failures.map(({ path, code, message }) => `${path} [${code}] ${message}`);
}

it.each([
  "cookie",
  "cookie_mask",
  "idle_timeout",
  "hard_timeout",
  "importance",
  "send_flow_rem",
  "check_overlap",
  "reset_counts",
  "no_packet_counts",
  "no_byte_counts",
  "out_port",
  "out_group",
  "duration",
  "n_packets",
  "n_bytes",
  "idle_age",
  "hard_age",
  "allow_hidden_fields",
])("refuses %s in any spelling", async (name) => {
  const forms = [name, `${name}=1`, `${name}:1`, `${name}(1)`, `${name}(1, 2)`, `${name}=1(2,3)`];
  const texts = forms.flatMap((form) => [`ip,${form},actions=drop`, `${form} ip actions=drop`, `priority(5)${form},table:3 actions=drop`]);
  const said = new RegExp(`^bridges\\[0\\].flows\\[\\d+\\] \\[value\\] a flow has no "${name}" here: `);
  expect(await failuresOf(...texts.map((text, index) => `in_port=p${index},${text}`))).toEqual(texts.map(() => expect.stringMatching(said) as string));
});

it("accepts such words in actions and in names of ports", async () => {
  expect(
    await failuresOf(
      "actions=learn(table=1,idle_timeout=5,cookie=0x5,priority=1,priority=2)",
      'in_port="p, cookie:5",actions=drop',
      "in_port=cookie,ip,actions=drop",
    ),
  ).toEqual([]);
});

it("refuses a repeated table or priority, in any form", async () => {
  expect(
    await failuresOf(
      "table=1,ip,table=1,actions=drop",
      "priority:5 priority(6)tcp actions=drop",
      "table(4),table:5,actions=drop",
      "ip,table:6,priority(3),actions=drop",
    ),
  ).toEqual([
    'bridges[0].flows[0] [duplicate] "table" is there twice',
    'bridges[0].flows[1] [duplicate] "priority" is there twice',
    'bridges[0].flows[2] [duplicate] "table" is there twice',
  ]);
});

it(`refuses "no VLAN tag" together with a VLAN priority: ovs-ofctl's result depends on the order`, async () => {
  const refused = [
    "dl_vlan=0xffff,dl_vlan_pcp=3",
    "vlan_pcp:3,dl_vlan:65535",
    "dl_vlan(0177777),dl_vlan_pcp(3)",
    "vlan_vid=5,vlan_pcp=3",
    "vlan_vid=0/0x1000,dl_vlan_pcp=3",
  ];
  const failures = await failuresOf(...refused.map((fields) => `${fields},actions=drop`));
  expect(failures.map((text) => text.replace(/^.* \[duplicate\] /, "").replace(/ match the same bits.*/, ""))).toEqual([
    '"dl_vlan" and "dl_vlan_pcp"',
    '"dl_vlan" and "vlan_pcp"',
    '"dl_vlan" and "dl_vlan_pcp"',
    '"vlan_pcp" and "vlan_vid"',
    '"dl_vlan_pcp" and "vlan_vid"',
  ]);
  expect(
    await failuresOf(
      ...[
        "dl_vlan=0xffff",
        "dl_vlan=5,dl_vlan_pcp=3",
        "dl_vlan=4095,vlan_pcp=3",
        "vlan_vid=0x1005,vlan_pcp=3",
        "vlan_vid=0x1000/0x1000,vlan_pcp=4",
        "vlan_vid=0",
      ].map((fields, index) => `priority=${index},${fields},actions=drop`),
    ),
  ).toEqual([]);
});

it("lines and paths are equal for every spelling of a flow", async () => {
  const { inputs } = await check(args(["table:3,priority(7)ip nw_dst(10.0.0.1) actions=drop"]));
  expect(inputs.rows).toEqual({ "br0 table=  3 priority=    7 ip,nw_dst=10.0.0.1": "actions=drop" });
  expect(await failuresOf("table=3,ip,nw_dst=10.0.0.1,actions=drop", "ip nw_dst:10.0.0.1 table(3) actions=NORMAL")).toEqual([
    "bridges[0].flows[1] [duplicate] bridges[0].flows[0] has the same table, priority and match",
  ]);
});

it("a secret flow hides all flows", async () => {
  const rows = async (secret: string | string[]) => {
    const news = { host: "host1", bridges: [{ bridge: "br0", flows: ["ip,actions=drop", "arp,actions=output:tap-hunter2"] }] };
    return (await handlers["BridgeFlows"]!.check({ urn: owner, secrets: [secret], targets, olds: {}, news })).inputs.rows;
  };
  for (const secret of ["bridges", ["bridges", "0", "flows", "1"]]) expect(await rows(secret)).toEqual({ hidden: "the arguments hold a secret" });
});

it("a changed host replaces the resource, changed flows do not, and other spellings are no change", async () => {
  const before = (await check(args(["ip,priority=5,actions=drop", "arp,actions=drop"]))).inputs;
  const difference = async (news: object) => handled.diff(before, (await check(news)).inputs);
  expect(await difference(args(["arp actions=drop", "priority=5 ip actions=drop"]))).toEqual({ changes: false, replaces: [], deleteBeforeReplace: false });
  expect(await difference(args(["arp,actions=drop"]))).toEqual({ changes: true, replaces: [], deleteBeforeReplace: false });
  expect(await difference(args(["ip,priority=5,actions=drop", "arp,actions=drop"], "host2"))).toEqual({
    changes: true,
    replaces: ["host"],
    deleteBeforeReplace: false,
  });
});

it("every operation names a host that was removed from the targets", async () => {
  const { inputs } = await check(args(["actions=drop"]));
  const none = new Connections({}, {});
  await expect(handled.delete(inputs, none)).rejects.toThrow(
    'OVN_HOST: BridgeFlows "a" in host "host1": host "host1" is not configured: the targets have no hosts;',
  );
  await expect(handled.read(inputs, none)).rejects.toMatchObject({ code: "OVN_HOST" });
});
