/** The events of the seed's watcher, by name, as a real northd writes them: what the host should have after each, and that it goes. */
import { desired } from "@pulumi-ovn/agent";
import type { AgentExposure } from "@pulumi-ovn/provider/agent";
import { type Central, startCentral } from "@pulumi-ovn/sandbox";
import { exposureOf } from "../../support/agent-input";
import { WatchedSource, agentHost } from "../../support/agent-zone";
import type { OpenVSwitch } from "../../support/open-vswitch";

let central: Central;
let host: OpenVSwitch;
let source: WatchedSource;
beforeAll(async () => {
  central = await startCentral();
  host = await agentHost(central.southbound);
  await sbctl("chassis-add h1 geneve 198.18.0.1 -- chassis-add h2 geneve 198.18.0.2");
  await nbctl("ls-add ext -- ls-add blue -- lsp-add ext ln -- set Logical_Switch_Port ln type=localnet options:network_name=physnet");
  await nbctl(
    "lr-add r1 -- lrp-add r1 r1-ext 0a:00:00:00:05:02 198.51.100.2/24 2001:db8::2/64 -- lsp-add ext ext-r1 -- set Logical_Switch_Port ext-r1 type=router options:router-port=r1-ext options:nat-addresses=router addresses=router -- lrp-set-gateway-chassis r1-ext h1 10",
  );
  await nbctl(
    "lrp-add r1 r1-blue 0a:00:00:00:01:01 10.1.0.1/24 2001:db8:1::1/64 -- lsp-add blue blue-r1 -- set Logical_Switch_Port blue-r1 type=router options:router-port=r1-blue addresses=router",
  );
  await run("ovn-nbctl", ["--wait=sb", "lsp-add", "blue", "vm1", "--", "lsp-set-addresses", "vm1", "0a:00:00:00:01:05 10.1.0.5 2001:db8:1::5"]);
  source = new WatchedSource({ openvswitch: host.endpoint });
}, 60_000);
beforeEach(() => sbctl("lsp-unbind cr-r1-ext -- lsp-bind cr-r1-ext h1"));
afterAll(async () => {
  await source?.close();
  await host?.[Symbol.asyncDispose]();
  await central?.stop();
});

async function run(program: string, args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await central.run(program, args);
  if (code !== 0) throw new Error(`${program} ${args.join(" ")}: ${stderr}`);
  return stdout.trim();
}
const nbctl = (text: string) => run("ovn-nbctl", ["--wait=sb", ...text.split(" ")]);
const sbctl = (text: string) => run("ovn-sbctl", text.split(" "));
const expose = (asked: Partial<AgentExposure>) =>
  run("ovn-nbctl", ["--wait=sb", "set", "NB_Global", ".", `options:pulumi-ovn-bgp\\:blue=${JSON.stringify(exposureOf(asked))}`]);

/** Routes, and the permanent neighbours of gateways. */
const told = (): string[] => {
  const { routes, neighbors } = desired(source.snapshot!).state;
  return [
    ...routes.map(({ destination, via, device }) => `${destination.replace(/\/(?:32|128)$/, "")}${via === null ? "" : ` via ${via}`} dev ${device}`),
    ...neighbors.map(({ address, mac }) => `${address} is ${mac}`),
  ].sort();
};
const problems = (): string[] => desired(source.snapshot!).problems.map(({ code, subject }) => `${code} ${subject}`);
async function becomes(what: string, ...wanted: string[]): Promise<void> {
  const text = JSON.stringify(wanted.toSorted());
  await source
    .until(what, () => source.snapshot !== null && JSON.stringify(told()) === text)
    .catch(() => expect([what, told()]).toEqual([what, wanted.toSorted()]));
}
const GATEWAY = ["198.51.100.2 dev br-ex", "2001:db8::2 dev br-ex", "198.51.100.2 is 0a:00:00:00:05:02", "2001:db8::2 is 0a:00:00:00:05:02"];

