/** Why an upgrade can't be planned or can't go on. */
export class UpgradeError extends Error {
  constructor(
    /** Stable, for programs: OVN_UPGRADE_BATCH, OVN_UPGRADE_NODES, OVN_UPGRADE_STATE, OVN_UPGRADE_LOCKED, ... */
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = "UpgradeError";
  }
}

const MOST_NAMED = 8;

/** Names as a list that stays readable. */
export function listed(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return more > 0 ? `${names.slice(0, MOST_NAMED).join(", ")} and ${more} more` : names.join(", ");
}
