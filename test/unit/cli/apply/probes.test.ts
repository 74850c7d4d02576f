import { type Check, type Complaint, Probes } from "@pulumi-ovn/cli/testing";

/** A check with the given results, one for each call. The last one repeats. */
function check(...results: (readonly string[] | Error)[]): Check & { calls: number } {
  const own = {
    calls: 0,
    title: "own",
    complaints: async () => {
      const result = results[Math.min(own.calls++, results.length - 1)]!;
      if (result instanceof Error) throw result;
      return result.map((subject): Complaint => ({ subject, problem: `${subject} is down` }));
    },
  };
  return own;
}

/** Signal of a command that nothing interrupts. */
const NEVER = new AbortController().signal;
const soon = () => Date.now() + 5000;

it("succeeds when all checks succeed twice in a row", async () => {
  const [wait, command, other] = [check([]), check([]), check([], ["a"], [])];
  const probes = new Probes({ command: [command], waits: [wait], others: [other] });
  expect(await probes.before(1000)).toEqual([]);
  expect(await probes.verify(soon(), NEVER)).toEqual([]);
  // Before the change, then a failure, and two successes.
  expect([wait.calls, command.calls, other.calls]).toEqual([4, 4, 4]);
});

it("names checks that fail before the change, and ignores them afterwards", async () => {
  const probes = new Probes({ command: [], waits: [check(["zone a"])], others: [check(["tunnel"], ["tunnel"], ["tunnel", "bridge"])] });
  expect(await probes.before(1000)).toEqual(["zone a: zone a is down", "tunnel: tunnel is down"]);
  expect(await probes.verify(Date.now() + 500, NEVER)).toEqual(["bridge: bridge is down"]);
});

it("refuses a change if the user's command fails before it", async () => {
  const probes = new Probes({ command: [check(["probe"])], waits: [], others: [] });
  await expect(probes.before(1000)).rejects.toMatchObject({ code: "OVN_APPLY_PROBE", message: "fails already, before any change: probe: probe is down" });
});

it("reports a check that can't be made as a failure", async () => {
  const error = new Error("no OVN on this machine");
  const probes = new Probes({ command: [], waits: [], others: [check([], error)] });
  expect(await probes.before(1000)).toEqual([]);
  expect(await probes.verify(Date.now() + 100, NEVER)).toEqual(["own: no OVN on this machine"]);
  const failing = new Probes({ command: [], waits: [], others: [check(error)] });
  expect(await failing.before(1000)).toEqual(["own: no OVN on this machine"]);
  expect(await failing.verify(soon(), NEVER)).toEqual([]);
});
