import { prefixesIn, tablesIn } from "../../support/bgp-tables";

/** As FRR 10.3 prints a table. */
const table = (routes: object) => `{\n "vrfId": 0,\n "vrfName": "default",\n "tableVersion": 3,\n "routes": ${JSON.stringify(routes)} } \n`;
const path = (peerId: string) => [{ valid: true, peerId, nexthops: [{ ip: "100.64.1.5", used: true }] }];

test("the tables of both families, as one run of vtysh prints them", () => {
  const text = table({ "198.51.100.5/32": path("100.64.1.5") }) + table({ "2001:db8::/64": path("fd64::5"), "::/0": path("fd64::3") });
  expect(tablesIn(text)).toEqual([{ "198.51.100.5/32": path("100.64.1.5") }, { "2001:db8::/64": path("fd64::5"), "::/0": path("fd64::3") }]);
  expect(prefixesIn(text)).toEqual(["198.51.100.5/32", "2001:db8::/64", "::/0"]);
});

test("nothing learned is an empty table, and no answer is none", () => {
  expect(prefixesIn(table({}) + "{}\n")).toEqual([]);
  for (const text of ["", table({}), `${table({})}% Unknown command\n`]) expect(() => tablesIn(text)).toThrow("not the tables of two families");
});
