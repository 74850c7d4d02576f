/** The staged upgrade of a layer-2 network: stages, gates, and what they need to know of zones. Pure but for reading zones and the lock. */
export * from "./batch";
export * from "./differences";
export * from "./drift";
export * from "./errors";
export * from "./gates/agreement";
export * from "./gates/finding";
export * from "./gates/join-addresses";
export * from "./gates/keys";
export * from "./gates/release";
export * from "./gates/workloads";
export * from "./rollout-lock";
export * from "./network";
export * from "./scope";
export * from "./settings";
export * from "./snapshot";
export * from "./stage-arguments";
export * from "./stages";
