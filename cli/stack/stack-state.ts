import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { unpacked } from "@pulumi-ovn/provider/tools";
import { z } from "zod";
import { CommandError } from "../command";
import { printError } from "../output";
import { locationOf } from "./stack-location";
import { mending } from "./state-file";
import { runApart } from "./pulumi-process";

const properties = z.record(z.string(), z.unknown()).default({});

const resource = z.looseObject({
  urn: z.string(),
  id: z.string().default(""),
  type: z.string(),
  parent: z.string().default(""),
  /** Left over from a replacement that was interrupted. */
  delete: z.boolean().default(false),
  inputs: properties,
  outputs: properties.transform(unpacked),
});

/** The part of the output of `pulumi stack export` that is read here. An empty stack has no list of resources. */
const exported = z.looseObject({ version: z.literal(3), deployment: z.looseObject({ resources: z.array(resource).nullish() }).nullish() });

export type StateResource = z.output<typeof resource>;

/** Contents of a stack's state. */
export interface StackState {
  /** From the resources' URNs. Undefined without resources. */
  readonly stack: string | undefined;
  readonly project: string | undefined;
  /** How errors call the state, such as a file's name. */
  readonly source: string;
  readonly resources: readonly StateResource[];
}

export interface StateSource {
  /** A file with the output of `pulumi stack export`, or "-" for standard input; undefined: Pulumi is run. */
  readonly file: string | undefined;
  readonly stack: string | undefined;
  readonly cwd: string | undefined;
  /** Whether Pulumi decrypts secrets. Needs the stack's passphrase or key. Default: false. */
  readonly decrypts?: boolean;
}

/** Reads a stack's state, and changes nothing. */
export async function readStackState({ file, stack, cwd, decrypts = false }: StateSource): Promise<StackState> {
  if (file === "-") return stateIn(await text(process.stdin), "standard input");
  if (file === undefined) return stateIn(await exportState(stack, cwd, decrypts), "the state");
  try {
    return stateIn(await readFile(file, "utf8"), file);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw refuse(`can't read ${file}: ${(error as Error).message}`);
  }
}

/** @param source see `StackState` */
export function stateIn(printed: string, source: string): StackState {
  let value: unknown;
  try {
    // Without the mark of byte order that PowerShell writes first.
    value = JSON.parse(printed.trim(), printed.includes('"plaintext"') ? decrypted : undefined);
  } catch {
    throw refuse(`${source} is not JSON; save the standard output of "pulumi stack export"`);
  }
  const read = exported.safeParse(value);
  if (!read.success)
    throw refuse(`${source} is not what "pulumi stack export" prints: ${read.error.issues[0]!.path.join(".") || "it"}: ${read.error.issues[0]!.message}`);
  const resources = (read.data.deployment?.resources ?? []).filter((each) => !each.delete);
  const [, stack, project] = /^urn:pulumi:([^:]+)::([^:]+)::/.exec(resources[0]?.urn ?? "") ?? [];
  return { stack, project, source, resources };
}

/** Field that marks a secret (pulumi/sdk/go/common/resource/sig). */
const SIGNATURE = "4dabf18193072939515e22adb298388d";

/** The value of a secret that the export has in clear text. */
function decrypted(_name: string, value: unknown): unknown {
  const secret = value as { readonly plaintext?: unknown } | null;
  return isSecret(secret) && typeof secret.plaintext === "string" ? JSON.parse(secret.plaintext, decrypted) : value;
}

const isSecret = (value: unknown): value is object => typeof value === "object" && value !== null && SIGNATURE in value;

/** Whether a value has a secret that is encrypted, at any depth. */
export function isEncrypted(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return isSecret(value) || Object.values(value).some(isEncrypted);
}

async function exportState(stack: string | undefined, cwd: string | undefined, decrypts: boolean): Promise<string> {
  const run = () =>
    runApart("pulumi", ["stack", "export", "--non-interactive", ...(decrypts ? ["--show-secrets"] : []), ...(stack === undefined ? [] : ["--stack", stack])], {
      cwd: cwd ?? ".",
      environment: {},
      endsWithUs: true,
    });
  try {
    return (
      await mending(
        run,
        () => locationOf(stack, cwd),
        (line) => printError(`pulumi-ovn: ${line}\n`),
      )
    ).stdout;
  } catch (error) {
    throw error instanceof CommandError ? error : refuse(`"pulumi stack export" failed: ${(error as Error).message}`);
  }
}

function refuse(message: string): CommandError {
  return new CommandError("OVN_STATE", message);
}
