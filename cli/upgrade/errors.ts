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
