import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const projectRoot = join(__dirname, "../../..");

/** Names of packages in the bill of a workspace of this repository. */
function bills(...names: string[]): Record<string, string[]> {
  const text = `
    import { billOf } from ${JSON.stringify(pathToFileURL(join(projectRoot, "scripts/bill-of-materials.mjs")).href)};
    import { execFileSync } from "node:child_process";
    import { readFileSync } from "node:fs";
    const whole = JSON.parse(execFileSync("npm", ["sbom", "--sbom-format=cyclonedx", "--loglevel=error"], { encoding: "utf8", maxBuffer: 1 << 28 }));
    const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
    const of = (name) => billOf(whole, lock, name + "@" + lock.version).components.map((component) => component.name);
    console.log(JSON.stringify(Object.fromEntries(${JSON.stringify(names)}.map((name) => [name, of(name)]))));`;
  const output = execFileSync(process.execPath, ["--input-type=module", "--eval", text], { cwd: projectRoot, encoding: "utf8" });
  return JSON.parse(output) as Record<string, string[]>;
}

it("contains each package's dependencies, and no development or optional peer dependencies", () => {
  const found = bills("@pulumi-ovn/ovsdb-client", "@pulumi-ovn/agent", "@pulumi-ovn/policies");
  expect(found["@pulumi-ovn/ovsdb-client"]).toEqual([]);
  expect(found["@pulumi-ovn/agent"]!.sort()).toEqual(["@pulumi-ovn/ovsdb-client", "@pulumi-ovn/provider", "fastest-levenshtein", "ipaddr.js", "yaml", "zod"]);
  expect(found["@pulumi-ovn/policies"]).toEqual(expect.arrayContaining(["@grpc/grpc-js", "@pulumi/policy", "@pulumi/pulumi", "google-protobuf"]));
  expect(found["@pulumi-ovn/policies"]).not.toContain("jest");
});
