import { Connections } from "@pulumi-ovn/provider/targets";
import { joinWait, leaveWait } from "@pulumi-ovn/provider/testing";

afterEach(() => jest.restoreAllMocks());

test("resources of one VPC have one deadline, also shortly after a failed wait", () => {
  const targets = new Connections({});
  const now = jest.spyOn(performance, "now").mockReturnValue(1_000);
  const first = joinWait(targets, "blue");
  now.mockReturnValue(4_000);
  const second = joinWait(targets, "blue");
  leaveWait(first, false);
  now.mockReturnValue(5_000);
  leaveWait(second, false);
  now.mockReturnValue(5_999);
  const third = joinWait(targets, "blue");
  leaveWait(third, false);
  now.mockReturnValue(6_999);
  expect([second.startedAt, third.startedAt, joinWait(targets, "blue").startedAt]).toEqual([1_000, 1_000, 6_999]);
});

test("a successful wait ends the deadline, and other VPCs and connections have their own", () => {
  const targets = new Connections({});
  const now = jest.spyOn(performance, "now").mockReturnValue(1_000);
  const first = joinWait(targets, "blue");
  now.mockReturnValue(2_000);
  expect([joinWait(targets, "red").startedAt, joinWait(new Connections({}), "blue").startedAt]).toEqual([2_000, 2_000]);
  leaveWait(first, true);
  expect(joinWait(targets, "blue").startedAt).toBe(2_000);
});
