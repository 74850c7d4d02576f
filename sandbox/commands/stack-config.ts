const ownLine = /^ {2}ovn:(?:targets|zones):/;

/**
 * A stack's configuration file (`Pulumi.<stack>.yaml`) that names this file of targets. All else in it stays: the user's own
 * settings, and the salt without which the stack's secrets cannot be read.
 */
export const withTargets = (text: string, path: string): string => {
  const lines = text.split("\n").filter((line, index, all) => index < all.length - 1 || line !== "");
  for (let start = lines.findIndex((line) => ownLine.test(line)); start >= 0; start = lines.findIndex((line) => ownLine.test(line))) {
    const length = lines.slice(start + 1).findIndex((line) => !/^ {3,}/.test(line));
    lines.splice(start, length < 0 ? Infinity : length + 1);
  }
  let config = lines.findIndex((line) => /^config:/.test(line));
  if (config < 0) config = lines.push("config:") - 1;
  else lines[config] = "config:"; // an empty one may be written as `config: {}`
  lines.splice(config + 1, 0, `  ovn:targets: ${JSON.stringify(path)}`);
  return `${lines.join("\n")}\n`;
};
