import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { type ProjectArgs, projectSettings } from "@pulumi-ovn/cli/testing";
import { targetsOf } from "@pulumi-ovn/provider/targets";

const template = (name: string) => readFileSync(join(__dirname, "../../../../templates/ovn-typescript", name), "utf8");
const ARGS: ProjectArgs = {
  project: "fabric",
  stack: "prod",
  zones: { node1: { northbound: "unix:/run/nb.sock" } },
  folder: "/home/me",
  dependencies: { "@pulumi/pulumi": "^3.270.0", "pulumi-ovn": "^0.2.0" },
};
const files = (args: Partial<ProjectArgs> = {}) => Object.fromEntries(projectSettings({ ...ARGS, ...args }).map(({ name, text }) => [name, text]));
const zonesOf = (zones: ProjectArgs["zones"]) => (parse(files({ zones })["targets.prod.yaml"]!) as { zones: unknown }).zones;

it("is the template's project with its own name", () => {
  const written = files();
  const { name, ...rest } = JSON.parse(written["package.json"]!) as { name: string };
  const { name: _template, ...expected } = JSON.parse(template("package.json")) as { name: string };
  expect([name, rest]).toEqual(["fabric", expected]);
  expect(JSON.parse(written["tsconfig.json"]!)).toEqual(JSON.parse(template("tsconfig.json")));
  expect(written[".gitignore"]).toBe(template(".gitignore"));
});

it("names its stack, and its zones in a file of targets that the provider can read", () => {
  const written = files();
  expect(Object.keys(written).sort()).toEqual([".gitignore", "Pulumi.prod.yaml", "Pulumi.yaml", "package.json", "targets.prod.yaml", "tsconfig.json"]);
  expect(parse(written["Pulumi.yaml"]!)).toEqual({ name: "fabric", runtime: "nodejs" });
  expect(parse(written["Pulumi.prod.yaml"]!)).toEqual({ config: { "ovn:targets": "targets.prod.yaml" } });
  expect(targetsOf(parse(written["targets.prod.yaml"]!), "it")).toEqual({ zones: ARGS.zones, hosts: {}, clusters: {} });
  expect(
    projectSettings(ARGS)
      .filter(({ targets }) => targets)
      .map(({ name }) => name),
  ).toEqual(["targets.prod.yaml"]);
});

it("makes relative paths absolute, and keeps hosts, commands and names", () => {
  expect(
    zonesOf({
      a: {
        northbound: "unix:nb.sock, unix:/run/b.sock,tcp:10.0.0.1:6641",
        southbound: "exec:ssh a nc -U run/sb.sock",
        openvswitch: "unix:../ovs.sock",
        timeout: 3,
      },
    }),
  ).toEqual({
    a: {
      northbound: "unix:/home/me/nb.sock,unix:/run/b.sock,tcp:10.0.0.1:6641",
      southbound: "exec:ssh a nc -U run/sb.sock",
      openvswitch: "unix:/home/ovs.sock",
      timeout: 3,
    },
  });
  expect(
    zonesOf({ a: { northbound: "ssl:10.0.0.1:6641", tls: { ca: "ca.pem", certificate: "/etc/c.pem", serverName: "nb", checkServerName: false } } }),
  ).toEqual({
    a: { northbound: "ssl:10.0.0.1:6641", tls: { ca: "/home/me/ca.pem", certificate: "/etc/c.pem", serverName: "nb", checkServerName: false } },
  });
});

it.each([
  ["Fabric", "fabric"],
  ["_net.1", "net.1"],
  ["...", "imported"],
])("names the package of project %s %s", (project, name) => {
  expect((JSON.parse(files({ project })["package.json"]!) as { name: string }).name).toBe(name);
  expect(parse(files({ project })["Pulumi.yaml"]!)).toMatchObject({ name: project });
});
