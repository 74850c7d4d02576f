import { nodeProblem } from "./node-version";

/** Has no stack, so that Pulumi shows only the message. */
class NodeVersionError extends Error {
  readonly code = "OVN_NODE";
  override readonly stack = "";
}

// The first import of every entry: what follows fails in an older Node.js, each time elsewhere.
const problem = nodeProblem();
if (problem !== undefined) throw new NodeVersionError(problem);
