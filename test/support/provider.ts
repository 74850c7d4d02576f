import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { dynamic } from "@pulumi/pulumi";
import { provider } from "@pulumi-ovn/provider/runtime";

/** A kind's provider as Pulumi uses it, in this process, with these zones. */
export async function served(kind: string, zones: object): Promise<Required<dynamic.ResourceProvider>> {
  const made = provider(kind) as Required<dynamic.ResourceProvider>;
  const file = targetsFile(zones);
  const get = (name: string) => (name === "ovn:targets" ? file : undefined);
  await made.configure({ config: { get } } as dynamic.ConfigureRequest);
  return made;
}

const files = new Map<string, string>();
/** Removed at the end of the run: no hook of a test file comes after those in which it removes its rows. */
const folder = mkdtempSync(join(tmpdir(), "pulumi-ovn-targets-"));

/** The path of a file of targets with these zones. */
function targetsFile(zones: object): string {
  const text = JSON.stringify({ zones });
  const path = files.get(text) ?? join(folder, `${files.size}.yaml`);
  writeFileSync(path, text);
  files.set(text, path);
  return path;
}

/** The mark that the sdk gives to a resource. */
export const ownerOf = (kind: string, name: string): string => `urn:pulumi:dev::trial::pulumi-nodejs:dynamic/ovn:${kind}::${name}`;

/** Failures of `check`, as Pulumi shows them: `path: reason`. */
export async function failuresOf(kind: string, args: object, zones: object): Promise<string[]> {
  const { failures = [] } = await (await served(kind, zones)).check({}, { ...args, owner: ownerOf(kind, "it") });
  return failures.map(({ property, reason }) => `${property}: ${reason}`);
}

/** The checked inputs; throws where there are failures. */
export async function checked(kind: string, name: string, args: object, zones: object): Promise<Record<string, unknown>> {
  const { inputs, failures = [] } = await (await served(kind, zones)).check({}, { ...args, owner: ownerOf(kind, name) });
  if (failures.length > 0) throw new Error(failures.map(({ property, reason }) => `${property}: ${reason}`).join("\n"));
  return inputs as Record<string, unknown>;
}

/** Closes this process's connections, which would otherwise look for ended servers. */
export async function disconnect(): Promise<void> {
  await failuresOf("Propagation", {}, {});
}
