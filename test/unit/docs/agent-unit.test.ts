import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(__dirname, "../../..");
const text = (file: string): string => readFileSync(join(root, file), "utf8");
const FILE = "systemd/pulumi-ovn-agent.service";
const VPC_FILE = "systemd/pulumi-ovn-vpc-agent.service";
const BOTH_FILE = "systemd/pulumi-ovn-agents.service";

test.each([
  ["docs/how-to/bgp-agent.md", FILE],
  ["docs/how-to/vpc-agent.md", VPC_FILE],
  ["docs/how-to/vpc-agent.md", BOTH_FILE],
])("%s names the unit for systemd by its path in the package", (name, file) => {
  // The tarball that `npm run vendor` makes of pulumi-ovn has the agent as a folder.
  expect(text(name)).toMatch(new RegExp(`node_modules/@?pulumi-ovn/agent/${file}`));
  expect(text(`agent/${file}`)).toContain("[Service]");
  expect((JSON.parse(text("agent/package.json")) as { files: string[] }).files).toContain("systemd/*.service");
});

test("what the unit runs is a command and options that there are", () => {
  const [, command] = /^ExecStart=\/opt\/pulumi-ovn\/node_modules\/\.bin\/(.*)$/m.exec(text(`agent/${FILE}`)) ?? [];
  expect(command).toBe("pulumi-ovn agent");
  expect((JSON.parse(text("sdk/package.json")) as { bin: Record<string, string> }).bin).toHaveProperty("pulumi-ovn");
});

test("the units of a VPC's host run programs of the agent's package", () => {
  const commands = [BOTH_FILE, VPC_FILE].map((file) => /^ExecStart=\/opt\/pulumi-ovn\/node_modules\/\.bin\/(.*)$/m.exec(text(`agent/${file}`))?.[1]);
  const { bin, files } = JSON.parse(text("agent/package.json")) as { bin: Record<string, string>; files: string[] };
  const [both, vpc] = Object.keys(bin);
  expect([[`${both!} --bgp --vpc`, vpc], files]).toEqual([commands, expect.arrayContaining(["bin/*.js"])]);
});
