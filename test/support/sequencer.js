const { default: Sequencer } = require("@jest/test-sequencer");
const seconds = require("./durations.json");

const secondsOf = ({ path }) => Object.entries(seconds).find(([file]) => path.endsWith(`/test/${file}`))?.[1] ?? 0;

/**
 * Starts the longest files first, so that none begins when the others have ended: jest knows durations only from an earlier run, which a fresh
 * clone lacks. The others keep jest's order: recently failed files first.
 */
module.exports = class extends Sequencer {
  sort(tests) {
    return super.sort(tests).toSorted((a, b) => secondsOf(b) - secondsOf(a));
  }
};
