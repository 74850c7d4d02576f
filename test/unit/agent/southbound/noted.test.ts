import { setImmediate as turn } from "node:timers/promises";
import { type Noted, Notes } from "../../../../agent/southbound/noted";

const of = (text: string): Noted => ({ database: "d", exposures: { blue: text } });

/** Notes that are written when the test says so, or fail then. */
function written() {
  const [texts, answers]: [string[], PromiseWithResolvers<void>[]] = [[], []];
  const notes = new Notes(({ exposures }) => {
    texts.push(exposures["blue"]!);
    answers.push(Promise.withResolvers<void>());
    return answers.at(-1)!.promise;
  });
  return { notes, texts, done: () => (answers.at(-1)!.resolve(), turn()), failed: () => (answers.at(-1)!.reject(new Error("no answer")), turn()) };
}

test("one at a time: of what is said while one is written the last is written next, and once", async () => {
  const { notes, texts, done } = written();
  for (const text of ["one", "two", "three"]) notes.say(of(text));
  expect(texts).toEqual(["one"]);
  await done();
  expect(texts).toEqual(["one", "three"]);
  await done();
  notes.say(of("three"));
  notes.say(of("four"));
  await turn();
  expect(texts).toEqual(["one", "three", "four"]);
});

test("what is said again while it is written is not written twice", async () => {
  const { notes, texts, done } = written();
  notes.say(of("one"));
  notes.say(of("one"));
  await done();
  notes.say(of("one"));
  await turn();
  expect(texts).toEqual(["one"]);
});

test("one that failed is written when it is said again, also where another one was written before; a newer one follows at once", async () => {
  const { notes, texts, done, failed } = written();
  notes.say(of("one"));
  await done();
  notes.say(of("two"));
  await failed();
  expect(texts).toEqual(["one", "two"]);
  // The host's current state is unknown.
  notes.say(of("one"));
  notes.say(of("three"));
  await failed();
  expect(texts).toEqual(["one", "two", "one", "three"]);
  await failed();
  notes.say(of("three"));
  expect(texts).toEqual(["one", "two", "one", "three", "three"]);
});
