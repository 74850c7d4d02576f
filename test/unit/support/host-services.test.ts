import type { Sandbox } from "@pulumi-ovn/sandbox";
import { type Answer, askBeside } from "../../support/host-services";

const WELL: Answer = { seen: "a", asked: "b" };
const [OWN, CONTROL] = [
  { place: "vm1", host: "10.0.0.1", port: 80 },
  { place: "vm2", host: "10.9.0.1", port: 81 },
];

/** Answers to each namespace's connections, in the order of the calls; and those calls. */
function sandboxOf(answers: Readonly<Record<string, readonly (Answer | null)[][]>>) {
  const calls: string[] = [];
  const left = new Map(Object.entries(answers).map(([place, all]) => [place, [...all]]));
  const exec = (place: string, argv: readonly string[]) => {
    calls.push([place, ...argv.slice(3, 6)].join(" "));
    return Promise.resolve({ code: 0, stdout: JSON.stringify(left.get(place)!.shift()), stderr: "" });
  };
  return { sandbox: { exec } as unknown as Sandbox, calls };
}
const ask = (sandbox: Sandbox) => askBeside(CONTROL, sandbox, OWN, 4);

it("asks both, and keeps successful connections, whatever the control loses", async () => {
  const { sandbox, calls } = sandboxOf({ vm1: [[WELL, WELL, WELL, WELL]], vm2: [[null, null, WELL, WELL]] });
  expect(await ask(sandbox)).toEqual([WELL, WELL, WELL, WELL]);
  expect(calls).toEqual(["vm1 10.0.0.1 80 4", "vm2 10.9.0.1 81 4"]);
});

it("repeats as many connections as the control lost", async () => {
  const { sandbox, calls } = sandboxOf({ vm1: [[null, WELL, null, null], [WELL], [null]], vm2: [[WELL, null, WELL, null]] });
  expect(await ask(sandbox)).toEqual([WELL, WELL, null, null]);
  expect(calls.slice(2)).toEqual(["vm1 10.0.0.1 80 1", "vm1 10.0.0.1 80 1"]);
});

it("excuses no failure if the control lost nothing, or does not work", async () => {
  const alone = sandboxOf({ vm1: [[null, WELL, WELL, WELL]], vm2: [[WELL, WELL, WELL, WELL]] });
  expect([await ask(alone.sandbox), alone.calls.length]).toEqual([[null, WELL, WELL, WELL], 2]);
  const { sandbox } = sandboxOf({ vm1: [[null, null, null, null]], vm2: [[null, null, null, WELL]] });
  await expect(ask(sandbox)).rejects.toThrow("the control does not work: 3 of 4 connections from vm2 to 10.9.0.1 failed");
});