test("PortBindingChassisCreatedEvent, PortBindingChassisDeletedEvent: of workloads, virtual ports and gateways; bound, unbound, bound elsewhere, deleted", async () => {
  await expose({ providerPorts: true });
  await becomes("the gateway", ...GATEWAY);
  const addresses = { p1: ["198.51.100.9", "2001:db8::9"], v1: ["198.51.100.99"] };
  for (const [name, own] of Object.entries(addresses))
    await run("ovn-nbctl", ["--wait=sb", "lsp-add", "ext", name, "--", "lsp-set-addresses", name, `0a:00:00:00:05:09 ${own.join(" ")}`]);
  await nbctl("set Logical_Switch_Port v1 type=virtual options:virtual-ip=198.51.100.99 options:virtual-parents=p1");
  for (const [name, own] of Object.entries(addresses)) {
    const routes = own.map((address) => `${address} dev br-ex`);
    await sbctl(`lsp-bind ${name} h1`);
    await becomes(`${name} is bound`, ...GATEWAY, ...routes);
    await sbctl(`lsp-unbind ${name}`);
    await becomes(`${name} is unbound`, ...GATEWAY);
    await sbctl(`lsp-bind ${name} h1`);
    await becomes(`${name} is bound again`, ...GATEWAY, ...routes);
    await sbctl(`lsp-unbind ${name} -- lsp-bind ${name} h2`);
    await becomes(`${name} is bound elsewhere`, ...GATEWAY);
    await sbctl(`lsp-unbind ${name} -- lsp-bind ${name} h1`);
    await becomes(`${name} is back`, ...GATEWAY, ...routes);
    await nbctl(`lsp-del ${name}`);
    await becomes(`${name} is deleted`, ...GATEWAY);
  }
  await sbctl("lsp-unbind cr-r1-ext -- lsp-bind cr-r1-ext h2");
  await becomes("the gateway has moved away");
  await sbctl("lsp-unbind cr-r1-ext -- lsp-bind cr-r1-ext h1");
  await becomes("the gateway is back", ...GATEWAY);
});

test("FIPSetEvent, FIPUnsetEvent: from the workload's chassis once it has a MAC of its own, from the gateway's before (2073403)", async () => {
  await expose({ floatingIPs: true });
  await becomes("the gateway", ...GATEWAY);
  await sbctl("lsp-bind vm1 h1 -- lsp-unbind cr-r1-ext -- lsp-bind cr-r1-ext h2");
  await becomes("the gateway is elsewhere");
  await run("ovn-nbctl", ["--wait=sb", "lr-nat-add", "r1", "dnat_and_snat", "198.51.100.21", "10.1.0.5", "vm1", "0a:00:00:00:05:21"]);
  const row = await nbctl("--bare --columns=_uuid find NAT external_ip=198.51.100.21");
  await becomes("the workload's", "198.51.100.21 dev br-ex");
  await nbctl(`clear NAT ${row} external_mac`);
  await becomes("the gateway's, which is elsewhere");
  await sbctl("lsp-unbind cr-r1-ext -- lsp-bind cr-r1-ext h1");
  await becomes("the gateway's, which is here", ...GATEWAY, "198.51.100.21 dev br-ex");
  await nbctl("lr-nat-del r1 dnat_and_snat 198.51.100.21");
  await becomes("unset", ...GATEWAY);
});

test("SubnetRouterAttachedEvent, SubnetRouterDetachedEvent: a network behind the gateway that is here", async () => {
  await expose({ tenantNetworks: "subnet" });
  const blue = ["10.1.0.0/24 via 198.51.100.2 dev br-ex", "2001:db8:1::/64 via 2001:db8::2 dev br-ex"];
  await becomes("the first network", ...GATEWAY, ...blue);
  await nbctl("ls-add red -- lsp-add red red-r1 -- set Logical_Switch_Port red-r1 type=router options:router-port=r1-red addresses=router");
  await nbctl("lrp-add r1 r1-red 0a:00:00:00:02:01 10.2.0.1/24 2001:db8:2::1/64");
  await becomes("attached", ...GATEWAY, ...blue, "10.2.0.0/24 via 198.51.100.2 dev br-ex", "2001:db8:2::/64 via 2001:db8::2 dev br-ex");
  await run("ovn-nbctl", ["--wait=sb", "set", "Logical_Router_Port", "r1-red", 'networks="10.2.0.1/24","10.3.0.1/24"']);
  await becomes("with other subnets", ...GATEWAY, ...blue, "10.2.0.0/24 via 198.51.100.2 dev br-ex", "10.3.0.0/24 via 198.51.100.2 dev br-ex");
  await nbctl("lrp-del r1-red");
  await becomes("detached", ...GATEWAY, ...blue);
  await nbctl("ls-del red");
});

