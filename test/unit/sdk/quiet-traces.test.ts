import { QuietTraces } from "../../../sdk/quiet-traces";

const LIMIT = Error.stackTraceLimit;

class Failing {
  constructor() {
    throw new RangeError("no such thing");
  }
}

function inUserCode(): unknown {
  const traces = new QuietTraces();
  try {
    return new Failing();
  } catch (error) {
    return traces.traced(error);
  } finally {
    traces.end();
  }
}

it("makes no traces until its end", () => {
  const traces = new QuietTraces();
  expect(new Error("quick").stack).toBeUndefined();
  // Pulumi does, for the trace that it keeps in the state.
  Error.stackTraceLimit = Number.POSITIVE_INFINITY;
  expect(new Error("quick").stack).toBeUndefined();
  traces.end();
  expect(Error.stackTraceLimit).toBe(LIMIT);
  expect(new Error("slow").stack).toContain("quiet-traces.test");
});

it("gives an error its caller's trace", () => {
  const { message, stack } = inUserCode() as RangeError;
  expect(message).toBe("no such thing");
  expect(stack).toMatch(/^RangeError: no such thing\n +at .*quiet-traces\.test/);
  expect(Error.stackTraceLimit).toBe(LIMIT);
});

it("passes what is no error as it is", () => {
  expect(new QuietTraces().traced("thrown")).toBe("thrown");
  expect(Error.stackTraceLimit).toBe(LIMIT);
});
