import type { ExposureFacts, Observed } from "@pulumi-ovn/provider";

/** Facts of a kind that observes its target. */
export type Facts = Observed | ExposureFacts;
