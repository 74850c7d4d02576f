import { setImmediate as turn } from "node:timers/promises";
import { type HostNote, NoteWriter } from "@pulumi-ovn/agent/testing";

const of = (text: string): HostNote => ({ database: "d", exposures: { blue: text } });

/** NoteWriter that are written when the test lets them, or fail then. */
function written() {
  const [texts, answers]: [string[], PromiseWithResolvers<void>[]] = [[], []];
  const notes = new NoteWriter(({ exposures }) => {
    texts.push(exposures["blue"]!);
    answers.push(Promise.withResolvers<void>());
    return answers.at(-1)!.promise;
  });
  return { notes, texts, done: () => (answers.at(-1)!.resolve(), turn()), failed: () => (answers.at(-1)!.reject(new Error("no answer")), turn()) };
}

test("notes are written one at a time; only the latest one that arrived during a write is written next", async () => {
  const { notes, texts, done } = written();
  for (const text of ["one", "two", "three"]) notes.update(of(text));
  expect(texts).toEqual(["one"]);
  await done();
  expect(texts).toEqual(["one", "three"]);
  await done();
  notes.update(of("three"));
  notes.update(of("four"));
  await turn();
  expect(texts).toEqual(["one", "three", "four"]);
});

test("an equal note that arrives during the write is not written twice", async () => {
  const { notes, texts, done } = written();
  notes.update(of("one"));
  notes.update(of("one"));
  await done();
  notes.update(of("one"));
  await turn();
  expect(texts).toEqual(["one"]);
});

test("a note whose write failed is written with the next attempt; a newer note is written immediately", async () => {
  const { notes, texts, done, failed } = written();
  notes.update(of("one"));
  await done();
  notes.update(of("two"));
  await failed();
  expect(texts).toEqual(["one", "two"]);
  // The host's current state is unknown.
  notes.update(of("one"));
  notes.update(of("three"));
  await failed();
  expect(texts).toEqual(["one", "two", "one", "three"]);
  await failed();
  notes.update(of("three"));
  expect(texts).toEqual(["one", "two", "one", "three", "three"]);
});
