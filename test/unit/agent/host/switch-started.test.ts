import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Host } from "@pulumi-ovn/agent";
import type { OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { until } from "@pulumi-ovn/sandbox/testing";

const folder = mkdtempSync(join(tmpdir(), "switch-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A host whose ip(8) prints nothing. Only the sockets of a switch notify the host. */
function hostOf(endpoint: string) {
  const ending = new AbortController();
  const host = new Host({ openvswitch: { endpoint } as OvsdbClient, command: ["sh", "-c", "exec sleep 1000", "sh"], signal: ending.signal });
  const reports = { times: 0 };
  host.watch(() => reports.times++);
  return { reports, end: () => ending.abort() };
}

test("a bridge's management socket next to the database's socket reports the start; other files do not", async () => {
  const { reports, end } = hostOf(`unix:${join(folder, "db.sock")}`);
  writeFileSync(join(folder, "ovs-vswitchd.pid"), "");
  writeFileSync(join(folder, "br-ex.snoop"), "");
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(reports.times).toBe(0);
  writeFileSync(join(folder, "br-ex.mgmt"), "");
  // One notification comes immediately, another when the bridge accepts flows.
  await until("the reports", 20_000, () => reports.times >= 2);
  end();
});

test("an endpoint without a socket, or with a missing folder, does not fail the watch", async () => {
  for (const endpoint of ["tcp:127.0.0.1:6640", `unix:${join(folder, "none", "db.sock")}`]) hostOf(endpoint).end();
});
