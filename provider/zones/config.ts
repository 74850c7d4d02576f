import { readFileSync } from "node:fs";
import { z } from "zod";

/** Paths of PEM files; their contents never enter the stack's state. */
const tls = z.strictObject({
  privateKey: z.string().optional(),
  certificate: z.string().optional(),
  ca: z.string().optional(),
  /** Name that the server's certificate must bear, when it is not the endpoint's host. */
  serverName: z.string().optional(),
});

/** Comma lists of `unix:PATH`, `tcp:HOST:PORT`, `ssl:HOST:PORT`, or one `exec:COMMAND`, as in `OVN_NB_DB` of ovn-nbctl(8). */
const endpoints = z.string().regex(/^(unix:|tcp:|ssl:|exec:)/, "must begin with unix:, tcp:, ssl: or exec:");

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

/** The zones' configuration can't be used. */
export class ZoneConfigError extends Error {
  readonly code = "OVN_ZONES";
}

/** Overrides zones of the stack configuration, name by name: JSON text, or the path of a JSON file. */
export const ZONES_VARIABLE = "PULUMI_OVN_ZONES";

/**
 * Endpoints belong to where Pulumi runs, not to what it makes: they come from the stack configuration `ovn:zones` and
 * the environment, never from the state.
 */
export function readZones(configured: string | undefined, environment: string | undefined): Zones {
  return {
    ...(configured === undefined ? {} : parse(configured, "the stack configuration ovn:zones")),
    ...(environment === undefined || environment === "" ? {} : parse(fileOrText(environment), `the environment variable ${ZONES_VARIABLE}`)),
  };
}

function fileOrText(value: string): string {
  if (value.trimStart().startsWith("{")) return value;
  try {
    return readFileSync(value, "utf8");
  } catch (error) {
    throw new ZoneConfigError(`${ZONES_VARIABLE} names a file that can't be read: ${(error as Error).message}`);
  }
}

function parse(text: string, source: string): Zones {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new ZoneConfigError(`${source} is not JSON; set it with: pulumi config set --path 'ovn:zones.NAME.northbound' unix:/run/ovn/ovnnb_db.sock`);
  }
  const result = z.record(z.string(), zone).safeParse(json);
  if (result.success) return result.data;
  const issue = result.error.issues[0]!;
  // A union's own message hides what is wrong inside of it.
  const inner = issue.code === "invalid_union" ? issue.errors.flat().find(({ path }) => path.length > 0) ?? issue.errors.flat()[0] : undefined;
  const path = [...issue.path, ...(inner?.path ?? [])].join(".");
  throw new ZoneConfigError(`${source}: ${path}: ${inner?.message ?? issue.message}`);
}
