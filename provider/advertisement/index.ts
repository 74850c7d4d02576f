export type { ClusterFacts, FrrConfiguration, LabelRequirement, LabelSelector } from "./facts";
export * from "./generate";
export type * from "./spec";
