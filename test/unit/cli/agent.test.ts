import { commandLine } from "../../support/command-line";

test.each<[string[], string]>([
  [["--once", "--withdraw"], "--once or --withdraw, not both"],
  [["--once", "--listen", "127.0.0.1:1"], "--listen is of no use with --once"],
  [["--listen", "9475"], "--listen 9475: expected ADDRESS:PORT, such as 127.0.0.1:9475 or [::1]:9475"],
  [["--openvswitch", "foo"], '--openvswitch: endpoint "foo": it must start with unix:, tcp:, ssl: or exec:'],
  [["--southbound", "tcp:10.0.0.1:6642,ssl:10.0.0.2"], '--southbound: endpoint "ssl:10.0.0.2": the port is missing: ssl:10.0.0.2:PORT'],
  [["--northbound", "unix:"], '--northbound: endpoint "unix:": the path is missing'],
  [["--certificate", "c.pem"], "--certificate and --private-key must be given together"],
  [["--vrf="], "--vrf needs a value"],
  ...["a b", "1234567890123456", "-x", "x\ny", "default"].map((name): [string[], string] => [
    [`--vrf=${name}`],
    `--vrf ${name}: expected the name of a device: 1 to 15 letters, digits, "_", "-" and ".", not first one of the last two, and not "all", "default" or "route-map"`,
  ]),
  [["--vpc", "--folder", "x"], "--vpc: --folder x: expected a path from / on"],
  [["--vpc", "--openvswitch", "foo"], '--vpc: --openvswitch: endpoint "foo": it must start with unix:, tcp:, ssl: or exec:'],
  [["--vpc", "--listen", "9476"], "--vpc: --listen 9476: expected ADDRESS:PORT, such as 127.0.0.1:9476 or [::1]:9476"],
  [["--vpc", "--southbound", "unix:x"], "--southbound is not for --vpc"],
  [["--folder", "/x"], "--folder is for --vpc only"],
  [["--bgp", "--vpc", "--withdraw"], "--withdraw is not for --vpc"],
  [["--bgp", "--vpc", "--dry-run"], "--dry-run is not for --vpc"],
  [["--bgp", "--vpc", "--folder", "x"], "--folder x: expected a path from / on"],
  [["--bgp", "--vpc", "--vpc-listen", "1"], "--vpc-listen 1: expected ADDRESS:PORT, such as 127.0.0.1:9476 or [::1]:9476"],
  [["--vpc", "--vpc-listen", "127.0.0.1:1"], "--vpc-listen is for --bgp with --vpc only"],
  [["--vpc", "--southbond", "x"], 'there is no option "--southbond"; did you mean "--southbound"?'],
  [["--southbond", "x"], 'there is no option "--southbond"; did you mean "--southbound"?'],
])("agent %j is refused before it connects", async (args, message) => {
  expect(await commandLine("agent", ...args)).toEqual({ code: 2, stdout: "", stderr: `pulumi-ovn agent: OVN_USAGE: ${message}\n` });
});
