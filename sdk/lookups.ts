import type { Failure } from "@pulumi-ovn/provider";
import type { LookupArgs, PortInfo, RouterInfo, SwitchInfo } from "@pulumi-ovn/provider/lookup";
import type { Connections } from "@pulumi-ovn/provider/targets";
import * as pulumi from "@pulumi/pulumi";
import { PerRun } from "./per-run";
import { ProgramError, refuseLater } from "./program-error";
import type { ResourceArgs } from "./resource";

/** Zone and name of the lookup. Each part may be the output of another resource. */
export type LookupInputs = ResourceArgs<LookupArgs>;

/** Looks in the database that today's targets lead to, in a preview as in an update. */
type Lookup<Info> = (targets: Connections, args: LookupArgs) => Promise<Info>;

/**
 * Looks up an existing router by its name: UUID, tunnel key, ports. Reads the zone's Northbound database in each run of the program,
 * also in previews, with the current file of targets. The state contains only the values that resources use.
 * `pulumi refresh` and `pulumi destroy` do not run the program, so they do not look anything up.
 *
 * Rejects with `OVN_NOT_FOUND` if no router or several routers have this name.
 */
export function getRouter(args: LookupArgs): Promise<RouterInfo> {
  return looked("getRouter", (all) => all.lookupRouter, args);
}

/**
 * As `getRouter`, with outputs as arguments, and an output as result. It is not known in a preview as long as an argument, or a
 * resource of `dependsOn`, is not.
 */
export function getRouterOutput(args: LookupInputs, options?: pulumi.InvokeOutputOptions): pulumi.Output<RouterInfo> {
  return output(getRouter, args, options);
}

/** A switch that exists, by its name: UUID, tunnel key, ports. When and where it looks: see `getRouter`. */
export function getSwitch(args: LookupArgs): Promise<SwitchInfo> {
  return looked("getSwitch", (all) => all.lookupSwitch, args);
}

/** As `getSwitch`, with outputs; see `getRouterOutput`. */
export function getSwitchOutput(args: LookupInputs, options?: pulumi.InvokeOutputOptions): pulumi.Output<SwitchInfo> {
  return output(getSwitch, args, options);
}

/** A port of a switch or router that exists, by its name: UUID, addresses, tunnel key, what it is on. When and where it looks: see `getRouter`. */
export function getPort(args: LookupArgs): Promise<PortInfo> {
  return looked("getPort", (all) => all.lookupPort, args);
}

/** As `getPort`, with outputs; see `getRouterOutput`. */
export function getPortOutput(args: LookupInputs, options?: pulumi.InvokeOutputOptions): pulumi.Output<PortInfo> {
  return output(getPort, args, options);
}

/** Most programs look nothing up, and do not load a client of databases. */
type Entry = typeof import("@pulumi-ovn/provider/lookup");

/** The connections of this run of the program. */
const connections = new PerRun(async (): Promise<Connections> => {
  const { Connections, projectFolder, readTargets } = await import("@pulumi-ovn/provider/targets");
  const config = new pulumi.Config("ovn");
  return new Connections(
    readTargets({ file: config.get("targets"), oldZones: config.get("zones") !== undefined, environment: process.env, folder: projectFolder(process.cwd()) }),
  );
});

const AN_HOUR = 3_600_000;

async function looked<Info>(what: string, lookup: (entry: Entry) => Lookup<Info>, args: LookupArgs): Promise<Info> {
  refuseLater(what, `${what}Output`, args);
  // Connections keep no process alive, so that a program ends with its last line; this one has not come to it yet.
  const alive = setInterval(() => undefined, AN_HOUR);
  try {
    return await lookup(await import("@pulumi-ovn/provider/lookup"))(await connections.current, args);
  } catch (error) {
    const { message, failures } = error as Error & { readonly failures?: readonly Failure[] };
    throw new ProgramError(message, failures);
  } finally {
    clearInterval(alive);
  }
}

function output<Info>(look: (args: LookupArgs) => Promise<Info>, args: LookupInputs, { dependsOn }: pulumi.InvokeOutputOptions = {}): pulumi.Output<Info> {
  // A resource has an id when it is there, and a component is there when its children are.
  const ready = pulumi
    .output(dependsOn)
    .apply((resources) => pulumi.all([resources ?? []].flat().map((resource) => (pulumi.CustomResource.isInstance(resource) ? resource.id : resource.urn))));
  return pulumi.all([args as pulumi.Inputs, ready]).apply(([known]) => look(known as unknown as LookupArgs)) as pulumi.Output<Info>;
}
