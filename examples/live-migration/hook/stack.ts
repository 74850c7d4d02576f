import { spawn } from "node:child_process";
import type { Place } from "./places.ts";

/** Outputs of the stack. */
export interface Outputs {
  readonly guests: Readonly<Record<string, Place & { readonly port: string }>>;
  readonly nodes: Readonly<Record<string, { readonly zone: string; readonly chassis: string }>>;
}

/** The stack, by Pulumi's CLI. */
export class Stack {
  readonly #name: string;
  readonly #command: readonly string[];

  /** @param command the CLI's, with arguments that come before all others */
  constructor(name: string, command: readonly string[]) {
    this.#name = name;
    this.#command = command;
  }

  async outputs(): Promise<Outputs> {
    const { guests, nodes } = JSON.parse(await this.#pulumi("stack", "output", "--json")) as Partial<Outputs>;
    if (!guests || !nodes) throw new Error(`stack ${this.#name} has no outputs "guests" and "nodes": run pulumi up first`);
    return { guests, nodes };
  }

  /** The stack's `ovn:targets`, when it has it: the path of the file of targets. */
  targets(): Promise<string | undefined> {
    return this.#pulumi("config", "get", "ovn:targets").then(
      (path) => path.trim(),
      () => undefined,
    );
  }

  /**
   * Writes nodes of guests into the stack's configuration, and updates only the guests' ports, which refer to the network's list of workloads.
   * An unreachable zone does not stop the others.
   */
  async place(places: ReadonlyMap<string, Place>): Promise<void> {
    const settings = [...places].flatMap(([guest, { node, to }]) => [`${path(guest)}.node=${node}`, `${path(guest)}.to=${to}`]);
    await this.#pulumi("config", "set-all", "--path", ...settings.flatMap((setting) => ["--plaintext", setting]));
    await this.#pulumi("up", "--yes", "--skip-preview", "--continue-on-error", "--target", "**::blue-members", "--target", "**::blue-workloads-*");
  }

  #pulumi(...args: string[]): Promise<string> {
    return new Promise((resolve, reject) => {
      const [file, ...first] = this.#command;
      // In a group of its own: an interrupt from the terminal must not end an update half way.
      const child = spawn(file!, [...first, ...args, "--stack", this.#name, "--non-interactive", "--color=never"], {
        stdio: ["ignore", "pipe", "pipe"],
        detached: true,
      });
      let [output, all] = ["", ""];
      child.stdout.on("data", (text) => {
        output += text;
        all += text;
      });
      child.stderr.on("data", (text) => {
        all += text;
      });
      child.once("error", reject);
      child.once("close", (code) => (code === 0 ? resolve(output) : reject(new Error(`pulumi ${args[0]} ended with status ${code}:\n${reason(all)}`))));
    });
  }
}

/** Reason in Pulumi's output. */
function reason(text: string): string {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  const errors = lines.filter((line) => /\berror\b/i.test(line));
  return [...new Set(errors.length > 0 ? errors : lines)]
    .slice(-5)
    .map((line) => `  ${line}`)
    .join("\n");
}

const path = (guest: string): string => `guests[${JSON.stringify(guest)}]`;