test("TenantPortCreatedEvent, TenantPortDeletedEvent: workloads behind the gateway that is here, wherever they are", async () => {
  await expose({ tenantNetworks: "host" });
  const vm1 = ["10.1.0.5 via 198.51.100.2 dev br-ex", "2001:db8:1::5 via 2001:db8::2 dev br-ex"];
  await becomes("bound here", ...GATEWAY, ...vm1);
  await sbctl("lsp-unbind vm1");
  // No workload is behind the gateway, so its address is not a next hop, but it still belongs to the router.
  await becomes("unbound", ...GATEWAY);
  await sbctl("lsp-bind vm1 h2");
  await becomes("bound elsewhere", ...GATEWAY, ...vm1);
  await run("ovn-nbctl", ["--wait=sb", "lsp-add", "blue", "vm2", "--", "lsp-set-addresses", "vm2", "0a:00:00:00:01:06 10.1.0.6"]);
  await sbctl("lsp-bind vm2 h2");
  await becomes("another one", ...GATEWAY, ...vm1, "10.1.0.6 via 198.51.100.2 dev br-ex");
  await nbctl("lsp-del vm2");
  await becomes("deleted", ...GATEWAY, ...vm1);
});

test("OVNLBMemberUpdateEvent: a VIP on the provider network, from the first member to the last", async () => {
  await expose({ loadBalancers: true });
  await becomes("nothing");
  const vip = "198.51.100.60 dev br-ex";
  await nbctl("lb-add lb4 198.51.100.60:80 10.1.0.5:80 -- lb-add lb6 [2001:db8::60]:80 [2001:db8:1::5]:80");
  await nbctl("lr-lb-add r1 lb4 -- lr-lb-add r1 lb6");
  await becomes("both families", vip, "2001:db8::60 dev br-ex");
  const backends = (list: string) => run("ovn-nbctl", ["--wait=sb", "set", "Load_Balancer", "lb4", `vips:"198.51.100.60:80"="${list}"`]);
  await backends("");
  await becomes("the last member has gone", "2001:db8::60 dev br-ex");
  await backends("10.1.0.5:80,10.1.0.6:80");
  await becomes("there are backends", vip, "2001:db8::60 dev br-ex");
  await nbctl("lb-del lb6");
  await becomes("a load balancer is deleted", vip);
  await nbctl("ls-lb-add blue lb4");
  await nbctl("lr-lb-del r1 lb4");
  await becomes("the router has it no more");
  await nbctl("lb-del lb4");
});

test("ChassisCreateEvent: a chassis that is registered again has what is bound to it then", async () => {
  await expose({ providerPorts: true });
  await becomes("the gateway", ...GATEWAY);
  await sbctl("chassis-del h1");
  await becomes("no chassis");
  expect(problems()).toEqual(["OVN_AGENT_NO_CHASSIS h1"]);
  await sbctl("chassis-add h1 geneve 198.18.0.1");
  await source.until("the chassis", () => problems().length === 0);
  expect(told()).toEqual([]);
  await sbctl("lsp-bind cr-r1-ext h1");
  await becomes("its gateway", ...GATEWAY);
});

test("LocalnetCreateDeleteEvent: routes follow the localnet port, its tag and its physical network", async () => {
  await expose({ providerPorts: true });
  await becomes("the gateway", ...GATEWAY);
  await nbctl("lsp-del ln");
  await becomes("no way outside");
  const ln = "lsp-add ext ln -- set Logical_Switch_Port ln type=localnet";
  await nbctl(`${ln} options:network_name=physnet`);
  await becomes("a way outside", ...GATEWAY);
  await nbctl("set Logical_Switch_Port ln tag_request=100");
  await becomes("in a VLAN", ...GATEWAY.map((text) => text.replace("br-ex", "bgp100-3634738")));
  await nbctl("lsp-del ln");
  await becomes("no way outside");
  await nbctl(`${ln} options:network_name=elsewhere`);
  await source.until("a network that no bridge is mapped to", () => problems().join() === "OVN_AGENT_NOT_MAPPED ext");
  expect(told()).toEqual([]);
  await nbctl("set Logical_Switch_Port ln options:network_name=physnet");
  await becomes("the network is mapped", ...GATEWAY);
});

test("updates of liveness cause no rounds (2096661)", async () => {
  await expose({ providerPorts: true });
  await run("ovn-nbctl", ["--wait=sb", "lsp-add", "ext", "p2", "--", "lsp-set-addresses", "p2", "0a:00:00:00:05:0a 198.51.100.10"]);
  await sbctl("create Chassis_Private name=h1 -- lsp-bind p2 h1");
  await becomes("all that came before", ...GATEWAY, "198.51.100.10 dev br-ex");
  const { calls } = source;
  for (const number of [1, 2, 3]) {
    await nbctl("sync");
    await sbctl(`set Chassis_Private h1 nb_cfg=${number} nb_cfg_timestamp=${number} -- set Chassis h1 nb_cfg=${number} other_config:datapath-type=x${number}`);
  }
  await sbctl("lsp-unbind p2");
  await becomes("a change of a port", ...GATEWAY);
  expect(source.calls).toBe(calls + 1);
});
