import { join } from "node:path";

/** The project's root folder; this file runs from `sandbox/` or `sandbox/dist/`. */
export const projectRoot = __dirname.endsWith("dist") ? join(__dirname, "../..") : join(__dirname, "..");
