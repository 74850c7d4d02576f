import { basename, dirname, join } from "node:path";

/** The project's root folder; this file runs from `sandbox/kit/` or `sandbox/dist/kit/`. */
export const projectRoot = basename(dirname(__dirname)) === "dist" ? join(__dirname, "../../..") : join(__dirname, "../..");
