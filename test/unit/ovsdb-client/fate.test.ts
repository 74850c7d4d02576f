import { ConnectionError, ProtocolError } from "@pulumi-ovn/ovsdb-client";
import { type Call, expired, lost, type Nature, newCall } from "@pulumi-ovn/ovsdb-client/testing";

const nothing = () => undefined;
const call = (nature: Nature, { sent = false, aborted = false } = {}): Call =>
  Object.assign(newCall("transact", [], nature, Infinity, { reply: nothing, fail: nothing }), { sent, aborted });
const gone = new ConnectionError("gone", { endpoint: "unix:e" });
const garbage = new ProtocolError("garbage", { endpoint: "unix:e" });
const SENT = { sent: true };
const ABORTED = { sent: true, aborted: true };

describe("a connection is lost", () => {
  test.each<[string, Call]>([
    ["a read that waits", call("read")],
    ["a read that was sent", call("read", SENT)],
    ["a write that waits", call("write")],
    ["a write that waits, and was given up", call("write", { aborted: true })],
  ])("%s goes to the next one, and fails where none comes", (_what, open) => {
    expect(lost(open, gone, true)).toBeUndefined();
    expect(lost(open, gone, false)).toBe(gone);
  });

  test("a read that was answered with garbage fails, one that was not sent yet does not", () => {
    expect(lost(call("read", SENT), garbage, true)).toBe(garbage);
    expect(lost(call("read"), garbage, true)).toBeUndefined();
  });

  test.each<[string, Call, string]>([
    ["was sent", call("write", SENT), "transact was sent, and no reply came"],
    ["was sent and given up", call("write", ABORTED), "transact was aborted, and the connection was lost"],
  ])("nobody knows what became of a write that %s", (_what, open, message) => {
    for (const goesOn of [true, false])
      expect(lost(open, gone, goesOn)).toMatchObject({ code: "OVSDB_OUTCOME_UNKNOWN", message: expect.stringContaining(message) as string, cause: gone });
  });

  test("what belongs to the connection ends with it, given up or not", () => {
    for (const how of [{}, SENT, ABORTED]) expect(lost(call("session", how), gone, true)).toBe(gone);
    expect(lost(call("read", ABORTED), gone, true)).toBeUndefined();
  });
});

describe("the time of a call is up", () => {
  const late = (open: Call, why?: ConnectionError) => {
    const { code, message } = expired(open, "unix:e", why);
    return [code, message.replace(/^unix:e: /, "")];
  };

  test("before it was sent: why there was no connection, or that the server takes no more", () => {
    expect(late(call("write"), gone)).toEqual(["OVSDB_CONNECTION", expect.stringMatching(/^transact could not be sent within its timeout: .*gone$/)]);
    expect(late(call("read"))).toEqual(["OVSDB_CONNECTION", "transact could not be sent within its timeout: the server takes no more"]);
  });

  test("after that: of a write nothing is known", () => {
    expect(late(call("read", SENT))).toEqual(["OVSDB_TIMEOUT", "transact: no reply within the timeout"]);
    expect(late(call("session", SENT))[0]).toBe("OVSDB_TIMEOUT");
    expect(late(call("write", SENT))).toEqual(["OVSDB_OUTCOME_UNKNOWN", "transact was sent, and no reply came within the timeout"]);
    expect(late(call("write", ABORTED))).toEqual(["OVSDB_OUTCOME_UNKNOWN", "transact was aborted, and the server did not say what became of it"]);
  });
});
