/** A reason why the agent does not announce something, shown by the health endpoint and `pulumi-ovn status` until it is resolved. */
export interface Problem {
  /** Stable, OVN_AGENT_... (docs/reference/errors.md). */
  readonly code: string;
  /** Subject of the problem, such as the name of an exposure, an address or a device. */
  readonly subject: string;
  readonly message: string;
}
