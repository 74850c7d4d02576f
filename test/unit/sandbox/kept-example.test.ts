import { keptText } from "@pulumi-ovn/sandbox/testing";

const shown = (zones: object) => {
  const sandbox = { name: "ex-a", zones, hosts: [{ name: "node1" }, { name: "node2" }] };
  return keptText("a", sandbox as never, "/folder")
    .split("\n")
    .find((line) => line.includes(" exec "));
};

it("shows what is in OVN, and on hosts without OVN what is in Open vSwitch", () => {
  expect([shown({ node1: {} }), shown({})]).toEqual([
    "  npm run -s sandbox -- exec --name ex-a node1 ovn-nbctl show",
    "  npm run -s sandbox -- exec --name ex-a node1 ovs-vsctl show",
  ]);
});
