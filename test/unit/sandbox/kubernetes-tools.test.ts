import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { kubernetesPrograms } from "@pulumi-ovn/sandbox";
import { type GoTool, projectRoot } from "@pulumi-ovn/sandbox/testing";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "assets-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const silent = () => undefined;
const program = (name: string): void => writeFileSync(join(folder, name), "", { mode: 0o755 });

test("programs of KUBEBUILDER_ASSETS are used unchanged", async () => {
  program("etcd");
  program("kube-apiserver");
  expect(await kubernetesPrograms(silent, { KUBEBUILDER_ASSETS: folder })).toEqual({ etcd: join(folder, "etcd"), apiServer: join(folder, "kube-apiserver") });
});

test("a single one of them is not used: both must be from one folder", async () => {
  program("etcd");
  const cache = join(folder, "cache");
  const made = join(cache, "etcd-3.6.5-kube-apiserver-1.36.2");
  const previous = process.env["PULUMI_OVN_CACHE"];
  process.env["PULUMI_OVN_CACHE"] = cache;
  const path = process.env["PATH"];
  process.env["PATH"] = folder;
  try {
    await expect(kubernetesPrograms(silent, { KUBEBUILDER_ASSETS: folder })).rejects.toMatchObject({ code: "no-kubernetes" });
    expect(existsSync(made)).toBe(false);
  } finally {
    process.env["PATH"] = path;
    if (previous === undefined) delete process.env["PULUMI_OVN_CACHE"];
    else process.env["PULUMI_OVN_CACHE"] = previous;
  }
});

test.each<[GoTool["name"], string, string]>([
  ["etcd", "go.etcd.io/etcd/server/v3", "v3.6.5"],
  ["kube-apiserver", "k8s.io/kubernetes", "v1.36.2"],
  ["frr-k8s-controller", "github.com/metallb/frr-k8s", "v0.0.25"],
])("the modules of %s are pinned in the repository", (name, module, version) => {
  const at = (file: string) => readFileSync(join(projectRoot, "scripts/tools", name, file), "utf8");
  expect(at("go.mod")).toMatch(new RegExp(`^\\s*(?:require )?${module.replaceAll(".", "\\.")} ${version.replaceAll(".", "\\.")}( // indirect)?$`, "m"));
  expect(at("go.sum")).toContain(`${module} ${version} h1:`);
});
