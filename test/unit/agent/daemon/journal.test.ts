import { Journal } from "../../../../agent/daemon/journal";

test("a problem is written when it comes and when it goes, not when its words change", () => {
  const lines: string[] = [];
  const journal = new Journal((line) => lines.push(line));
  const problem = (message: string) => ({ code: "OVN_AGENT_SOUTHBOUND", subject: "tcp:192.0.2.1:6642", message });
  journal.problems([problem("no answer within 1666 ms")]);
  journal.problems([problem("no answer within 1701 ms")]);
  journal.problems([]);
  expect(lines).toEqual(["OVN_AGENT_SOUTHBOUND tcp:192.0.2.1:6642: no answer within 1666 ms", "over: OVN_AGENT_SOUTHBOUND tcp:192.0.2.1:6642"]);
});
