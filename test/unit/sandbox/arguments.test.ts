import { SandboxError } from "@pulumi-ovn/sandbox";
import { parseArguments, usage } from "@pulumi-ovn/sandbox/testing";

const parse = (line: string): unknown => parseArguments(line.split(" ").filter(Boolean));
const refusal = (line: string): string => {
  try {
    parse(line);
  } catch (error) {
    if (error instanceof SandboxError && error.code === "usage") return error.message.split("\n")[0]!;
  }
  throw new Error("not refused");
};

test.each([
  ["up", { command: "up", name: "default", hosts: undefined, hostsPerZone: undefined, ovn: true, frr: false, fabric: false, kubernetes: false }],
  [
    "up --hosts 10 --frr --name two",
    { command: "up", name: "two", hosts: 10, hostsPerZone: undefined, ovn: true, frr: true, fabric: false, kubernetes: false },
  ],
  ["up --hosts=10 --name=two", { command: "up", name: "two", hosts: 10, hostsPerZone: undefined, ovn: true, frr: false, fabric: false, kubernetes: false }],
  ["up --hosts 4 --hosts-per-zone 3", { command: "up", name: "default", hosts: 4, hostsPerZone: 3, ovn: true, frr: false, fabric: false, kubernetes: false }],
  ["up --no-ovn", { command: "up", name: "default", hosts: undefined, hostsPerZone: undefined, ovn: false, frr: false, fabric: false, kubernetes: false }],
  ["up --kubernetes", { command: "up", name: "default", hosts: undefined, hostsPerZone: undefined, ovn: true, frr: false, fabric: false, kubernetes: true }],
  ["up --fabric", { command: "up", name: "default", hosts: undefined, hostsPerZone: undefined, ovn: true, frr: false, fabric: true, kubernetes: false }],
  ["down --name two", { command: "down", name: "two" }],
  ["status", { command: "status", name: "default", as: "text" }],
  ["status --json", { command: "status", name: "default", as: "json" }],
  ["status --name two --zones", { command: "status", name: "two", as: "zones" }],
  ["status --targets", { command: "status", name: "default", as: "targets" }],
  ["exec vm1 ping -c3 203.203.0.18", { command: "exec", name: "default", namespace: "vm1", argv: ["ping", "-c3", "203.203.0.18"] }],
  ["exec --name two node1 ovn-nbctl --name other show", { command: "exec", name: "two", namespace: "node1", argv: ["ovn-nbctl", "--name", "other", "show"] }],
  ["--name two down", { command: "down", name: "two" }],
  ["--json status --name=two", { command: "status", name: "two", as: "json" }],
  ["--name two exec node1 ovn-nbctl --name other show", { command: "exec", name: "two", namespace: "node1", argv: ["ovn-nbctl", "--name", "other", "show"] }],
  ["--name two --help", { command: "help" }],
  ["", { command: "help" }],
  ["help", { command: "help" }],
  ["--help", { command: "help" }],
  ["up --help", { command: "help" }],
])("%j is understood", (line, request) => expect(parse(line)).toEqual(request));

test.each([
  ["begin", 'unknown command "begin"'],
  ["start", 'unknown command "start"'],
  ["stauts --json", 'unknown command "stauts"; did you mean "status"?'],
  ["--name two", "there is no command"],
  ["--name two dwon", 'unknown command "dwon"; did you mean "down"?'],
  ["up --host 3", 'unknown option --host; did you mean "--hosts"?'],
  ["up --kuberntes=yes", 'unknown option --kuberntes=yes; did you mean "--kubernetes"?'],
  ["up --verbose", "unknown option --verbose"],
  ["up --hosts", "--hosts needs a value"],
  ["up --hosts three", '--hosts needs a number, not "three"'],
  ["up --hosts-per-zone=some", '--hosts-per-zone needs a number, not "some"'],
  ["down --hosts-per-zone 2", "down has no option --hosts-per-zone"],
  ["status --json --zones", "status is --json or --zones, not both"],
  ["status --zones --targets", "status is --zones or --targets, not both"],
  ["up --json", "up has no option --json"],
  ["up now", 'up takes no "now"'],
  ["down --kubernetes", "down has no option --kubernetes"],
  ["down --frr", "down has no option --frr"],
  ["status --fabric", "status has no option --fabric"],
  ["exec", "exec needs a namespace and a command"],
  ["exec vm1", "exec needs a namespace and a command"],
  ["up --frr=yes", 'unknown option --frr=yes; did you mean "--frr"?'],
])("%j is refused", (line, message) => expect(refusal(line)).toBe(message));

test("a refusal names the command that shows the usage; without a command it contains the usage", () => {
  for (const line of ["begin", "exec vm1", "up --hosts=many"])
    expect(() => parse(line)).toThrow(expect.objectContaining({ code: "usage", remedy: "npm run -s sandbox -- help" }));
  expect(() => parse("--name it")).toThrow(expect.objectContaining({ code: "usage", remedy: usage.trimEnd() }));
});

test("a refusal with a nearest name is one line", () => {
  expect(() => parse("stauts")).toThrow(expect.objectContaining({ remedy: undefined }));
});

test.each([
  [{ npm_config_name: "two" }, "npm has taken --name for itself"],
  [{ npm_config_hosts_per_zone: "2" }, "npm has taken --hosts-per-zone for itself"],
  [{ npm_config_ovn: "" }, "npm has taken --no-ovn for itself"],
])("an option that npm has taken is refused: %j", (taken, message) => {
  const environment = { npm_lifecycle_event: "sandbox", ...taken };
  expect(() => parseArguments(["down"], environment)).toThrow(expect.objectContaining({ code: "usage", message: expect.stringContaining(message) }));
  // Another script's, such as that of the tests, which run this one.
  expect(parseArguments(["down"], { ...environment, npm_lifecycle_event: "test" })).toEqual({ command: "down", name: "default" });
});

test("npm's own settings are not options of the sandbox", () => {
  expect(parseArguments(["down"], { npm_lifecycle_event: "sandbox", npm_config_json: "true" })).toEqual({ command: "down", name: "default" });
});
