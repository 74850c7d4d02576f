import { during, progress, writeAbove } from "@pulumi-ovn/cli/testing";

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** A stream that keeps what is written to it. */
function stream(isTTY: boolean) {
  const written: string[] = [];
  return { written, to: { isTTY, write: (text: string) => written.push(text) > 0 } as unknown as NodeJS.WriteStream };
}

const CLEAR = "\r\u001b[K";

it("shows the duration of the work on a terminal, and removes the line afterwards", () => {
  const { written, to } = stream(true);
  {
    using _ = progress("pulumi preview", to);
    writeAbove("a warning\n", to.write);
    jest.advanceTimersByTime(1000);
  }
  jest.advanceTimersByTime(5000);
  const line = `${CLEAR}pulumi preview: 0 s`;
  expect(written).toEqual([line, CLEAR, "a warning\n", line, `${CLEAR}pulumi preview: 1 s`, CLEAR]);
});

it("shows how many parts are finished, once a second", () => {
  const { written, to } = stream(true);
  {
    using shown = progress("reading zones", to);
    const done = shown.count(3);
    done();
    done();
    jest.advanceTimersByTime(1000);
  }
  expect(written).toEqual([`${CLEAR}reading zones: 0 s`, `${CLEAR}reading zones: 0 of 3, 0 s`, `${CLEAR}reading zones: 2 of 3, 1 s`, CLEAR]);
});

it("is one line, also for nested work", () => {
  const { written, to } = stream(true);
  {
    using _ = progress("pulumi up", to);
    using inner = progress("pulumi preview", to);
    inner.count(2)();
  }
  expect(written).toEqual([`${CLEAR}pulumi up: 0 s`, CLEAR]);
});

it("writes nothing without a terminal", async () => {
  const { written, to } = stream(false);
  {
    using shown = progress("reading zones", to);
    shown.count(3)();
    writeAbove("a line\n", to.write);
  }
  expect(written).toEqual(["a line\n"]);
  expect(await during("reading zones", (count) => Promise.resolve(typeof count(1)))).toBe("function");
});

it("is cleared if the work fails", async () => {
  const { written, to } = stream(true);
  const failing = async () => {
    using _ = progress("pulumi up", to);
    await Promise.reject(new Error("failed"));
  };
  await expect(failing()).rejects.toThrow("failed");
  expect(written.at(-1)).toBe(CLEAR);
  using again = progress("pulumi up", to);
  expect([again.count(1) instanceof Function, written.at(-1)]).toEqual([true, `${CLEAR}pulumi up: 0 of 1, 0 s`]);
});
