import { until } from "../../../sandbox/process";

const VARIABLE = "PULUMI_OVN_PATIENCE";
const before = process.env[VARIABLE];
afterEach(() => {
  if (before === undefined) delete process.env[VARIABLE];
  else process.env[VARIABLE] = before;
});

test.each<[string | undefined, number]>([
  [undefined, 20],
  ["3", 60],
  ["0.5", 10],
  ["much", 20],
])("a wait with patience %s", async (patience, milliseconds) => {
  delete process.env[VARIABLE];
  if (patience !== undefined) process.env[VARIABLE] = patience;
  await expect(until("nothing", 20, () => false)).rejects.toMatchObject({ code: "timeout", message: `nothing: not within ${milliseconds} ms` });
  expect(await until("something", 20, () => "it")).toBe("it");
});
