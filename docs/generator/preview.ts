import { type ClusterArgs, kinds, type ObjectKind, objectLines, type RowKind, typeToken, type ZoneArgs } from "@pulumi-ovn/provider";
import { provider } from "@pulumi-ovn/provider/runtime";
import { TARGETS_KEY } from "@pulumi-ovn/provider/targets";
import { contributionLines } from "@pulumi-ovn/provider/tools";
import * as pulumi from "@pulumi/pulumi";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as ovn from "pulumi-ovn";
import { valuesOf } from "./code";
import type { Sample } from "./samples/sample";
import type { Facts } from "./facts";

type Properties = Record<string, unknown>;

const targets = {
  zones: Object.fromEntries(["node1", "node2"].map((zone) => [zone, { northbound: `unix:${zone}n`, southbound: `unix:${zone}s`, openvswitch: "unix:o" }])),
  hosts: Object.fromEntries(["host1", "host2"].map((host) => [host, { openvswitch: "unix:o", command: ["ssh", host] }])),
  clusters: { prod: {} },
};

/** File of targets for the samples; previews do not connect. */
function targetsFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "samples-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "targets.json"), JSON.stringify(targets));
  return join(folder, "targets.json");
}
let file: string | undefined;

/** Checked inputs of a resource's arguments in a preview. */
export async function checked(kind: string, args: Properties): Promise<Properties> {
  const served = provider(kind);
  file ??= targetsFile();
  await served.configure!({ config: { get: (key: string) => (key === TARGETS_KEY ? file : undefined) } as never });
  const { inputs, failures } = await served.check!({}, { owner: `urn:pulumi:dev::net::${typeToken(kind)}::sample`, ...args });
  if (failures && failures.length > 0)
    throw new Error(`the sample of ${kind} is refused: ${failures.map(({ property, reason }) => `${property}: ${reason}`).join("; ")}`);
  return inputs as Properties;
}

/** The lines that a preview shows under `rows`; undefined for a resource that writes none. */
export async function rowLinesOf(kind: string, args: Properties): Promise<Record<string, string> | undefined> {
  return (await checked(kind, args)).rows as Record<string, string> | undefined;
}

/** The same of such a kind. */
export function observedLinesOf(kind: string, args: Properties, observed: Facts): Readonly<Record<string, string>> {
  const served = (kinds as unknown as Record<string, RowKind<ZoneArgs, Facts> | ObjectKind<ClusterArgs, Facts>>)[kind]!;
  if (served.backend === "rows") return Object.fromEntries(contributionLines(served.render(served.schema.parse(args), observed).set));
  return objectLines(served.render(served.schema.parse(args), observed).set);
}

/** A resource that a component made, and its lines. */
export interface Part {
  readonly kind: string;
  readonly lines: Record<string, string>;
}

const TYPE = /^pulumi-nodejs:dynamic\/ovn:(\w+)$/;

/**
 * Rows of all resources of a component in a zone or on a host. The component runs with Pulumi's mocks instead of the engine, and the provider's
 * own check.
 */
export async function componentLines(name: string, sample: Sample, target: string): Promise<Part[]> {
  const made: (Part & { readonly resource: string })[] = [];
  const newResource = async ({ type, name: resource, inputs }: pulumi.runtime.MockResourceArgs) => {
    const kind = TYPE.exec(type)?.[1];
    if (!kind) return { id: resource, state: inputs as Properties };
    const state = await checked(kind, inputs as Properties);
    if (resource.startsWith(`${sample.variable}-`) && (state.zone ?? state.host) === target && state.rows)
      made.push({ resource, kind, lines: state.rows as Record<string, string> });
    return { id: resource, state };
  };
  await pulumi.runtime.setMocks({ newResource, call: () => ({}) }, "net", "dev", false);
  const Component = (ovn as unknown as Record<string, new (name: string, args: unknown) => unknown>)[name]!;
  new Component(sample.variable, valuesOf(sample.args));
  await pulumi.runtime.disconnect(); // waits for all pending work
  return made.sort((a, b) => (a.resource < b.resource ? -1 : 1));
}
