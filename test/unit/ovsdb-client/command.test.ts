import { describeCommand, replacingShell, withoutCommand } from "@pulumi-ovn/ovsdb-client/testing";

describe("the shell replaces itself by a single program", () => {
  test.each([
    ["ssh node1 nc -U /x", "exec ssh node1 nc -U /x"],
    [" /usr/bin/ssh  node1", " exec /usr/bin/ssh  node1"],
    ["A=1 ssh node1", "A=1 exec ssh node1"],
    [`A='x y' B="z;" C= ssh node1`, `A='x y' B="z;" C= exec ssh node1`],
    [`ssh node1 "a; b" 'c | d' e\\;f "g\\"; h"`, `exec ssh node1 "a; b" 'c | d' e\\;f "g\\"; h"`],
    ['ssh "$(cat host)" $USER', 'exec ssh "$(cat host)" $USER'],
  ])("%j", (command, replacing) => {
    expect(replacingShell(command)).toBe(replacing);
  });

  test.each([
    "a; b",
    "a | b",
    "a && b",
    "a & b",
    "a > b",
    "a < b",
    "a $(b)",
    "a `b`",
    "(a)",
    "{ a; }",
    "a\nb",
    "if a; then b; fi",
    "! a",
    "cd /x",
    "exec a",
    "command a",
    "A=1",
    "A=$(b) c",
    "A=$B c",
    "'a' b",
    '"a" b',
    "a 'b",
    "$A b",
    "~/a b",
  ])("%j needs the shell", (command) => {
    expect(replacingShell(command)).toBeUndefined();
  });
});

describe("a command in messages", () => {
  test.each([
    ["ssh", "ssh"],
    ["ssh x", "ssh ..."],
    ["A=1 ssh", "ssh ..."],
    ["a;b", "a ..."],
    ["$(a) b", "..."],
  ])("%j", (command, shown) => {
    expect(describeCommand(command)).toBe(shown);
  });

  test.each([
    ["ssh -p 1 node1", "sh: ssh -p 1 node1: failed", "sh: ssh ...: failed"],
    ["TOKEN=abcd ssh --key=efgh node1", "abcd efgh node1", "... ... node1"],
    ["TOKEN='ab cd' sh -c 'x y; z'", "ab cd: x y; z", "...: ..."],
    ["a\n  ssh secret", "line 2: ssh secret", "line 2: a ..."],
    ["N=1 ssh", "1 of 10", "1 of 10"],
    ["X='$&$1' ssh", "$&$1", "..."],
    ["ssh", "sh: ssh: not found", "sh: ssh: not found"],
  ])("what %j said", (command, text, shown) => {
    expect(withoutCommand(text, command)).toBe(shown);
  });
});
