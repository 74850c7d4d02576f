import type { ConfigFile } from "../config-file";
import { rowDifferences } from "../differences";
import type { Network } from "../network";
import type { Preview } from "../../stack/preview";
import { plural } from "../../texts";
import { probeFindings } from "../probe";
import { describe } from "../report";
import type { Settings } from "../settings";
import { type Situation, strayChanges } from "../situation";
import type { Stage } from "../stages";
import type { Tools } from "../tools";
import type { Finding } from "./finding";
import { keyFindings } from "./keys";
import { releaseFindings } from "./release";
import { workloadFindings } from "./workloads";

/** The gates of a stage do not let it pass, or an update failed: the network stays as it is, and works. */
export class Halt extends Error {}

/** Data of a step for the gates. */
export type Gated = Pick<Stage, "moves" | "title"> & { readonly label: string };

/** The checks around stages. Each of them throws a Halt when there is something against going on. */
export class Gates {
  constructor(private readonly tools: Tools) {}

  /** Everything that can be known before the first stage. */
  async first({ stages, planned, foreign, unfinished, network }: Situation, found: Preview, file: ConfigFile): Promise<void> {
    const { zones, options, engine } = this.tools;
    if (stages.length === 0 && !unfinished) return;
    // Nodes that move later may still be emptied meanwhile.
    const firstMoves = planned.find(({ moves }) => moves.length > 0)?.moves ?? [];
    const snapshots = await zones.snapshots();
    const goal: Settings = { upgrade: "move", nodes: Object.fromEntries(network.nodes.map(({ name }) => [name, options.back ? "gateway" : "transit"])) };
    // With every node moved there are all rows of both topologies: what can't be is found now, not in the middle.
    const demanding = await file.with(network.name, goal).draft((path) => engine.preview(path));
    const findings = [
      ...foreign,
      ...(await zones.drift(found)),
      // Between two stages zones may differ; before the first one the network has to be whole.
      ...(unfinished ? [] : await zones.disagreements(network, options.gateTimeout)),
      ...releaseFindings(snapshots),
      ...(options.loaded ? [] : workloadFindings(network, firstMoves, snapshots)),
      ...keyFindings(network, found.before, [...found.after, ...demanding.after], snapshots),
      ...(await this.#probe(network, "before", [])),
    ];
    this.#pass("before the first stage", network, findings);
  }

  /** Runs the gates before a step, with the current network. Slow checks run in parallel with the preview. */
  async before(step: Gated, network: Network, previewing: Promise<Preview>): Promise<Preview> {
    const { reporter, zones } = this.tools;
    const [preview, findings] = await Promise.all([previewing, this.#ready(step, network)]);
    reporter.differences(rowDifferences(preview.before, preview.after));
    this.#pass(`before ${step.label} ${step.title}`, network, [...strayChanges(preview, network), ...(await zones.drift(preview)), ...findings]);
    return preview;
  }

  async #ready({ moves }: Gated, network: Network): Promise<Finding[]> {
    const { zones, options } = this.tools;
    const [late, snapshots] = await Promise.all([
      zones.caughtUp(network.waitFor, options.gateTimeout),
      options.loaded || moves.length === 0 ? [] : zones.snapshots(),
    ]);
    return [...late, ...workloadFindings(network, moves, snapshots)];
  }

  /** Runs the gates after a step, with the network that the step has produced. */
  async after({ label, title, moves }: Gated, network: Network): Promise<void> {
    const { zones, options, reporter } = this.tools;
    const late = await zones.caughtUp(network.waitFor, options.gateTimeout);
    const findings = late.length > 0 ? late : await zones.disagreements(network, options.gateTimeout);
    this.#pass(`after ${label} ${title}`, network, findings.length > 0 ? findings : await this.#probe(network, title, moves));
    reporter.say(
      `  gates: ${plural(network.nodes.length, "zone")} caught up; keys, types and chassis agree; join addresses reached${options.probe === undefined ? "" : "; probe"}`,
    );
  }

  async #probe(network: Network, stage: string, moves: readonly string[]): Promise<Finding[]> {
    const { probe, probeTimeout } = this.tools.options;
    if (probe === undefined) return [];
    return probeFindings(probe, probeTimeout, { OVN_UPGRADE_NETWORK: network.name, OVN_UPGRADE_STAGE: stage, OVN_UPGRADE_NODES: moves.join(",") });
  }

  #pass(when: string, { settings }: Network, findings: readonly Finding[]): void {
    if (findings.length === 0) return;
    const { reporter } = this.tools;
    reporter.say(`halted ${when}:`);
    reporter.findings(findings);
    reporter.log("halt", { when, findings: findings.length });
    throw new Halt(`${plural(findings.length, "check")} failed ${when}. The network works as it is (${describe(settings)}); run again to go on`);
  }
}
