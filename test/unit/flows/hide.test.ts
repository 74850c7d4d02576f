import { flowLines, hideFlows, parseFlow } from "@pulumi-ovn/provider/testing";

const lines = (flows: string[], others: string[], bridge = "br0") => {
  const hidden = hideFlows({ bridges: [{ bridge: "br0", flows }] }, { bridges: [{ bridge, flows: others }] });
  return flowLines(
    hidden.bridges.flatMap((list) => list.flows.map((text) => ({ bridge: list.bridge, flow: parseFlow(text)!, actions: parseFlow(text)!.actions }))),
  );
};

it("hides differing actions and differing matches", () => {
  const flows = (port: string, table: string) => [
    "ip,priority=5,actions=drop",
    `arp,actions=strip_vlan,output:${port}`,
    `in_port=${port},actions=drop`,
    `table=${table},actions=drop`,
  ];
  expect(lines(flows("tap-hunter2", "one"), flows("ubq-ivoufs3", "pof"))).toEqual({
    "br0 table=  0 priority=    5 ip": "actions=drop",
    "br0 table=  0 priority=32768 arp": "actions=strip_vlan,[secret]",
    "br0 table=  0 priority=32768 [secret]3": "actions=drop",
    "br0 table=[secret] priority=32768 [secret]4": "actions=drop",
  });
});

it("hides all actions if their number differs", () => {
  expect(lines(["arp,actions=output:a,drop"], ["arp,actions=drop"])).toEqual({ "br0 table=  0 priority=32768 arp": "actions=[secret]" });
});

it("hides a list whose length depends on a secret, and a bridge with a secret name", () => {
  const hidden = { [`${"br0"} table=[secret] priority=[secret] [secret]1`]: "actions=[secret]" };
  expect(lines(["actions=drop"], ["actions=drop", "arp,actions=drop"])).toEqual(hidden);
  expect(lines(["actions=drop"], ["actions=drop"], "cs1")).toEqual({ "[secret]1 table=[secret] priority=[secret] [secret]1": "actions=[secret]" });
});
