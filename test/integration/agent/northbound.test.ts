import { desired } from "@pulumi-ovn/agent";
import { type Central, startCentral } from "@pulumi-ovn/sandbox";
import { until } from "@pulumi-ovn/sandbox/testing";
import { exposureOf } from "../../support/agent-input";
import { WatchedSource, agentHost } from "../../support/agent-zone";
import type { OpenVSwitch } from "../../support/open-vswitch";

let central: Central;
let host: OpenVSwitch;
beforeAll(async () => {
  central = await startCentral();
  host = await agentHost(central.southbound);
  await sbctl("chassis-add h1 geneve 198.18.0.1 -- chassis-add h2 geneve 198.18.0.2");
  await nbctl(
    "ls-add ext -- lsp-add ext ln -- set logical_switch_port ln type=localnet options:network_name=physnet -- ls-add blue -- lsp-add blue vm1 -- lsp-set-addresses vm1 unknown",
  );
  await nbctl(
    "lr-add r1 -- lrp-add r1 r1-ext 0a:00:00:00:05:02 198.51.100.2/24 2001:db8::2/64 -- lsp-add ext ext-r1 -- set logical_switch_port ext-r1 type=router options:router-port=r1-ext options:nat-addresses=router addresses=router -- lrp-set-gateway-chassis r1-ext h1 10",
  );
  await nbctl(
    "lrp-add r1 r1-blue 0a:00:00:00:01:01 10.1.0.1/24 fd00::1/64 -- lsp-add blue blue-r1 -- set logical_switch_port blue-r1 type=router options:router-port=r1-blue addresses=router",
  );
  await nbctl(
    "lr-nat-add r1 dnat_and_snat 198.51.100.22 10.1.0.12 -- lr-nat-add r1 dnat_and_snat 2001:db8::22 fd00::12 -- lr-nat-add r1 dnat_and_snat 2001:db8::21 fd00::11 vm1 0a:00:00:00:05:21 -- lr-nat-add r1 snat 2001:db8::2 fd00::/64",
  );
  await central.run("ovn-nbctl", ["--wait=sb", "set", "NB_Global", ".", `options:pulumi-ovn-bgp\\:blue=${JSON.stringify(exposureOf({ floatingIPs: true }))}`]);
  await sbctl("lsp-bind cr-r1-ext h1 -- lsp-bind vm1 h2");
}, 60_000);
afterAll(async () => {
  await host?.[Symbol.asyncDispose]();
  await central?.stop();
});

async function run(program: string, text: string): Promise<string> {
  const { code, stdout, stderr } = await central.run(program, text.split(" "));
  if (code !== 0) throw new Error(`${program} ${text}: ${stderr}`);
  return stdout.trim();
}
const nbctl = (text: string) => run("ovn-nbctl", `--wait=sb ${text}`);
const sbctl = (text: string) => run("ovn-sbctl", text);
const announced = (source: WatchedSource) => (source.snapshot ? desired(source.snapshot).state.routes.map(({ destination }) => destination.split("/")[0]) : []);
const OWN = ["198.51.100.2", "198.51.100.22", "2001:db8::2"];

