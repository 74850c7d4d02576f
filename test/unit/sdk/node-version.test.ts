import { readFileSync } from "node:fs";
import { join } from "node:path";
import { nodeProblem } from "pulumi-ovn/testing";

const root = join(__dirname, "../../..");

it.each(["22.12.0", "22.12.1", "22.20.0", "23.0.0", "24.0.0", "100.1.0"])("has nothing against Node.js %s", (version) => {
  expect(nodeProblem(version)).toBeUndefined();
});

it.each(["22.11.9", "22.2.0", "20.20.2", "21.99.0", "18.20.8", "14.21.3", "0.12.18", "9.13.0"])("refuses Node.js %s in one line", (version) => {
  expect(nodeProblem(version)).toBe(`OVN_NODE: pulumi-ovn needs Node.js 22.12 or newer, and this is ${version} (${process.execPath})`);
});

it("equals the packages' requirement", () => {
  for (const folder of ["ovsdb-client", "provider", "agent", "cli", "sdk", "policies"]) {
    const { engines } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as { engines: { node: string } };
    expect(engines).toEqual({ node: ">=22.12" });
  }
});

it.each(["index.ts", "runtime.ts"])("is the first that sdk/%s loads", (entry) => {
  const [first] = readFileSync(join(root, "sdk", entry), "utf8").match(/^(?:import|export) .*$/m)!;
  expect(first).toBe('import "./require-node";');
});
