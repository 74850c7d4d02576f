import { Connections } from "@pulumi-ovn/provider/targets";
import { HeldResource } from "../../support/held-resource";
import { Northbound } from "../../support/northbound";

let nb: Northbound;
let targets: Connections;
beforeAll(async () => {
  nb = await Northbound.start();
});
beforeEach(async () => {
  targets = new Connections({ node1: { northbound: nb.client.endpoint } });
  await nb.nbctl("ls-add", "l2");
});
afterEach(async () => {
  await targets.close();
  await nb.clear("Logical_Switch", "Port_Group", "Address_Set");
});
afterAll(() => nb?.[Symbol.asyncDispose]());

const resource = (name: string) => new HeldResource("NorthboundRows", `urn:pulumi:dev::net::pulumi-nodejs:dynamic/ovn:NorthboundRows::${name}`, targets);
const acl = (match: string) => ({
  table: "ACL",
  columns: { match, action: "drop", direction: "to-lport", priority: 1 },
  parent: { table: "Logical_Switch", row: "l2", column: "acls" },
});
const rules = (...matches: string[]) => ({ zone: "node1", entries: Object.fromEntries(matches.map((match, index) => [`acl${index}`, acl(match)])) });
const said = ({ warnings }: HeldResource) => warnings.map(({ code, message }) => `${code}: ${message}`);
const missing = (rows: string, set: string) => `OVN_WARN_MATCH_SET: match of ${rows}: the zone has no ${set}; OVN ignores the row until it exists`;

test("a preview does not warn of unknown sets; the update that writes the match does", async () => {
  const one = resource("one");
  const args = rules('ip4.src == $clients && outport == @servers && inport == "$none"', "ip4.dst == {10.0.0.1, $clients} /* @comment */");
  await one.check(args);
  expect(said(one)).toEqual([]);
  await one.up(args);
  expect(said(one)).toEqual([missing("ACL acl0, ACL acl1", "address set $clients"), missing("ACL acl0", "port group @servers")]);
  expect(await nb.column("ACL", "action")).toEqual(["drop", "drop"]);
  // The next update finds sets that another writer has created since.
  await nb.nbctl("create", "Address_Set", "name=clients", "--", "pg-add", "servers");
  await one.up(args);
  expect(said(one)).toEqual([]);
  await one.destroy();
});

test("knows sets of the resource, of the program's other resources, and northd's sets of port groups", async () => {
  const [one, two] = [resource("one"), resource("two")];
  const sets = {
    zone: "node1",
    entries: { later: { table: "Address_Set", columns: { name: "later" } }, group: { table: "Port_Group", columns: { name: "group" } } },
  };
  await two.check(sets);
  const own = { own: { table: "Address_Set", columns: { name: "own" } } };
  const { zone, entries } = rules(
    "ip4.src == $own",
    "ip4.src == $later && outport == @group",
    "ip4.src == $group_ip4 && ip4.dst == $group_ip6x",
    "ip6.src == $group_ip6",
  );
  await one.up({ zone, entries: { ...entries, ...own } });
  expect(said(one)).toEqual([missing("ACL acl2", "address set $group_ip6x")]);
  await two.up(sets);
  await one.destroy();
  await two.destroy();
});