test("IPv6 floating IPs follow the Northbound database; without it the others stay", async () => {
  await using source = new WatchedSource({ openvswitch: host.endpoint });
  const becomes = async (what: string, ...wanted: string[]) => {
    await source.until(what, () => JSON.stringify(announced(source)) === JSON.stringify([...OWN, ...wanted]));
  };
  await becomes("nothing tells of the Northbound database");
  await host.vsctl("set", "Open_vSwitch", ".", `external_ids:ovn-nb-remote="${central.northbound}"`);
  await becomes("the centralised one", "2001:db8::22");
  await sbctl("lsp-unbind vm1 -- lsp-bind vm1 h1");
  await becomes("its workload comes here", "2001:db8::21", "2001:db8::22");
  await sbctl("lsp-unbind vm1 -- lsp-bind vm1 h2");
  await becomes("and leaves", "2001:db8::22");
  const row = await nbctl("--bare --columns=_uuid find NAT external_ip=2001\\:db8\\:\\:21");
  await nbctl(`set NAT ${row} type=snat`);
  await becomes("rows of this type are the gateway's, whatever else they say", "2001:db8::21", "2001:db8::22");
  await nbctl(`set NAT ${row} type=dnat_and_snat`);
  await becomes("it is of the other type again", "2001:db8::22");
  await nbctl(`clear NAT ${row} external_mac`);
  await becomes("it is the gateway's now", "2001:db8::21", "2001:db8::22");
  await nbctl("lsp-set-options ext-r1 router-port=r1-ext");
  await source.until("the network does not ask for it", () => JSON.stringify(announced(source)) === JSON.stringify(["198.51.100.2", "2001:db8::2"]));
  await nbctl("lsp-set-options ext-r1 router-port=r1-ext nat-addresses=router");
  await becomes("it does again", "2001:db8::21", "2001:db8::22");
  await nbctl("lr-nat-del r1 dnat_and_snat 2001:db8::22");
  await becomes("deleted", "2001:db8::21");
  await nbctl("lr-nat-add r1 snat 2001:db8::25 fd00::/65 -- lr-nat-add r1 snat 2001:db8::25 fd00:0:0:0:8000::/65 -- lr-nat-add r1 dnat 2001:db8::26 fd00::16");
  await becomes("what sources, or destinations alone, are translated to", "2001:db8::21", "2001:db8::25", "2001:db8::26");
  await nbctl("lr-nat-del r1 snat fd00::/65 -- lr-nat-del r1 dnat 2001:db8::26");
  await becomes("one of two rows is left", "2001:db8::21", "2001:db8::25");
  await nbctl("lr-nat-del r1 snat fd00:0:0:0:8000::/65");
  await becomes("none is", "2001:db8::21");

  await central.kill("northbound");
  await source.until("the trouble", () => source.problems.includes("OVN_AGENT_NORTHBOUND"));
  expect(announced(source)).toEqual([...OWN, "2001:db8::21"]);
  await sbctl("lsp-unbind cr-r1-ext -- lsp-bind cr-r1-ext h2");
  await source.until("the Southbound database is followed without it", () => announced(source).length === 0);
  await sbctl("lsp-unbind cr-r1-ext -- lsp-bind cr-r1-ext h1");
  await becomes("what was seen last holds", "2001:db8::21");
  await central.start("northbound");
  await source.until("connected again", () => source.problems.length === 0);
  await until("northd", 20_000, () =>
    nbctl("lr-nat-add r1 dnat_and_snat 2001:db8::23 fd00::13").then(
      () => true,
      () => false,
    ),
  );
  await becomes("followed again", "2001:db8::21", "2001:db8::23");
  await host.vsctl("remove", "Open_vSwitch", ".", "external_ids", "ovn-nb-remote");
  await becomes("no way there any more");
});

test("floating IPs of other routers are not read, and their changes are not reported", async () => {
  await nbctl(
    "lr-add far -- lrp-add far far-ext 0a:00:00:00:05:09 2001:db8::9/64 -- lsp-add ext ext-far -- set logical_switch_port ext-far type=router options:router-port=far-ext options:nat-addresses=router addresses=router -- set logical_router far options:chassis=h2",
  );
  await using source = new WatchedSource({ openvswitch: host.endpoint, northbound: central.northbound });
  await source.until("the first", () => announced(source).includes("2001:db8::23"));
  await nbctl("lr-nat-add far dnat_and_snat 2001:db8::99 fd00::99");
  await nbctl("lr-nat-add r1 dnat_and_snat 2001:db8::24 fd00::14");
  await source.until("one of this chassis", () => announced(source).includes("2001:db8::24"));
  expect(source.snapshot!.northbound.floatingIPs.map(({ address }) => address).sort()).toEqual(["2001:db8::2", "2001:db8::21", "2001:db8::23", "2001:db8::24"]);
});
