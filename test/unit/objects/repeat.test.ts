import { after, type Patience, repeat } from "@pulumi-ovn/provider/testing";

const PACE = { first: 1, longest: 4 };
const soon = (milliseconds: number, more: Partial<Patience> = {}): Patience => ({ pace: PACE, until: performance.now() + milliseconds, ...more });
/** Answers one after the other; the last one for good. */
function looks(...answers: (Error | undefined | "throws" | "hangs")[]) {
  let asked = 0;
  const look = async (signal: AbortSignal): Promise<Error | undefined> => {
    const answer = answers[Math.min(asked++, answers.length - 1)];
    if (answer === "throws") throw new Error("thrown");
    if (answer === "hangs") await new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("cut off"))));
    return answer as Error | undefined;
  };
  return { look, asked: () => asked };
}
const missing = (text = "missing") => new Error(text);

it("accepts fractions of milliseconds, and times beyond a timer's limit", async () => {
  const [soon, late] = [after(0.3), after(1e12)];
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect([soon.aborted, late.aborted, after(-1.5).aborted]).toEqual([true, false, false]);
});

it("a clock that is set forward by hours neither ends nor extends a wait", async () => {
  const clock = jest.spyOn(Date, "now").mockReturnValue(0);
  const { look, asked } = looks(missing(), undefined);
  clock.mockReturnValueOnce(0).mockReturnValue(36e5);
  await repeat(look, soon(60_000), undefined);
  clock.mockReset().mockReturnValue(0);
  await expect(repeat(looks(missing("late")).look, soon(50), undefined)).rejects.toThrow("late");
  clock.mockRestore();
  expect(asked()).toBe(2);
});

it("repeats until nothing is missing", async () => {
  const { look, asked } = looks(missing(), missing(), undefined);
  await repeat(look, soon(60_000), undefined);
  expect(asked()).toBe(3);
});

it("throws the last missing condition at the timeout, after at least one attempt", async () => {
  await expect(repeat(looks(missing("first"), missing("last")).look, soon(1_000), undefined)).rejects.toThrow("last");
  await expect(repeat(looks(missing("late")).look, soon(-1), undefined)).rejects.toThrow("late");
});

it("throws permanent errors immediately, and repeats after others", async () => {
  await expect(repeat(looks("throws", undefined).look, soon(60_000), undefined)).rejects.toThrow("thrown");
  await expect(repeat(looks(missing(), "throws", undefined).look, soon(60_000), undefined)).rejects.toThrow("thrown");
  const { look, asked } = looks("throws", "throws", undefined);
  await repeat(look, soon(60_000, { passes: ({ message }) => message === "thrown" }), undefined);
  expect(asked()).toBe(3);
});

it("attempts at the shortest interval in the last second, also after a long interval", async () => {
  const until = performance.now() + 1_300;
  const attempts: number[] = [];
  const look = () => {
    attempts.push(performance.now());
    return Promise.resolve(missing("late"));
  };
  await expect(repeat(look, { pace: { first: 100, longest: 60_000 }, until }, undefined)).rejects.toThrow("late");
  // Ten on an idle machine; two, 400 and 1,000 ms before the end, by doubled intervals only.
  expect(attempts.filter((at) => at >= until - 1_000).length).toBeGreaterThan(3);
});

it("reports the earlier condition if the last attempt is cut off", async () => {
  await expect(repeat(looks(missing("before"), "hangs").look, soon(50), undefined)).rejects.toThrow("before");
  await expect(repeat(looks("hangs").look, soon(50), undefined)).rejects.toThrow("cut off");
  await expect(repeat(looks("hangs").look, soon(50, { unanswered: missing("unanswered") }), undefined)).rejects.toThrow("unanswered");
});

it("waits for a request in progress beyond the timeout", async () => {
  const answersUntil = performance.now() + 60_000;
  await repeat((signal) => Promise.resolve(signal.aborted ? missing() : undefined), { pace: PACE, until: performance.now() - 1, answersUntil }, undefined);
  const { look, asked } = looks(missing());
  await expect(repeat(look, { pace: PACE, until: performance.now() - 1, answersUntil }, undefined)).rejects.toThrow("missing");
  expect(asked()).toBe(1);
});

it("ends with the operation's signal", async () => {
  const operation = new AbortController();
  const { look } = looks(missing());
  const waiting = repeat(look, soon(60_000, { pace: { first: 60_000, longest: 60_000 } }), operation.signal);
  setImmediate(() => operation.abort());
  await expect(waiting).rejects.toMatchObject({ code: "OVN_ABORTED" });
});
