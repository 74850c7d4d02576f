import { cleaned, hideLive } from "@pulumi-ovn/provider/testing";
import { ALL_HIDDEN } from "@pulumi-ovn/provider/tools";

const open = { "Port a": "token=hunter2", "Port b": "mac=5" };
const shown = { "Port a": "token=[secret]", "Port b": "mac=5" };
const liveState = { digest: "d", open, shown };

it("shows an unchanged state with the lines of the check", () => {
  expect(hideLive({ lines: open, digest: "d", drift: {} }, liveState)).toEqual({ lines: shown, drift: {} });
});

it("shows drift of lines without a secret, and that others have drifted", () => {
  const live = {
    lines: { "Port a": "token=before", "Port b": "mac=6" },
    digest: "x",
    drift: { "Port a": "token=before instead of token=hunter2", "Port b": "mac=6 instead of mac=5" },
  };
  expect(hideLive(live, liveState)).toEqual({
    lines: { "Port a": "[secret]", "Port b": "mac=6" },
    drift: { "Port a": "[secret]", "Port b": "mac=6 instead of mac=5" },
  });
});

it("hides a drifted state with unknown lines, because their labels could show a secret", () => {
  const surplus = { lines: { ...open, "Port hunter1": "mac=7" }, digest: "x", drift: { "Port hunter1": "surplus" } };
  expect(hideLive(surplus, liveState)).toEqual({ lines: ALL_HIDDEN, drift: {} });
  expect(
    hideLive({ lines: open, digest: "x", drift: { "Port b": "odd" } }, { ...liveState, shown: { "Port [secret]": "token=[secret]", "Port b": "mac=5" } }),
  ).toEqual({ lines: ALL_HIDDEN, drift: {} });
  expect(hideLive({ lines: open, digest: "d", drift: {} }, { ...liveState, shown: undefined })).toEqual({ lines: ALL_HIDDEN, drift: {} });
});

it("omits drift under labels without a line", () => {
  expect(hideLive({ lines: shown, digest: "x", drift: { "Port hunter1": "missing" } }, liveState).drift).toEqual({});
});

it("cleans labels and texts, and keeps labels distinct", () => {
  expect(cleaned({ "Port hunter2": "a=HUNTER2", "Port Hunter2": "a=1" }, /hunter2/gi)).toEqual({ "Port [secret]": "a=[secret]", "Port [secret] 2": "a=1" });
  expect(cleaned(open, undefined)).toBe(open);
});
