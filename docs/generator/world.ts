import type { ExposureFacts, Observed } from "@pulumi-ovn/provider";

/** What a kind would have seen that looks at the world first. */
export type World = Observed | ExposureFacts;
