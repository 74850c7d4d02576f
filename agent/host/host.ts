import type { HostState } from "../desired/host-state";
import type { Problem } from "../desired/problem";
import type { AgentHost, Converged, HostOptions } from "./agent-host";
import { apply } from "./apply";
import { readFrr } from "./frr/vtysh";
import { hasAddressOwners, readKernel, scopeOf } from "./kernel/read";
import type { LiveHost } from "./live";
import { plan } from "./plan";
import { type Place, ProgramError, reading } from "./program";
import type { Plan } from "./steps";
import { readFlows } from "./switch/flows";
import { readPorts, switchProblem } from "./switch/ports";
import { watch } from "./watch";

const TIMEOUT_SECONDS = 30;

/** A round after one that took others' ground away is the last: what it finds is for the next event. */
const ROUNDS = 2;

/** The host that this process runs on, by ip(8), vtysh, ovs-ofctl(8) and the Open_vSwitch database. */
export class Host implements AgentHost {
  readonly #place: Place;
  #addressOwners: boolean | undefined;
  /** What the last round that left nothing to do was about. */
  #clean = "";
  /** Those of the last round. */
  #tables: readonly number[] = [];
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: HostOptions) {
    this.#place = { command: options.command ?? [], vtysh: options.vtysh, timeout: options.timeout ?? TIMEOUT_SECONDS, signal: options.signal };
  }

  async converge(desired: HostState): Promise<Converged> {
    const round = this.#last.then(() => this.#converge(desired));
    this.#last = round.catch(() => undefined);
    return round;
  }

  watch(onChange: () => void): () => void {
    return watch(this.#place, onChange, { tables: () => this.#tables });
  }

  async #converge(desired: HostState): Promise<Converged> {
    this.#tables = desired.rules.map(({ table }) => table);
    let changed = 0;
    for (let round = 1; ; round++) {
      this.#place.signal?.throwIfAborted();
      const { steps, problems } = await this.#plan(desired);
      const failed = steps.length === 0 ? [] : await apply(this.#place, this.options.openvswitch, steps);
      changed += steps.length;
      if (steps.length === 0 && problems.length === 0) this.#clean = subjectOf(desired);
      // Routes of a device go with its last address, and with the device.
      const more = failed.length === 0 && round < ROUNDS && steps.some((step) => step.kind === "port" || (step.kind === "ip" && step.line.startsWith("address del")));
      if (!more) return { problems: [...problems, ...failed], changed };
    }
  }

  async #plan(desired: HostState): Promise<Plan> {
    try {
      return plan(desired, await this.read(desired));
    } catch (error) {
      if (!(error instanceof ProgramError)) throw error;
      return { steps: [], problems: [{ code: "OVN_AGENT_PROGRAM", subject: "ip", message: error.message }] };
    }
  }

  /**
   * What the host has, of what is wanted and of what the agent has made. Where the configuration is another, or something was
   * left to do, all tables and bridges are looked at; else those alone that are wanted.
   */
  async read(desired: HostState): Promise<LiveHost> {
    const place = this.#place;
    const everywhere = this.#clean !== subjectOf(desired);
    this.#addressOwners ??= await hasAddressOwners(place);
    const problems: Problem[] = [];
    const [kernel, frr, [ports, flows]] = await Promise.all([
      readKernel(place, desired, scopeOf(desired, everywhere), this.#addressOwners),
      readFrr(place),
      readPorts(this.options.openvswitch, desired.taggedPorts)
        .then(async (found) => [found, await readFlows(reading(place), desired.flows, found.bridges, everywhere)] as const)
        .catch((error: unknown) => {
          problems.push(switchProblem("Open vSwitch", error));
          return [undefined, {}] as const;
        }),
    ]);
    return { kernel, frr, ports, flows, problems };
  }
}

/** Tables, bridges and the VRF that a state is about. */
const subjectOf = ({ bgp, rules, flows }: HostState): string => JSON.stringify([bgp?.table, bgp?.vrf, rules.map(({ table }) => table), flows.map(({ bridge }) => bridge)]);
