import { existsSync, realpathSync, renameSync, statSync, writeFileSync } from "node:fs";

/** Replaces a file in one step: whoever is killed meanwhile leaves the old one or the new one. A link stays one. */
export function replaceFile(path: string, text: string): void {
  const target = existsSync(path) ? realpathSync(path) : path;
  const draft = `${target}.${process.pid}.new`;
  writeFileSync(draft, text, { mode: existsSync(target) ? statSync(target).mode : 0o644 });
  renameSync(draft, target);
}
