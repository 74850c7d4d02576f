/** Simulation for other packages of this repository. */
export { planOf } from "../plan/plan";
export { readPreview } from "../plan/preview";
export { programs } from "./shadow/programs";
export { Baseline } from "./simulation";
export type { Question } from "./types";
