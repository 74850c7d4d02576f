import { parseEndpoints } from "@pulumi-ovn/ovsdb-client";
import { z } from "zod";
import { didYouMean } from "../kit/arguments/nearest";
import { argumentNames } from "../kit/arguments/validate";
import { wording } from "../kit/arguments/wording";
import { TargetsError } from "./errors";
import { sortsWithNamesOfToday, withNamesOfToday } from "./former-settings";

/** Paths of PEM files; their contents never enter the stack's state. */
const tls = z.strictObject({
  privateKey: z.string().optional(),
  certificate: z.string().optional(),
  ca: z.string().optional(),
  /** Name that the server's certificate must have, when it is not the endpoint's host. */
  serverName: z.string().optional(),
  /** False where certificates name no host, as those of `ovs-pki` do; the authority's signature is still required. Default: true. */
  checkServerName: z.boolean().optional(),
});

/** Comma lists of `unix:PATH`, `tcp:HOST:PORT`, `ssl:HOST:PORT`, or one `exec:COMMAND`, as in `OVN_NB_DB` of ovn-nbctl(8). */
const endpoints = z.string().superRefine((text, context) => {
  try {
    parseEndpoints(text);
  } catch (error) {
    context.addIssue({ code: "custom", message: (error as Error).message });
  }
});

/** Seconds of half of the longest timer that Node has, about 12 days: back ends wait a little longer, and Node fires a longer timer immediately. */
const LONGEST_TIMEOUT = Math.floor((2 ** 31 - 1) / 2000);

const timeout = z
  .number()
  .positive()
  .overwrite((seconds) => Math.min(seconds, LONGEST_TIMEOUT));

const zoneSettings = z.strictObject({
  northbound: endpoints.optional(),
  southbound: endpoints.optional(),
  openvswitch: endpoints.optional(),
  tls: tls.optional(),
  /** Seconds that one call to a database of this zone may take, or its first connection; default 30, and 5. */
  timeout: timeout.optional(),
});

const zone = z.union([endpoints.transform((northbound) => ({ northbound })), zoneSettings]);

/** Characters that a shell would interpret. No shell runs the command, so they can't mean what they seem to. */
const FOR_A_SHELL = /["'`$\\|&;<>(){}*?~#\n]/;

/** Command that runs programs on a host: `ssh host1`, or `kubectl exec -i ovs-abc --`. Words, or one text that is split at white space. */
const command = z.union([
  z.string().transform((text, context) => {
    const words = text.split(/\s+/).filter(Boolean);
    // The text itself may hold a secret.
    if (FOR_A_SHELL.test(text))
      context.addIssue({ code: "custom", message: "has characters that only a shell would interpret, and none does: write it as a list of words" });
    else if (words.length === 0) context.addIssue({ code: "custom", message: "is empty; leave it out where programs run on this machine" });
    return words;
  }),
  z.array(z.string().min(1)).min(1),
]);

const host = z.strictObject({
  openvswitch: endpoints.optional(),
  command: command.optional(),
  /** Folder on the host for the files of its agent. Default: /var/lib/pulumi-ovn. */
  agentFolder: z.string().startsWith("/", "expected the path of a folder on the host, from / on").optional(),
  tls: tls.optional(),
  /** Seconds that one run of the command may take, or one call to the database; default 30. */
  timeout: timeout.optional(),
});

export type Zone = {
  northbound?: string | undefined;
  southbound?: string | undefined;
  openvswitch?: string | undefined;
  tls?: z.infer<typeof tls> | undefined;
  timeout?: number | undefined;
};

export type Zones = Readonly<Record<string, Zone>>;

/** A machine with Open vSwitch: its database, and how its programs are run. */
export type Host = z.output<typeof host>;
export type Hosts = Readonly<Record<string, Host>>;

/** Contents of a file of targets. */
export interface Targets {
  readonly zones: Zones;
  readonly hosts: Hosts;
  readonly clusters: Clusters;
}

const zones = z.record(z.string(), zone);

const cluster = z
  .strictObject({
    /** Path of a kubeconfig, relative to the project's folder; `~/` is the user's own. Default: those of KUBECONFIG, else ~/.kube/config, else the pod's service account. */
    kubeconfig: z.string().min(1).optional(),
    /** Name of a context of the kubeconfig. Default: its current one. */
    context: z.string().min(1).optional(),
    /** Name of a cluster of the kubeconfig, instead of the context's. */
    cluster: z.string().min(1).optional(),
    /** Use the service account of the pod in which this process runs, even if there are kubeconfigs. */
    inCluster: z.literal(true).optional(),
    /** Seconds that one call to the API server may take; default 30. */
    timeout: timeout.optional(),
  })
  .refine(
    ({ kubeconfig, context, cluster: entry, inCluster }) => !inCluster || (kubeconfig ?? context ?? entry) === undefined,
    "inCluster needs no kubeconfig and no context",
  );

/** How to reach a Kubernetes cluster. */
export type ClusterSettings = {
  kubeconfig?: string | undefined;
  context?: string | undefined;
  cluster?: string | undefined;
  inCluster?: true | undefined;
  timeout?: number | undefined;
};

export type Clusters = Readonly<Record<string, ClusterSettings>>;

const hosts = z.record(z.string(), host);
const clusters = z.record(z.string(), cluster);
const file = z.strictObject({ zones: zones.default({}), hosts: hosts.default({}), clusters: clusters.default({}) });

/** @param source names where the value comes from, for errors */
export function zonesOf(value: unknown, source: string): Zones {
  return validated(zones, withNamesOfToday(value), source);
}

/** Parses a file of targets; missing parts are empty. */
export function targetsOf(value: unknown, source: string): Targets {
  return validated(file, sortsWithNamesOfToday(value), source);
}

function validated<T>(schema: z.ZodType<T>, value: unknown, source: string): T {
  const result = schema.safeParse(value, { error: wording });
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  // A union's own message hides what is wrong inside of it, unless it is the type.
  const inner =
    issue.code === "invalid_union"
      ? (issue.errors.flat().find(({ path }) => path.length > 0) ?? issue.errors.flat().find(({ code }) => code !== "invalid_type"))
      : undefined;
  const path = [...issue.path, ...(inner?.path ?? [])];
  throw new TargetsError([source, path.join("."), messageOf(inner ?? issue, schema, path)].filter(Boolean).join(": "));
}

/** For a file in which a name and its value have become one text. */
export const COLON_ADVICE = 'is a ":" missing, or the space after it? Write "NAME: VALUE"';

function messageOf(issue: z.core.$ZodIssue, schema: z.ZodType, path: readonly PropertyKey[]): string {
  if (issue.code === "invalid_type" && path.length === 1 && issue.message.endsWith("not a text")) return `${issue.message}; ${COLON_ADVICE}`;
  if (issue.code !== "unrecognized_keys") return issue.message;
  const [key = ""] = issue.keys;
  return `there is no setting "${key}"${didYouMean(key, argumentNames(schema, path))}`;
}
