import { mkdirSync, mkdtempSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasKubernetesPlugin } from "@pulumi-ovn/sandbox";
import { installKubernetesPlugin } from "@pulumi-ovn/sandbox/testing";

const PLUGIN = "pulumi-resource-kubernetes";
const OF_HOME = "plugins/resource-kubernetes-v4.25.0";

const before = { ...process.env };
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "plugin-"));
  Object.assign(process.env, { PULUMI_HOME: join(folder, "home"), PULUMI_OVN_CACHE: join(folder, "cache") });
});
afterEach(() => {
  for (const name of ["PULUMI_HOME", "PULUMI_OVN_CACHE"]) {
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
  }
  rmSync(folder, { recursive: true });
});

/** A plugin in a folder; returns its path. */
function plugin(...path: string[]): string {
  const own = join(folder, ...path);
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, PLUGIN), "", { mode: 0o755 });
  return join(own, PLUGIN);
}

/** The plugin that a new Pulumi home gets. */
async function installed(name: string): Promise<string> {
  await installKubernetesPlugin(join(folder, name), () => undefined);
  return readlinkSync(join(folder, name, OF_HOME, PLUGIN));
}

it("uses the plugin of the user's Pulumi home before the built one", async () => {
  expect(hasKubernetesPlugin()).toBe(false);
  const built = plugin("cache", "pulumi-resource-kubernetes-4.25.0");
  expect(hasKubernetesPlugin()).toBe(true);
  expect(await installed("first")).toBe(built);
  const users = plugin("home", OF_HOME);
  expect(await installed("second")).toBe(users);
});

it("ignores a plugin of another version", () => {
  plugin("home/plugins/resource-kubernetes-v4.24.0");
  expect(hasKubernetesPlugin()).toBe(false);
});
