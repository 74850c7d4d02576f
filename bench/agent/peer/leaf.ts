import type { AgentHost } from "./host";

/** Routes of a leaf, as its kernel reports them. */
export class Leaf {
  constructor(private readonly host: AgentHost) {}

  /** File of reports, in the leaf's folder. */
  static readonly file = "routes.log";

  /** Starts to record changes. */
  async record(): Promise<void> {
    await this.host.run(
      `TZ=UTC setsid ip -tshort monitor route > ${Leaf.file} 2> /dev/null < /dev/null &\nuntil [ -e ${Leaf.file} ]; do sleep 0.1; done`,
      "leaf1",
    );
  }

  /** Prefixes by host, one text each, in one order. */
  async routes(): Promise<string[]> {
    const text = await this.host.run("for family in -4 -6; do ip -o $family route show proto bgp; done", "leaf1");
    return text
      .split("\n")
      .flatMap((line) => {
        const [, prefix, host] = /^(\S+).* dev (node\d+)/.exec(line) ?? [];
        return prefix === undefined ? [] : [`${prefix} ${host}`];
      })
      .sort();
  }

  /** Times at which the kernel's route to an address changed, in milliseconds of the system's clock. */
  async changes(): Promise<readonly { readonly at: number; readonly address: string; readonly isDeleted: boolean }[]> {
    const text = await this.host.run(`cat ${Leaf.file}`, "leaf1");
    return [...text.matchAll(/^\[(\S+?)(\d{3})\] (Deleted )?([\d.a-f:]+) .*proto bgp/gm)].map(([, time, rest, deleted, address]) => ({
      at: Date.parse(`${time}Z`) + Number(rest) / 1000,
      address: address!,
      isDeleted: deleted !== undefined,
    }));
  }
}
