import { join } from "node:path";
import { SandboxError } from "../kit/errors";
import type { Report } from "../kit/progress";
import { builtTools, type GoTool, type Toolset } from "./go-tools";
import { findOnPath } from "./path";

const tool: GoTool = { name: "actionlint", package: "github.com/rhysd/actionlint/cmd/actionlint", version: "v1.7.12" };
const REMEDY = `Put actionlint ${tool.version.slice(1)} on PATH (https://github.com/rhysd/actionlint).`;

const toolset: Toolset = {
  folder: `${tool.name}-${tool.version.slice(1)}`,
  title: tool.name,
  tools: [tool],
  remedy: REMEDY,
  missing: () => new SandboxError("no-actionlint", `there is no \`${tool.name}\` on PATH, and no \`go\` to build it with`, REMEDY),
};

/** The program that checks workflows of GitHub: their syntax, expressions, and the inputs and versions of actions. */
export const actionlint = async (report: Report): Promise<string> => findOnPath(tool.name) ?? join(await builtTools(toolset, report), tool.name);
