import { join } from "node:path";
import type { GuestSandbox } from "@pulumi-ovn/sandbox";
import type { Contender } from "./contenders";

/** Prints everything that an agent may write to a host, one object a line, by kind. */
const OBJECTS = `ip -o link show | sed -E 's/^[0-9]+: ([^:@]+).*/device \\1/'
ip -o address show | awk '$4 !~ /^fe80/ { print "address", $2, $4 }'
for family in -4 -6; do
  ip $family rule show | sed "s/^/rule $family /"
  ip $family route show table all | awk '!/table local|proto (kernel|bgp)/ && !/^(local|broadcast|anycast|multicast)/' | sed "s/^/route $family /"
  ip $family neighbour show nud permanent | sed "s/^/neighbour $family /"
  ip $family neighbour show proxy | sed "s/^/neighbour $family /"
done
ovs-vsctl list-ports br-ex | sed 's/^/port /'
ovs-ofctl --no-stats dump-flows br-ex | grep priority | sed -E 's/cookie=0x[0-9a-f]+, //; s/^ */flow /'
vtysh -d bgpd -c 'show running-config' | grep -e vrf -e redistribute -e route-map | sed 's/^ */frr /'`;

/** Resources that an agent uses. */
export interface Usage {
  /** Milliseconds of processor time since its start, with ended programs that it ran. */
  readonly processor: number;
  /** Bytes of memory of all its processes; a share of a page that several processes use. */
  readonly memory: number;
  readonly processes: number;
}

/** A chassis that an agent runs on. */
export class AgentHost {
  /** Variable in the environment of all processes of the host's agent. */
  readonly #mark: string;
  /** Shell command that finds them. */
  readonly #marked: string;

  constructor(
    private readonly sandbox: GuestSandbox,
    readonly name: string,
    private readonly contender: Contender,
  ) {
    this.#mark = `PULUMI_OVN_BENCH_AGENT=${name}`;
    this.#marked = `marked=$(grep -l -a ${this.#mark} /proc/[0-9]*/environ 2> /dev/null | cut -d/ -f3)`;
  }

  /** Runs a shell script in the host's folder; it must succeed. */
  async run(script: string, place = this.name): Promise<string> {
    const { code, stdout, stderr } = await this.sandbox.exec(place, ["sh", "-se"], { input: `cd '${join(this.sandbox.folder, place)}'\n${script}` });
    if (code !== 0) throw new Error(`${this.contender.name} on ${place}: ${stderr || stdout}`);
    return stdout.trim();
  }

  /** Starts the agent; returns the time, in milliseconds of the system's clock. */
  async start(): Promise<number> {
    const text = await this.run(`date +%s.%N\n${this.#mark} setsid ${this.contender.command} >> agent.log 2>&1 < /dev/null &`);
    return Number(text) * 1000;
  }

  /** Sends a signal to all processes of the agent, and waits for their end. */
  async end(signal: "KILL" | "TERM"): Promise<void> {
    await this.run(`${this.#marked}
kill -s ${signal} $marked 2> /dev/null || true
for pid in $marked; do left=100; while kill -0 $pid 2> /dev/null && [ $left -gt 0 ]; do sleep 0.1; left=$((left - 1)); done; done`);
  }

  async usage(): Promise<Usage> {
    const text = await this.run(`${this.#marked}
for pid in $marked; do
  if pss=$(awk '/^Pss:/ { print $2 }' /proc/$pid/smaps_rollup 2> /dev/null); then echo "$pss $(sed 's/.*) //' /proc/$pid/stat | cut -d' ' -f12-15)"; fi
done`);
    const rows = text.split("\n").map((line) => line.split(" ").map(Number));
    // proc(5): the fields are user and system time of the process, then of its ended children, in steps of 10 ms.
    const processor = rows.reduce((sum, [, ...ticks]) => sum + 10 * ticks.reduce((a, b) => a + b, 0), 0);
    return { processor, memory: rows.reduce((sum, [pss = 0]) => sum + pss * 1024, 0), processes: rows.length };
  }

  async objects(): Promise<ReadonlySet<string>> {
    return new Set((await this.run(OBJECTS)).split("\n"));
  }

  log(): Promise<string> {
    return this.run("tail -n 40 agent.log");
  }
}
