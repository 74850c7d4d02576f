/** Something that keeps the agent from announcing what it should: named by the health endpoint and `pulumi-ovn status`, until it is gone. */
export interface Problem {
  /** Stable, OVN_AGENT_... (docs/reference/errors.md). */
  readonly code: string;
  /** Subject of the problem, such as the name of an exposure, an address or a device. */
  readonly subject: string;
  readonly message: string;
}
