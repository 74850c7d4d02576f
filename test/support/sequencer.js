const { default: Sequencer } = require("@jest/test-sequencer");
const seconds = require("./durations.json");

const secondsOf = ({ path }) => Object.entries(seconds).find(([file]) => path.endsWith(`/test/${file}`))?.[1] ?? 0;

/**
 * The longest files first, so that none of them begins when the others have ended: jest knows that only of a run before,
 * and a fresh clone has had none. The others in jest's own order, files that failed last time first.
 */
module.exports = class extends Sequencer {
  sort(tests) {
    return super.sort(tests).toSorted((a, b) => secondsOf(b) - secondsOf(a));
  }
};
