/** What ends the agent, or keeps it from starting. */
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
