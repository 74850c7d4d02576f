import { questionOf, readTraceOptions as readOptions, stateIn, vpcsIn } from "@pulumi-ovn/cli/testing";
import { commandLine } from "../../../support/command-line";
import { vpcState } from "../../../support/vpc-state";
import { changed, SAMPLE } from "../../vpc/sample";

const resources = (state: object) => (state as { deployment: { resources: object[] } }).deployment.resources;
const read = (...states: object[]) => vpcsIn(stateIn(JSON.stringify({ version: 3, deployment: { resources: states.flatMap(resources) } }), "it"));
const blue = vpcState(SAMPLE);
const red = vpcState(
  changed((args) => {
    args.name = "red";
    args.tiers["web"]!.key = 2001;
    args.tiers["db"]!.key = 2002;
  }),
);

it.each([
  [["--from", "w1", "--to", "10.1.2.12"], { family: 4, source: "10.1.1.11", destination: "10.1.2.12", protocol: "icmp", port: undefined }],
  [["--from", "w1", "--to", "FD02:0::5"], { family: 6, source: "fd01:1::11", destination: "fd02::5", protocol: "icmpv6", port: undefined }],
  [
    ["--from", "w1", "--to", "8.8.8.8", "--protocol", "udp", "--port", "53"],
    { family: 4, source: "10.1.1.11", destination: "8.8.8.8", protocol: "udp", port: 53 },
  ],
  [["--from", "w1", "--to", "10.1.2.1"], { family: 4, source: "10.1.1.11", destination: "10.1.2.1", protocol: "icmp", port: undefined }],
  [["--from", "w1", "--to", "10.1.1.1", "--protocol", "47"], { family: 4, source: "10.1.1.11", destination: "10.1.1.1", protocol: "47", port: undefined }],
])("%j", (args, packet) => {
  expect(questionOf(read(blue), readOptions(args)).packet).toEqual(packet);
});

it("concerns the VPC of the workload, or the named one", () => {
  expect(questionOf(read(blue, red), readOptions(["--from", "w1", "--to", "10.1.2.12", "--vpc", "red"])).vpc.name).toBe("red");
});

const ask =
  (states: object[], ...args: string[]) =>
  () =>
    questionOf(read(...states), readOptions(args));

it.each([
  [ask([], "--from", "w1", "--to", "10.1.2.12"), 'the stack has no VPC; for networks of OVN run "pulumi-ovn simulate --live --explain"'],
  [ask([blue], "--from", "w1", "--to", "10.1.2.12", "--vpc", "bleu"), 'the stack has no VPC "bleu"; did you mean "blue"?'],
  [ask([blue], "--from", "w11", "--to", "10.1.2.12"), 'there is no workload "w11"; did you mean "w1"?'],
  [ask([blue, red], "--from", "w1", "--to", "10.1.2.12"), 'workload "w1" is in VPC "blue" and in "red"; pass --vpc'],
  [ask([blue], "--from", "d2", "--to", "fd01:1::11"), 'workload "d2" has no IPv6 address'],
  [ask([blue], "--from", "w1", "--to", "10.1.1.11"), '10.1.1.11 is an address of workload "w1" itself'],
  [ask([blue], "--from", "w1", "--to", "10.1.1.99"), '10.1.1.99 is in tier "web", which "w1" is in, and no workload\'s: no answer to its request for the MAC'],
  [ask([blue], "--from", "w1", "--to", "10.1.2.99"), "10.1.2.99 is in tier \"db\", and no workload's: no answer to the virtual router's request for the MAC"],
  [
    ask([vpcState(SAMPLE, { component: {} })], "--from", "w1", "--to", "10.1.2.12"),
    'the state of VPC "blue" does not contain the hosts of its workloads: run "pulumi up" once with this release; VpcBridges and LogicalRouterBridge without a Vpc do not store them',
  ],
])("refuses %#: %s", (question, message) => {
  expect(question).toThrow(expect.objectContaining({ code: "OVN_TRACE", message }));
});

it.each([
  [[], "--from WORKLOAD and --to ADDRESS are required"],
  [["--from", "w1"], "--from WORKLOAD and --to ADDRESS are required"],
  [["--from", "w1", "--to", "w2"], /^--to "w2": /],
  [["--from", "w1", "--to", "10.1.2.0/24"], /^--to "10\.1\.2\.0\/24": /],
  [["--from", "w1", "--to", "10.1.2.12,drop"], /^--to "10\.1\.2\.12,drop": /],
  [["--from", "w1", "--to", "224.0.0.1"], /^--to "224\.0\.0\.1": 224\.0\.0\.1 can't be the address of a port or host: 224\.0\.0\.0\/4 is for multicast/],
  [["--from", "w1", "--to", "127.0.0.1"], /^--to "127\.0\.0\.1": .* is for loopback/],
  [["--from", "w1", "--to", "fe80::1"], /^--to "fe80::1": .* is for link-local addresses/],
  [["--from", "w1", "--to", "10.1.2.12", "--protocol", "tcp"], "--port is required with tcp"],
  [["--from", "w1", "--to", "10.1.2.12", "--port", "80"], "--port is for tcp, udp and sctp; pass --protocol"],
  [["--from", "w1", "--to", "10.1.2.12", "--protocol", "tcp", "--port", "0"], '--port "0": expected a number from 1 to 65535'],
  [["--from", "w1", "--to", "10.1.2.12", "--protocol", "tcp", "--port", "65536"], '--port "65536": expected a number from 1 to 65535'],
  [["--from", "w1", "--to", "10.1.2.12", "--protocol", "256"], '--protocol "256": expected tcp, udp, sctp, icmp, icmpv6, or a number from 0 to 255'],
  [
    ["--from", "w1", "--to", "10.1.2.12", "--protocol", "tcp6", "--port", "80"],
    '--protocol "tcp6": expected tcp, udp, sctp, icmp, icmpv6, or a number from 0 to 255',
  ],
  [["--from", "w1", "--to", "10.1.2.12", "--protocol", "icmpv6"], "--protocol icmpv6: of IPv4 it is icmp"],
  [["--from", "w1", "--to", "fd01::1", "--protocol", "icmp"], "--protocol icmp: of IPv6 it is icmpv6"],
])("refuses %j as a usage error", async (args, message) => {
  const { code, stdout, stderr } = await commandLine("trace", ...args);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr.trim().replace("pulumi-ovn trace: OVN_USAGE: ", "")).toEqual(typeof message === "string" ? message : expect.stringMatching(message));
});
