import { duration, sandboxesFolder, sandboxFolder, step } from "@pulumi-ovn/sandbox/testing";

test("the folder is the user's choice, or the user's own in the temporary folder", () => {
  expect(sandboxesFolder({ PULUMI_OVN_RUN: "/r" })).toBe("/r");
  expect(sandboxesFolder({})).toMatch(/\/pulumi-ovn-\d+$/);
  expect(sandboxFolder("two", { PULUMI_OVN_RUN: "/r" })).toBe("/r/two");
});

test("a folder in which sockets would have too long paths is refused", () => {
  const longest = `/${"x".repeat(107 - "/node100/ovs-vswitchd.1234567.ctl".length - "/two".length - 1)}`;
  expect(sandboxFolder("two", { PULUMI_OVN_RUN: longest })).toBe(`${longest}/two`);
  expect(() => sandboxFolder("two", { PULUMI_OVN_RUN: `${longest}x` })).toThrow(expect.objectContaining({ code: "folder" }));
});

test("a folder that is hidden inside of a sandbox is refused", () => {
  for (const folder of ["/run/user/0", "/var/run/x"])
    expect(() => sandboxFolder("two", { PULUMI_OVN_RUN: folder })).toThrow(expect.objectContaining({ code: "folder" }));
});

test.each([
  [0.4, "0 ms"],
  [999.4, "999 ms"],
  [1000, "1.0 s"],
  [59_949, "59.9 s"],
  [59_951, "1 min 0 s"],
  [252_000, "4 min 12 s"],
])("%d ms is %s", (milliseconds, text) => {
  expect(duration(milliseconds)).toBe(text);
});

test("a step shows its title, its reports, and its end", async () => {
  const lines: string[] = [];
  expect(
    await step(
      "Fetch",
      async (report) => {
        report("half");
        return 7;
      },
      (text) => lines.push(text),
    ),
  ).toBe(7);
  expect(lines.slice(0, 2)).toEqual(["> Fetch\n", "    half\n"]);
  expect(lines[2]).toMatch(/^ {4}done in \d+ ms\n$/);
});
