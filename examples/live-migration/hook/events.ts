/** Meaning of a host's event for a guest: it will arrive, it runs there now, or it no longer runs there. */
export interface GuestEvent {
  readonly guest: string;
  readonly host: string;
  readonly what: "comes" | "runs" | "gone";
}

/** As `virsh event` prints it; older releases without quotes around the name. */
const LIFECYCLE = /event 'lifecycle' for domain (?:'(.+)'|([^']+)): (\w+) (.+)$/;

/**
 * Parses a line of `virsh event --loop` of one host. Three events matter: a guest started for a migration, one that resumes at its end (or in
 * the middle, with post-copy), and one that stops.
 */
export function eventIn(line: string, host: string): GuestEvent | undefined {
  const [, quoted, bare, event, detail = ""] = LIFECYCLE.exec(line.trimEnd()) ?? [];
  const guest = quoted ?? bare;
  if (guest === undefined) return undefined;
  if (event === "Started" && detail === "Migrated") return { guest, host, what: "comes" };
  if (event === "Resumed" && ["Migrated", "Post-copy"].includes(detail)) return { guest, host, what: "runs" };
  return event === "Stopped" ? { guest, host, what: "gone" } : undefined;
}
