import { desired } from "@pulumi-ovn/agent";
import { BRIDGE, bound, EXT, GATEWAY, localnet, TENANT, snapshot } from "./snapshots";

test("a bridge with an uplink announces nothing of its networks and does not answer for others; other bridges continue", () => {
  const two = { name: "br-two", mac: "0a:00:00:00:00:ef", patches: { ln2: "9" }, uplinks: [] };
  const rows = [
    EXT,
    ...GATEWAY,
    ...TENANT,
    bound("vm", "ext", "0a:00:00:00:00:05 198.51.100.9"),
    localnet("ln2", "ext2", "physnet2"),
    bound("vm2", "ext2", "0a:00:00:00:00:06 203.0.113.9"),
  ];
  const found = (uplinks: readonly string[]) =>
    desired(snapshot(rows, { providerPorts: true, tenantNetworks: "subnet" }, { bridges: { physnet: { ...BRIDGE, uplinks }, physnet2: two } }));
  expect([found([]).state.routes.length, found([]).state.silent, found([]).problems]).toEqual([6, [], []]);
  const { state, problems } = found(["bond0", "eth1"]);
  expect([state.routes.map(({ destination }) => destination), state.devices, state.silent]).toEqual([["203.0.113.9/32"], ["br-two"], ["br-ex"]]);
  expect(problems).toEqual([
    {
      code: "OVN_AGENT_UPLINK",
      subject: "br-ex",
      message:
        'bridge br-ex leads out of the host by bond0, eth1, where the host would answer ARP for addresses that are not its own: nothing of network "ext" is announced here',
    },
  ]);
});
