import { bgpExposure } from "./kind";

/** Every kind of resource that consists of entries in rows of others, which it finds by looking, by name. */
export const exposureKinds = { BgpExposure: bgpExposure } as const;

export type { BgpExposureArgs, ExposedRouterArgs, ExposureSelectionArgs } from "./args";
export type { ExposureFacts } from "./facts";
export { DEFAULT_AGENT_TABLE } from "./agent/exposure";
