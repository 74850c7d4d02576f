/** The targets can't be read, or are not configured at all. */
export class TargetsError extends Error {
  readonly code = "OVN_TARGETS";
}

/** A cluster that the targets do not have. */
export class ClusterError extends Error {
  readonly code = "OVN_CLUSTER";
}

/** A zone that the targets do not have, or whose database they do not say how to reach. */
export class ZoneError extends Error {
  readonly code = "OVN_ZONE";
}

/** A host that the targets do not have. */
export class HostError extends Error {
  readonly code = "OVN_HOST";
}

/** The log of transactions that was asked for can't be written. */
export class LogError extends Error {
  readonly code = "OVN_LOG";
}

/** An apply is pending in the database, or the own one is not any more. */
export class PendingApplyError extends Error {
  readonly code = "OVN_APPLY_PENDING";
}

/** Error of an update that meets an apply to which it does not belong. */
export function otherApply(
  apply: { readonly id: string; readonly stack: string; readonly by: string; readonly phase: string },
  options?: ErrorOptions,
): PendingApplyError {
  const { id, stack, by, phase } = apply;
  return new PendingApplyError(
    `apply ${id} of stack ${stack} by ${by} is ${phase}; run "pulumi-ovn confirm ${id}" or "pulumi-ovn cancel ${id}" first`,
    options,
  );
}

/** Error of an update whose own apply was undone or confirmed meanwhile. */
export function noLongerPending(id: string, cause?: Error): PendingApplyError {
  return new PendingApplyError(`apply ${id} is no longer pending; nothing more is written for it`, { cause });
}
