import type { ComparedScene } from "../../picture/compare";
import { GITHUB, GITLAB, mermaid } from "../../picture/mermaid";
import { picturedPreview } from "../../picture/resources";
import { sceneOf } from "../../picture/views";
import type { Preview } from "../../plan/preview";

/** Views that a comment shows if they change. */
const VIEWS = ["topology", "policy"] as const;

/** The drawn difference as blocks of Markdown, together at most half of the document. Empty if nothing that is drawn changes. */
export function pictureOf(preview: Preview, maxBytes: number, environment: NodeJS.ProcessEnv = process.env): string {
  const pictured = picturedPreview(preview);
  const scenes = VIEWS.map((view) => sceneOf(pictured, view)).filter(isChanged);
  if (scenes.length === 0) return "";
  // GitLab sets the variable in its jobs.
  const limits = environment["GITLAB_CI"] ? GITLAB : GITHUB;
  const characters = Math.min(limits.characters, maxBytes === 0 ? Infinity : maxBytes / 2 / scenes.length);
  const blocks = scenes.map((scene) => `\n\`\`\`mermaid\n${mermaid(scene, { ...limits, characters })}\`\`\`\n`);
  return `\n\`+\` added, \`−\` removed, \`~\` changed, \`→\` moved; the rest is unchanged or folded.\n${blocks.join("")}`;
}

function isChanged({ boxes, columns }: ComparedScene): boolean {
  return [...boxes, ...columns].some(({ status }) => status !== "same");
}
