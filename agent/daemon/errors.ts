/** Error that ends the agent or prevents its start. */
export class AgentError extends Error {
  constructor(
    /** Stable, OVN_AGENT_... (docs/reference/errors.md). */
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = "AgentError";
  }
}
