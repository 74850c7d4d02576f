import { follow, type Look } from "@pulumi-ovn/cli/testing";

/** Looks, one after the other; the signal is given when the last has been handed out. */
async function followed(...looks: (Look | Error)[]) {
  const written: string[] = [];
  const ending = new AbortController();
  let n = 0;
  const look = () => {
    const next = looks[n++]!;
    if (n === looks.length) ending.abort();
    return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
  };
  const last = await follow(look, {
    pause: 1,
    signal: ending.signal,
    head: () => "> ",
    write: (text) => void written.push(text),
    failed: ({ message }) => void written.push(`failed: ${message}`),
  });
  return { written, last };
}
const at = (text: string, exitCode = 0): Look => ({ text, exitCode });

it("prints the first result, and then only changes", async () => {
  expect(await followed(at("a"), at("a"), at("b", 1), at("b", 1), at("a"), at("c", 2))).toEqual({ written: ["> a", "> b", "> a", "> c"], last: at("c", 2) });
});

it("reports a failed read, and continues", async () => {
  expect(await followed(at("a"), new Error("no state"), at("a"), at("b"))).toEqual({ written: ["> a", "failed: no state", "> b"], last: at("b") });
});

it("has exit code 1 if the last read failed, and that of the last successful one otherwise", async () => {
  expect((await followed(at("a"), new Error("no state"), new Error("no state"))).last.exitCode).toBe(1);
  expect((await followed(at("a"), at("b", 3), new Error("no state"))).last).toEqual(at("b", 1));
  expect((await followed(at("a"), new Error("no state"), at("a"))).last).toEqual(at("a"));
});

it("fails if the first read fails", async () => {
  await expect(followed(new Error("no state"), at("a"))).rejects.toThrow("no state");
});

it("ends during a pause", async () => {
  const ending = new AbortController();
  const running = follow(() => Promise.resolve(at("a", 3)), {
    pause: 3_600_000,
    signal: ending.signal,
    head: () => "",
    write: () => setImmediate(() => ending.abort()),
    failed: () => {},
  });
  expect(await running).toEqual(at("a", 3));
});
