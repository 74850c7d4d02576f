/**
 * The runs of jest by which everything is tested, one after the other. Files that count packets have two workers, as many as there are
 * processors. The others wait for servers and for time while they run, and one more worker uses what that leaves.
 */
export const EVERYTHING = [
  ["--selectProjects", "e2e"],
  ["--selectProjects", "integration", "unit", "--maxWorkers=3"],
];
