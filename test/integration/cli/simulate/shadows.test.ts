import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { programs, type Shadow, Shadows, zoneRows } from "@pulumi-ovn/cli/testing";

jest.setTimeout(120_000);

it("starts the server of a zone again when work comes while the server is being stopped for another zone", async () => {
  await using shadows = await Shadows.create(programs, 2);
  const rowsOf = async (shadow: Shadow) => {
    await sleep(300);
    return (await zoneRows(shadow.connections, shadow.zone, "OVN_Northbound", { NB_Global: ["options"] })).NB_Global;
  };
  for (const zone of ["a", "b", "c", "d"]) await shadows.in(zone, rowsOf);
  const rows = [{ options: { svc_monitor_mac: "0a:00:00:00:00:02" } }];
  expect(await Promise.all(["e", "a"].map((zone) => shadows.in(zone, rowsOf)))).toEqual([rows, rows]);
});

it("starts nothing for work that comes after its end", async () => {
  const shadows = await Shadows.create(programs, 1);
  const work = jest.fn();
  await shadows[Symbol.asyncDispose]();
  await expect(shadows.in("a", work)).rejects.toThrow("the simulation has ended");
  expect(work).not.toHaveBeenCalled();
});

it("does not log transactions in a shadow as transactions of the zone", async () => {
  const folder = mkdtempSync(join(tmpdir(), "shadow-log-"));
  process.env["PULUMI_OVN_LOG"] = join(folder, "log.jsonl");
  try {
    await using shadows = await Shadows.create(programs, 1);
    const rows = await shadows.in("a", (shadow) => zoneRows(shadow.connections, "a", "OVN_Northbound", { NB_Global: ["name"] }));
    expect(rows).toEqual({ NB_Global: [{ name: "" }] });
    expect(existsSync(join(folder, "log.jsonl"))).toBe(false);
  } finally {
    delete process.env["PULUMI_OVN_LOG"];
    rmSync(folder, { recursive: true });
  }
});
