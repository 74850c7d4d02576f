import { Journal } from "@pulumi-ovn/agent/testing";

test("a problem is logged when it starts and ends, not when its message changes", () => {
  const lines: string[] = [];
  const journal = new Journal((line) => lines.push(line));
  const problem = (message: string) => ({ code: "OVN_AGENT_SOUTHBOUND", subject: "tcp:192.0.2.1:6642", message });
  journal.problems([problem("no answer within 1666 ms")]);
  journal.problems([problem("no answer within 1701 ms")]);
  journal.problems([]);
  expect(lines).toEqual(["OVN_AGENT_SOUTHBOUND tcp:192.0.2.1:6642: no answer within 1666 ms", "over: OVN_AGENT_SOUTHBOUND tcp:192.0.2.1:6642"]);
});

test("names from others can't add log lines or control a terminal", () => {
  const lines: string[] = [];
  const journal = new Journal((line) => lines.push(line));
  journal.problems([{ code: "OVN_AGENT_OVERLAP", subject: "net\n\u001b[2J", message: "net\nOVN_AGENT_OK\u001b[2J" }]);
  journal.problems([]);
  expect(lines).toHaveLength(2);
  for (const line of lines) expect([...line].filter((letter) => letter < " ")).toEqual([]);
});
