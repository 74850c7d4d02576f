import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(__dirname, "../../..");
const text = (file: string): string => readFileSync(join(root, file), "utf8");
const FILE = "systemd/pulumi-ovn-agent.service";

test("the agent's unit for systemd is as docs/bgp-agent.md shows it, and in the package that the page names", () => {
  const page = text("docs/bgp-agent.md");
  expect(page).toContain(`\`\`\`ini\n${text(`agent/${FILE}`)}\`\`\``);
  expect(page).toContain(`node_modules/@pulumi-ovn/agent/${FILE}`);
  expect((JSON.parse(text("agent/package.json")) as { files: string[] }).files).toContain("systemd/*.service");
});

test("what the unit runs is a command and options that there are", () => {
  const [, command] = /^ExecStart=\/opt\/pulumi-ovn\/node_modules\/\.bin\/(.*)$/m.exec(text(`agent/${FILE}`)) ?? [];
  expect(command).toBe("pulumi-ovn agent");
  expect((JSON.parse(text("sdk/package.json")) as { bin: Record<string, string> }).bin).toHaveProperty("pulumi-ovn");
});
