import { setTimeout as sleep } from "node:timers/promises";
import { programs, type Shadow, Shadows, zoneRows } from "@pulumi-ovn/cli/testing";

jest.setTimeout(120_000);

it("starts the server of a zone again when work comes while the server is being stopped for another zone", async () => {
  await using shadows = await Shadows.create(await programs(), 2);
  const rowsOf = async (shadow: Shadow) => {
    await sleep(300);
    return (await zoneRows(shadow.connections, shadow.zone, "OVN_Northbound", { NB_Global: ["options"] })).NB_Global;
  };
  for (const zone of ["a", "b", "c", "d"]) await shadows.in(zone, rowsOf);
  const rows = [{ options: { svc_monitor_mac: "0a:00:00:00:00:02" } }];
  expect(await Promise.all(["e", "a"].map((zone) => shadows.in(zone, rowsOf)))).toEqual([rows, rows]);
});
