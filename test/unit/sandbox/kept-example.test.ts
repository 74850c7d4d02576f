import { keptText } from "@pulumi-ovn/sandbox/testing";

const shown = (zones: object) => {
  const sandbox = { name: "ex-a", zones, hosts: [{ name: "node1" }, { name: "node2" }] };
  return keptText("a", sandbox as never, "/folder")
    .split("\n")
    .find((line) => line.includes(" exec "));
};

it("shows the contents of OVN, or of Open vSwitch on hosts without OVN", () => {
  expect([shown({ node1: {} }), shown({})]).toEqual([
    "  npm run -s sandbox -- exec --name ex-a node1 ovn-nbctl show",
    "  npm run -s sandbox -- exec --name ex-a node1 ovs-vsctl show",
  ]);
});
