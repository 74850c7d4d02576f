import { ConnectionError, ProtocolError } from "@pulumi-ovn/ovsdb-client";
import { type Call, expired, lost, type Nature, newCall } from "@pulumi-ovn/ovsdb-client/testing";

const nothing = () => undefined;
const call = (nature: Nature, { sent = false, aborted = false } = {}): Call =>
  Object.assign(newCall("transact", [], nature, Infinity, { reply: nothing, fail: nothing }), { sent, aborted });
const gone = new ConnectionError("gone", { endpoint: "unix:e" });
const garbage = new ProtocolError("garbage", { endpoint: "unix:e" });
const SENT = { sent: true };
const ABORTED = { sent: true, aborted: true };

describe("after a lost connection", () => {
  test.each<[string, Call]>([
    ["a read that waits", call("read")],
    ["a read that was sent", call("read", SENT)],
    ["a write that waits", call("write")],
    ["a write that waits, and was given up", call("write", { aborted: true })],
  ])("%s is sent on the next one, and fails without one", (_what, open) => {
    expect(lost(open, gone, true)).toBeUndefined();
    expect(lost(open, gone, false)).toBe(gone);
  });

  test("an invalid answer fails its read, not the reads that were not sent", () => {
    expect(lost(call("read", SENT), garbage, true)).toBe(garbage);
    expect(lost(call("read"), garbage, true)).toBeUndefined();
  });

  test.each<[string, Call, string]>([
    ["was sent", call("write", SENT), "transact was sent, and no reply came"],
    ["was sent and given up", call("write", ABORTED), "transact was aborted, and the connection was lost"],
  ])("the outcome of a write is unknown if it %s", (_what, open, message) => {
    for (const goesOn of [true, false])
      expect(lost(open, gone, goesOn)).toMatchObject({ code: "OVSDB_OUTCOME_UNKNOWN", message: expect.stringContaining(message) as string, cause: gone });
  });

  test("calls that belong to the connection end, also abandoned ones", () => {
    for (const how of [{}, SENT, ABORTED]) expect(lost(call("session", how), gone, true)).toBe(gone);
    expect(lost(call("read", ABORTED), gone, true)).toBeUndefined();
  });
});

describe("after a call's timeout", () => {
  const late = (open: Call, why?: ConnectionError) => {
    const { code, message } = expired(open, "unix:e", why);
    return [code, message.replace(/^unix:e: /, "")];
  };

  test("an unsent call reports why there was no connection, or that the server reads no more", () => {
    expect(late(call("write"), gone)).toEqual(["OVSDB_CONNECTION", expect.stringMatching(/^transact could not be sent within its timeout: .*gone$/)]);
    expect(late(call("read"))).toEqual(["OVSDB_CONNECTION", "transact could not be sent within its timeout: the server takes no more"]);
  });

  test("the outcome of a sent write is unknown", () => {
    expect(late(call("read", SENT))).toEqual(["OVSDB_TIMEOUT", "transact: no reply within the timeout"]);
    expect(late(call("session", SENT))[0]).toBe("OVSDB_TIMEOUT");
    expect(late(call("write", SENT))).toEqual(["OVSDB_OUTCOME_UNKNOWN", "transact was sent, and no reply came within the timeout"]);
    expect(late(call("write", ABORTED))).toEqual(["OVSDB_OUTCOME_UNKNOWN", "transact was aborted, and the server did not say what became of it"]);
  });
});
