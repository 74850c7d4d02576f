import { timeInTwoPlaces } from "../../support/two-places";

/** Each answer takes 10 ms, and the next request follows immediately. */
const answers = (...places: string[][]) => places.map((list, at) => ({ asked: 10 * at, answered: 10 * at + 10, places: list }));
const [ONE, OTHER, BOTH, NONE] = [["node1"], ["node2"], ["node1", "node2"], []];

test.each<[what: string, places: string[][], time: number]>([
  ["one place, none, another", [ONE, ONE, NONE, OTHER], 0],
  ["seen once: of unknown duration", [ONE, BOTH, OTHER], 0],
  ["seen twice in a row", [ONE, BOTH, BOTH, OTHER], 0],
  ["from the end of the first answer to the last question", [ONE, BOTH, BOTH, BOTH, BOTH, OTHER], 20],
  ["until the end of all", [ONE, BOTH, BOTH, BOTH], 10],
  ["twice, with one place between", [BOTH, BOTH, BOTH, ONE, BOTH, BOTH, BOTH, OTHER], 20],
])("%s", (_what, places, time) => expect(timeInTwoPlaces(answers(...places))).toBe(time));
