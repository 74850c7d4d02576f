import { Northbound } from "@pulumi-ovn/agent/testing";
import { concernOf, NO_NORTHBOUND, type Snapshot } from "@pulumi-ovn/provider/agent";
import { EXT, GATEWAY, snapshot, TENANT } from "../desired/snapshots";

const NOWHERE = "unix:/nowhere/nb.sock";
const EMPTY = snapshot([], { floatingIPs: true });
const rows = [EXT, ...GATEWAY, ...TENANT];
/** With a router that may have floating IPs. */
const NEEDING = snapshot(rows, { floatingIPs: true });

const factsOf = (northbound: Northbound, from: Snapshot) => northbound.facts(from, concernOf(from));

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

function lookedFor(endpoint: string | undefined) {
  const notified = { changes: 0 };
  const northbound = new Northbound({ tls: undefined, changed: () => notified.changes++ });
  northbound.follow(endpoint);
  return { northbound, notified };
}

test("without an endpoint the agent waits for nothing and reports no problem", async () => {
  const northbound = new Northbound({ tls: undefined, changed: () => undefined });
  expect(factsOf(northbound, NEEDING)).toBeUndefined();
  northbound.follow(undefined);
  expect([factsOf(northbound, NEEDING), northbound.problem]).toEqual([NO_NORTHBOUND, undefined]);
  await northbound.close();
});

test("a silent Northbound database delays the first snapshot by ten seconds, once", async () => {
  const { northbound, notified } = lookedFor(NOWHERE);
  // The Southbound database may take as long as it likes.
  jest.advanceTimersByTime(60_000);
  expect(factsOf(northbound, NEEDING)).toBeUndefined();
  jest.advanceTimersByTime(6_000);
  const timers = jest.getTimerCount();
  northbound.follow(NOWHERE);
  expect([factsOf(northbound, NEEDING), jest.getTimerCount()]).toEqual([undefined, timers]);
  const before = notified.changes;
  jest.advanceTimersByTime(4_000);
  expect([factsOf(northbound, NEEDING), notified.changes > before]).toEqual([NO_NORTHBOUND, true]);
  await northbound.close();
});

test.each([
  ["no router has a port on a provider network", EMPTY],
  ["no exposure asks for floating IPs", snapshot(rows, { providerPorts: true })],
])("an unreachable one is no problem, and not waited for, if %s", async (_, unneeding) => {
  const { northbound } = lookedFor(NOWHERE);
  await jest.advanceTimersByTimeAsync(1_000);
  expect([factsOf(northbound, unneeding), northbound.problem]).toEqual([NO_NORTHBOUND, undefined]);
  // Rows that are needed only then do not delay existing announcements.
  expect([factsOf(northbound, NEEDING), northbound.problem?.code]).toEqual([NO_NORTHBOUND, "OVN_AGENT_NORTHBOUND"]);
  expect([factsOf(northbound, unneeding), northbound.problem]).toEqual([NO_NORTHBOUND, undefined]);
  await northbound.close();
});
