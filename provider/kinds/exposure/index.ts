export type { BgpExposureArgs, ExposedRouterArgs, ExposureSelectionArgs } from "./args";
export type { ExposureFacts } from "./facts";
export { DEFAULT_AGENT_TABLE } from "./agent/exposure";
