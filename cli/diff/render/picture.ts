import { GITHUB, GITLAB, mermaid } from "../../picture/mermaid";
import { picturedPreview } from "../../picture/resources";
import { sceneOf } from "../../picture/views";
import type { Preview } from "../../plan/preview";

/** The drawn difference as a block of Markdown, at most half of the document. Empty if the topology does not change. */
export function pictureOf(preview: Preview, maxBytes: number, environment: NodeJS.ProcessEnv = process.env): string {
  const scene = sceneOf(picturedPreview(preview), "topology");
  if (scene.boxes.every(({ status }) => status === "same") && scene.columns.every(({ status }) => status === "same")) return "";
  // GitLab sets the variable in its jobs.
  const limits = environment["GITLAB_CI"] ? GITLAB : GITHUB;
  const text = mermaid(scene, { ...limits, characters: Math.min(limits.characters, maxBytes === 0 ? Infinity : maxBytes / 2) });
  return `\n\`+\` added, \`−\` removed, \`~\` changed, \`→\` moved; the rest is unchanged or folded.\n\n\`\`\`mermaid\n${text}\`\`\`\n`;
}
