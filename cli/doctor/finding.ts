/** One line of `pulumi-ovn doctor`. */
export interface Finding {
  readonly target: "zone" | "host" | "cluster";
  /** Name of the target. */
  readonly name: string;
  /** Subject of the check, such as `northbound` or `clocks`. */
  readonly subject: string;
  /** `note`: works, and is worth knowing. Only a problem changes the exit code. */
  readonly state: "ok" | "note" | "problem";
  readonly message: string;
  /** Remedy. */
  readonly advice?: string;
}

/** Builds the findings of one target. */
export class Findings {
  readonly all: Finding[] = [];

  constructor(
    private readonly target: Finding["target"],
    private readonly name: string,
  ) {}

  ok(subject: string, message: string): void {
    this.all.push({ target: this.target, name: this.name, subject, state: "ok", message });
  }

  note(subject: string, message: string, advice?: string): void {
    this.all.push({ target: this.target, name: this.name, subject, state: "note", message, ...(advice !== undefined && { advice }) });
  }

  problem(subject: string, message: string, advice?: string): void {
    this.all.push({ target: this.target, name: this.name, subject, state: "problem", message, ...(advice !== undefined && { advice }) });
  }
}
