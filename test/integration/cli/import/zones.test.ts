import { importZones } from "@pulumi-ovn/cli/import";
import { TestZones } from "../../../support/zones";

let zones: TestZones;
beforeAll(async () => {
  zones = await TestZones.start(["a", "b"], { northd: false });
});
afterAll(async () => zones?.stop());

const stack = { stack: "dev", project: "net", providerText: (kind: string) => kind };
const add = (zone: string, key: number) =>
  zones.nbctl(
    zone,
    "ls-add",
    "blue",
    "--",
    "set",
    "logical_switch",
    "blue",
    "other_config:subnet=10.0.0.0/16",
    "other_config:mcast_snoop=true",
    "other_config:mcast_querier=false",
    "other_config:mcast_flood_unregistered=true",
    "other_config:interconn-ts=blue",
    `other_config:requested-tnl-key=${key}`,
  );

it("imports different zones: the first one's resource, with the differences in the report", async () => {
  await add("a", 5);
  await add("b", 6);
  const { report, program } = await importZones(zones.config, ["a", "b"], stack);
  expect(report).toContain("zone a: 1 of 2 rows imported as 1 Layer2Switch\n");
  expect(report).toContain("zone b: 1 of 2 rows imported as 1 NorthboundRows\n");
  expect(report).toContain('    Logical_Switch "blue" is not a Layer2Switch: tunnelKey of switch "blue" is 6 here and 5 in zone "a"\n');
  expect(program).toContain('new ovn.Layer2Switch("a-blue", { zone: "a", name: "blue", subnets: ["10.0.0.0/16"], tunnelKey: 5 });');

  const [other] = (await importZones(zones.config, ["b", "a"], stack)).report.split("\n");
  expect(other).toBe("zone b: 1 of 2 rows imported as 1 Layer2Switch");
});

it("imports rows with several parents, and lists values that JavaScript can't represent", async () => {
  await zones.nbctl(
    "a",
    "--id=@acl",
    "create",
    "ACL",
    "direction=to-lport",
    "priority=7",
    "match=ip4",
    "action=drop",
    "--",
    "--id=@a",
    "create",
    "Port_Group",
    "name=pa",
    "acls=@acl",
    "--",
    "--id=@b",
    "create",
    "Port_Group",
    "name=pb",
    "acls=@acl",
  );
  await zones.nbctl("a", "create", "Sample_Collector", "id=1", "name=c", "probability=1", "set_id=1", "--", "set", "nb_global", ".", "ipsec=true");
  await zones.nbctl("a", "lr-add", "r0", "--", "set", "logical_router", "r0", 'external_ids:"__proto__"=x', 'external_ids:"a\\"b"="c${d}"');
  const { report, program } = await importZones({ a: zones.config.a! }, ["a"], stack);
  expect(report).toMatch(/^zone a: 6 of 7 rows imported as 1 Layer2Switch, 4 NorthboundRows$/m);
  // The ACL is in one of the two; the other lists it whole.
  expect(program.match(/table: "ACL"/g)).toHaveLength(1);
  expect(program).toMatch(/parent: \{ table: "Port_Group", row: "p[ab]", column: "acls" \}/);
  expect(program).toMatch(/references: \{ acls: \[aP[ab]\.uuidOf\("acl-to-lport-7"\)\] \}/);
  expect(report).toContain("a-r0: Logical_Router.external_ids\n");
  expect(program).toContain('"a\\"b": "c${d}"');
});
