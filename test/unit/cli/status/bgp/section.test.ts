import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exposuresIn, stateIn } from "@pulumi-ovn/cli/testing";
import { commandLine } from "../../../../support/command-line";

const folder = mkdtempSync(join(tmpdir(), "status-bgp-"));
const state = join(folder, "state.json");

const resource = (name: string, outputs: object) => ({
  urn: `urn:pulumi:dev::net::pulumi-nodejs:dynamic/ovn:BgpExposure::${name}`,
  type: "pulumi-nodejs:dynamic/ovn:BgpExposure",
  inputs: {},
  outputs,
});
const exported = (...resources: object[]) => ({
  version: 3,
  deployment: { resources: [{ urn: "urn:pulumi:dev::net::pulumi:pulumi:Stack::net-dev", type: "pulumi:pulumi:Stack" }, ...resources] },
});
const save = (...resources: object[]) => writeFileSync(state, JSON.stringify(exported(...resources)));

/** A host on which these programs are, as shell scripts. */
function host(name: string, programs: Readonly<Record<string, string>>): object {
  const lines = Object.entries(programs).map(([program, text]) => `${program}() {\n${text}\n}`);
  // The words after it are `sh`, and the script comes by its input.
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\n{ cat <<'END'\n${lines.join("\n")}\nEND\ncat; } | "$@"\n`, { mode: 0o755 });
  return { command: [file] };
}
const targets = (hosts: Record<string, object>) => writeFileSync(join(folder, "targets.yaml"), JSON.stringify({ hosts }));

beforeEach(() => void (process.env["PULUMI_OVN_TARGETS"] = join(folder, "targets.yaml")));
afterAll(() => {
  delete process.env["PULUMI_OVN_TARGETS"];
  rmSync(folder, { recursive: true, force: true });
});

const OVN = { zone: "z", mode: "ovn", announced: { h1: ["198.51.100.5/32"], h2: ["198.51.100.6/32"] }, tables: { h1: [1201], h2: [1201] } };
const IP = `case "$*" in *-4*) echo '[{"dst":"198.51.100.5","type":"blackhole","protocol":"84"}]' ;; *) echo '[ ]' ;; esac`;
const VTYSH = `case "$*" in *ipv4*) echo '{"routes":{"198.51.100.5/32":[{}]}}' ;; *) echo '{}' ;; esac`;

it("shows each chassis with its errors; one that the targets lack is unreachable", async () => {
  save(resource("exposure", OVN));
  targets({ h1: host("h1", { ip: IP, vtysh: VTYSH }) });
  const { code, stdout, stderr } = await commandLine("status", "--state", state, "--cwd", folder);
  expect([code, stderr]).toEqual([1, ""]);
  expect(stdout.split("\n").map((line) => line.replace(/not configured.*/, "not configured"))).toEqual([
    "BGP exposure exposure: zone z, mode ovn, 2 chassis",
    "   CHASSIS  REACHED  TABLE  ANNOUNCED  DETAIL",
    "   h1       yes      1201   1 of 1",
    '!  h2       no       1201   0 of 1     OVN_HOST: host "h2" is not configured',
    "",
    "BGP exposure exposure: addresses",
    "   2 addresses: 1 not known, 1 announced; --all shows them",
    "",
  ]);
  const all = await commandLine("status", "--state", state, "--cwd", folder, "--all");
  expect(all.stdout).toMatch(/^ {3}h1 +198\.51\.100\.5\/32 +announced\n {3}h2 +198\.51\.100\.6\/32 +unknown$/m);
});

it("is a member of the object of --json, with exit code 0 without errors", async () => {
  save(resource("b", { ...OVN, announced: { h1: ["198.51.100.5/32"] }, tables: { h1: [1201] } }), resource("a", { zone: "z", mode: "ovn" }));
  targets({ h1: host("h1", { ip: IP, vtysh: VTYSH }) });
  const { code, stdout } = await commandLine("status", "--state", state, "--cwd", folder, "--json");
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    {
      version: 1,
      project: "net",
      stack: "dev",
      problems: 0,
      exposures: [
        { name: "a", zone: "z", mode: "ovn", chassis: [] },
        {
          name: "b",
          zone: "z",
          mode: "ovn",
          chassis: [{ chassis: "h1", tables: [1201], reached: true, problems: [], routes: [{ prefix: "198.51.100.5/32", state: "announced" }] }],
        },
      ],
    },
  ]);
});

it("does not distinguish FRR's own routes before version 9; reports why FRR does not answer", async () => {
  save(resource("exposure", { ...OVN, announced: { h1: ["198.51.100.5/32", "203.0.113.0/24"], h2: ["198.51.100.5/32"] } }));
  const eight = `case "$*" in *self-originate*) echo "% Unknown command: $*"; return 1 ;; *ipv4*) echo '{"routes":{"198.51.100.5/32":[{"peerId":"(unspec)"}],"203.0.113.0/24":[{"peerId":"10.0.0.9"}]}}' ;; *) echo '{}' ;; esac`;
  const two = `case "$*" in *-4*) echo '[{"dst":"198.51.100.5","protocol":"84"},{"dst":"203.0.113.0/24","protocol":"84"}]' ;; *) echo '[ ]' ;; esac`;
  targets({ h1: host("h1", { ip: two, vtysh: eight }), h2: host("h2", { ip: IP, vtysh: 'echo "Exiting: failed to connect to any daemons." >&2; return 1' }) });
  const { code, stdout } = await commandLine("status", "--state", state, "--cwd", folder, "--json");
  const {
    exposures: [exposure],
  } = JSON.parse(stdout) as { exposures: [{ chassis: object[] }] };
  expect([code, exposure.chassis]).toEqual([
    1,
    [
      {
        chassis: "h1",
        tables: [1201],
        reached: true,
        problems: [],
        routes: [
          { prefix: "198.51.100.5/32", state: "announced" },
          { prefix: "203.0.113.0/24", state: "not-originated" },
        ],
      },
      {
        chassis: "h2",
        tables: [1201],
        reached: true,
        problems: [{ source: "frr", code: null, message: "vtysh ended with 1: Exiting: failed to connect to any daemons." }],
        routes: [{ prefix: "198.51.100.5/32", state: "unknown" }],
      },
    ],
  ]);
});

it("asks the agent at the address of --agent, and reports one that does not answer", async () => {
  save(resource("exposure", { zone: "z", mode: "agent", announced: {}, tables: { h1: [1200] } }));
  targets({ h1: host("h1", { ip: IP, vtysh: VTYSH, timeout: 'echo "refused: $*" >&2; return 1' }) });
  const { code, stdout } = await commandLine("status", "--state", state, "--cwd", folder, "--json", "--agent", "127.0.0.1:9000");
  expect(code).toBe(1);
  const {
    exposures: [exposure],
  } = JSON.parse(stdout) as { exposures: [{ chassis: [{ problems: { source: string; message: string }[]; routes: object[] }] }] };
  expect(exposure.chassis[0]).toMatchObject({
    problems: [{ source: "agent", message: expect.stringMatching(/^no agent answers at 127\.0\.0\.1:9000: .* 127\.0\.0\.1 9000$/) }],
    routes: [{ prefix: "198.51.100.5/32", state: "unknown" }],
  });
});

it("reports a host as unreachable if its shell ends early, or never starts", async () => {
  save(resource("exposure", OVN));
  targets({ h1: { command: ["sh", "-c", "echo closed >&2; exit 255"] }, h2: host("h2", { ip: "exit 1" }) });
  const { stdout } = await commandLine("status", "--state", state, "--cwd", folder);
  expect(stdout).toMatch(/^! {2}h1 +no +1201 +0 of 1 +OVN_HOST_UNREACHABLE: "sh \.\.\." ended with status 255 before a shell began/m);
  expect(stdout).toMatch(/^! {2}h2 +no +1201 +0 of 1 +OVN_HOST_UNREACHABLE: ".*h2" ended with status 1 before its work was done/m);
});

it("refuses an invalid address of agents, and a state that hides what it needs", async () => {
  save(resource("exposure", { ...OVN, tables: { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" } }));
  expect(await commandLine("status", "--state", state, "--cwd", folder)).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/OVN_STATE: .*::exposure: tables\.\S+ can't be read from the state/),
  });
  expect(await commandLine("status", "--agent", "9475")).toEqual({
    code: 2,
    stdout: "",
    stderr: "pulumi-ovn status: OVN_USAGE: --agent 9475: expected ADDRESS:PORT, such as 127.0.0.1:9475 or [::1]:9475\n",
  });
});

it("shows no chassis for an exposure that is not written yet", () => {
  expect(exposuresIn(stateIn(JSON.stringify(exported(resource("new", { zone: "z", mode: "agent" }))), "it"))).toEqual([
    { name: "new", zone: "z", mode: "agent", announced: {}, tables: {} },
  ]);
});
