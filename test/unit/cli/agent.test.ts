import { commandLine } from "../../support/command-line";

test.each([
  [["--once", "--withdraw"], "--once or --withdraw, not both"],
  [["--once", "--listen", "127.0.0.1:1"], "--listen is of no use with --once"],
  [["--listen", "9475"], "--listen 9475: expected ADDRESS:PORT, such as 127.0.0.1:9475 or [::1]:9475"],
  [["--certificate", "c.pem"], "--certificate and --private-key come together"],
  [["--southbond", "x"], 'there is no option "--southbond"; did you mean "--southbound"?'],
])("agent %j is refused before anything is reached", async (args, message) => {
  expect(await commandLine("agent", ...args)).toEqual({ code: 2, stdout: "", stderr: `pulumi-ovn agent: OVN_USAGE: ${message}\n` });
});
