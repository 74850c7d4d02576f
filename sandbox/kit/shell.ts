import { chmod, writeFile } from "node:fs/promises";

/** Quotes a word for a POSIX shell. */
export const quote = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** Shell commands that put variables into the environment. */
export const exportLines = (variables: Readonly<Record<string, string>>): string =>
  Object.entries(variables)
    .map(([name, value]) => `export ${name}=${quote(value)}`)
    .join("\n");

/** Writes an executable shell script. */
export const writeScript = async (path: string, text: string): Promise<void> => {
  await writeFile(path, `#!/bin/sh\n${text}\n`);
  await chmod(path, 0o755);
};
