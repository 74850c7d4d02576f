import { parseEndpoints } from "@pulumi-ovn/ovsdb-client";
import { z } from "zod";
import { TargetsError } from "./errors";

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

const zone = z.union([
  endpoints.transform((northbound) => ({ northbound })),
  z.strictObject({
    northbound: endpoints.optional(),
    southbound: endpoints.optional(),
    openvswitch: endpoints.optional(),
    tls: tls.optional(),
    /** Seconds that one call to a database of this zone may take, or its first connection; default 30, and 5. */
    deadline: z.number().positive().optional(),
  }),
]);

export type Zone = {
  northbound?: string | undefined;
  southbound?: string | undefined;
  openvswitch?: string | undefined;
  tls?: z.infer<typeof tls> | undefined;
  deadline?: number | undefined;
};

export type Zones = Readonly<Record<string, Zone>>;

const zones = z.record(z.string(), zone);
const file = z.strictObject({ zones });

/** @param source names where the value comes from, for errors */
export function zonesOf(value: unknown, source: string): Zones {
  return validated(zones, value, source);
}

/** What a file of targets holds. */
export function targetsOf(value: unknown, source: string): { readonly zones: Zones } {
  return validated(file, value, source);
}

function validated<T>(schema: z.ZodType<T>, value: unknown, source: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  // A union's own message hides what is wrong inside of it.
  const inner = issue.code === "invalid_union" ? (issue.errors.flat().find(({ path }) => path.length > 0) ?? issue.errors.flat()[0]) : undefined;
  const path = [...issue.path, ...(inner?.path ?? [])].join(".");
  throw new TargetsError([source, path, inner?.message ?? issue.message].filter(Boolean).join(": "));
}
