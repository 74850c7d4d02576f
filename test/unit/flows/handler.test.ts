import { BridgeFlows } from "pulumi-ovn";
import { hasUnknown, UNKNOWN } from "../../../provider/arguments/unknown";
import { flowCookie } from "../../../provider/flows/cookie";
import { handlers } from "../../../provider/handlers";
import { Connections } from "../../../provider/targets";
import { Handled } from "../../support/handled";
import { registeredBy } from "../../support/program";

// What a stack author meets without any host.
const targets = new Connections({}, { host1: { command: ["/nowhere/ssh"] }, host2: {} });
const owner = "urn:pulumi:dev::net::pulumi-nodejs:dynamic/ovn:BridgeFlows::a";
const handled = new Handled("BridgeFlows");
const args = (flows: unknown[], host: unknown = "host1") => ({ host, bridges: [{ bridge: "br0", flows }], owner });
const check = (news: object) => handled.check({}, news as never, targets);

it("a class registers what the provider needs, the identity included", async () => {
  const [made] = await registeredBy(() => void new BridgeFlows("a", { host: "host1", bridges: [{ bridge: "br0", flows: ["actions=drop"] }] }));
  expect(made).toMatchObject({ kind: "BridgeFlows", name: "a", inputs: { host: "host1", bridges: [{ bridge: "br0", flows: ["actions=drop"] }] } });
});

it("the cookie is known in a preview, and that of the identity", async () => {
  const { inputs, failures } = await check(args(["actions=drop"]));
  expect(failures).toEqual([]);
  expect(inputs).toMatchObject({ cookie: flowCookie(owner), rows: { "br0 table=  0 priority=32768": "actions=drop" } });
});

it("what is not known yet leaves the rest checked", async () => {
  const { inputs, failures } = await check(args([UNKNOWN]));
  expect(failures).toEqual([]);
  expect([inputs.rows, inputs.cookie].every(hasUnknown)).toBe(true);
  expect((await check(args(["actions=drop"], UNKNOWN))).failures).toEqual([]);
});

it("every failure has its path", async () => {
  const news = { host: "hots1", bridges: [{ bridge: "a-name-of-16-chars", flows: ["ip"], flow: [] }, { bridge: "br 1" }], brigdes: [] };
  const { failures } = await check(news);
  expect(failures.map(({ path, code }) => `${path} [${code}]`).sort()).toEqual(["bridges[0].bridge [name]", "bridges[0].flow [unknown-argument]", "bridges[1].bridge [name]", "brigdes [unknown-argument]", "host [host]"]);
  expect(failures.find(({ path }) => path === "host")!.message).toBe('host "hots1" is not configured; the targets have host1, host2; did you mean "host1"?');
  expect((await check(args(["ip"]))).failures).toEqual([expect.objectContaining({ path: "bridges[0].flows[0]", code: "flow" })]);
});

it("two protocols, or a field twice, are refused, and a state of an older release that has them can be read and removed", async () => {
  const twins = ["tcp,ip6,tp_dst=80,actions=drop", "ip,nw_proto=89,actions=drop", "ip,nw_dst=10.0.0.2,nw_dst=10.0.0.1,actions=drop", "arp,nw_src=10.0.0.1,arp_spa=10.0.0.2,actions=drop", "tcp,nw_proto=17,actions=drop"];
  const { failures } = await check(args(twins));
  expect(failures.map(({ path, code, message }) => `${path} [${code}] ${message}`)).toEqual([
    'bridges[0].flows[0] [duplicate] "ip6" and "tcp" both name the protocol: name the one that is meant, such as tcp6',
    'bridges[0].flows[2] [duplicate] "nw_dst" is in the match twice',
    'bridges[0].flows[3] [duplicate] "arp_spa" and "nw_src" match the same bits, and the switch would take the last one alone: name one of them',
    'bridges[0].flows[4] [duplicate] "nw_proto" and "tcp" both name the protocol: name the one that is meant, such as tcp6',
  ]);
  // Both get as far as the host's command, which is not there.
  const state = { ...(await check(args([]))).inputs, ...args(twins) };
  await expect(handled.delete(state, targets)).rejects.toMatchObject({ code: "OVN_HOST_COMMAND" });
  await expect(handled.read(state, targets)).rejects.toMatchObject({ code: "OVN_HOST_COMMAND" });
});

it("a flow that is a secret hides all flows: what it says can't be told from the rest", async () => {
  const rows = async (secret: string | string[]) => {
    const news = { host: "host1", bridges: [{ bridge: "br0", flows: ["ip,actions=drop", "arp,actions=output:tap-hunter2"] }] };
    return (await handlers["BridgeFlows"]!.check({ urn: owner, secrets: [secret], targets, olds: {}, news })).inputs.rows;
  };
  for (const secret of ["bridges", ["bridges", "0", "flows", "1"]]) expect(await rows(secret)).toEqual({ hidden: "the arguments hold a secret" });
});

it("another host replaces the resource, other flows do not, the same in other words are no change", async () => {
  const before = (await check(args(["ip,priority=5,actions=drop", "arp,actions=drop"]))).inputs;
  const difference = async (news: object) => handled.diff(before, (await check(news)).inputs);
  expect(await difference(args(["arp actions=drop", "priority=5 ip actions=drop"]))).toEqual({ changes: false, replaces: [], deleteBeforeReplace: false });
  expect(await difference(args(["arp,actions=drop"]))).toEqual({ changes: true, replaces: [], deleteBeforeReplace: false });
  expect(await difference(args(["ip,priority=5,actions=drop", "arp,actions=drop"], "host2"))).toEqual({ changes: true, replaces: ["host"], deleteBeforeReplace: false });
});

it("a host that is gone from the targets is named by every operation", async () => {
  const { inputs } = await check(args(["actions=drop"]));
  const none = new Connections({}, {});
  await expect(handled.delete(inputs, none)).rejects.toThrow('OVN_HOST: BridgeFlows "a" in host "host1": host "host1" is not configured: the targets have no hosts;');
  await expect(handled.read(inputs, none)).rejects.toMatchObject({ code: "OVN_HOST" });
});
