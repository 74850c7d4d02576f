import { nodeProblem } from "./node-version";

/** Pulumi shows such an error as one line. Its own class is not used: in an older Node.js, Pulumi's package may not even load. */
class NodeVersionError extends Error {
  readonly code = "OVN_NODE";
  readonly __pulumiRunError = true;
  override readonly stack = "";
}

// The first import of every entry: what follows fails in an older Node.js, each time elsewhere.
const problem = nodeProblem();
if (problem !== undefined) throw new NodeVersionError(problem);
