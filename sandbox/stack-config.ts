/** The endpoints of a zone's databases, and of the Open vSwitch database of the host that it is called after. */
export interface ZoneEndpoints {
  readonly northbound: string;
  readonly southbound: string;
  readonly openvswitch: string;
}

const zonesLine = /^ {2}ovn:zones:/;

/**
 * A stack's configuration file (`Pulumi.<stack>.yaml`) with these zones. All else in it stays: the user's own settings, and the
 * salt without which the stack's secrets cannot be read.
 */
export const withZones = (text: string, zones: Readonly<Record<string, ZoneEndpoints>>): string => {
  const lines = text.split("\n").filter((line, index, all) => index < all.length - 1 || line !== "");
  const start = lines.findIndex((line) => zonesLine.test(line));
  if (start >= 0) {
    const length = lines.slice(start + 1).findIndex((line) => !/^ {3,}/.test(line));
    lines.splice(start, length < 0 ? Infinity : length + 1);
  }
  let config = lines.findIndex((line) => /^config:/.test(line));
  if (config < 0) config = lines.push("config:") - 1;
  else lines[config] = "config:"; // an empty one may be written as `config: {}`
  lines.splice(config + 1, 0, "  ovn:zones:", ...Object.entries(zones).flatMap(([name, { northbound, southbound, openvswitch }]) => [
    `    ${name}:`, ...Object.entries({ northbound, southbound, openvswitch }).map(([database, endpoint]) => `      ${database}: ${JSON.stringify(endpoint)}`),
  ]));
  return `${lines.join("\n")}\n`;
};
