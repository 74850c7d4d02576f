export type { ClusterFacts, FrrConfiguration, LabelRequirement, LabelSelector } from "./facts";
export type { RouteAdvertisementArgs } from "./args";
export * from "./generate";
export type { Observed } from "./observed";
export type * from "./spec";
