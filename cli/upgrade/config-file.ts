import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { sameJson } from "@pulumi-ovn/provider/tools";
import { type Document, parseDocument } from "yaml";
import { CommandError } from "../command";
import { replaceFile } from "../replace-file";
import { stackPath } from "../stack/stack-file";
import { ensuredMap, keyOf, mapAt } from "./config-maps";
import type { Settings } from "./settings";

const TOPOLOGY = "ovn:topology";

/** A stack's configuration, `Pulumi.STACK.yaml`: what an upgrade changes is in it and nowhere else. */
export class ConfigFile {
  private constructor(
    readonly path: string,
    private readonly text: string,
    /** Content of the file when it was read. */
    private readonly found: string = text,
  ) {}

  /** @param stack as Pulumi shows it */
  static read(project: string, stack: string): ConfigFile {
    const path = stackPath(project, stack);
    return new ConfigFile(path, textIn(path));
  }

  /**
   * The current file. A rollout takes hours, and other writers may change the file between two stages. Throws if the network's own entry has
   * changed: then another writer also moves the network.
   */
  today(network: string): ConfigFile {
    const now = new ConfigFile(this.path, textIn(this.path));
    if (!sameJson(now.#entry(network), this.#entry(network)))
      throw new CommandError("OVN_CONFIG", `${TOPOLOGY}.${network} in ${this.path} was changed meanwhile; run again to continue from it`);
    return now;
  }

  /** Whether the network has an entry: it is on its way, or was. */
  has(network: string): boolean {
    return this.#entry(network) !== undefined;
  }

  /** The file with the network's settings; comments and everything else stay. */
  with(network: string, { nodes, upgrade }: Settings): ConfigFile {
    const document = this.#document();
    const at = ["config", TOPOLOGY, network];
    const [entry, topologies] = [ensuredMap(document, at, this.path), ensuredMap(document, [...at, "nodes"], this.path)];
    for (const [node, topology] of Object.entries(nodes)) topologies.set(keyOf(topologies, node), topology);
    if (upgrade === undefined) entry.delete("upgrade");
    else entry.set("upgrade", upgrade);
    return new ConfigFile(this.path, document.toString({ lineWidth: 0 }), this.found);
  }

  /** Throws if another writer has changed the file since it was read. */
  requireAsRead(): void {
    if (textIn(this.path) !== this.found)
      throw new CommandError("OVN_CONFIG", `${this.path} was changed meanwhile, so nothing was written; run again to go on`);
  }

  /** Replaces the file atomically: a kill leaves the old or the new file. Refuses if another writer has changed the file since it was read. */
  write(): void {
    this.requireAsRead();
    replaceFile(this.path, this.text);
  }

  /** Restores the content from before `write`, if that was called. Refuses if another writer has changed the file since. */
  takeBack(): void {
    const now = textIn(this.path);
    if (now === this.found) return;
    if (now !== this.text)
      throw new CommandError("OVN_CONFIG", `${this.path} was changed meanwhile, so it still has the stage that was undone; correct it before the next run`);
    replaceFile(this.path, this.found);
  }

  /** Writes the future content to a temporary file for a preview, and deletes this file after the preview. */
  async draft<T>(use: (path: string) => Promise<T>): Promise<T> {
    const folder = mkdtempSync(join(tmpdir(), "pulumi-ovn-"));
    try {
      const path = join(folder, basename(this.path));
      writeFileSync(path, this.text, { mode: 0o600 });
      return await use(path);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  #entry(network: string): unknown {
    const document = this.#document();
    return mapAt(document, ["config", TOPOLOGY, network], this.path)?.toJS(document);
  }

  #document(): Document {
    const document = parseDocument(this.text);
    const [error] = document.errors;
    if (error) throw new CommandError("OVN_CONFIG", `can't read ${this.path}: ${error.message.split("\n")[0]!}`);
    inlineText(document, this.path);
    return document;
  }
}

function textIn(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

/** `pulumi config set` without --path keeps an object as a text of JSON. */
function inlineText(document: Document, path: string): void {
  const value = document.getIn(["config", TOPOLOGY]);
  if (typeof value !== "string") return;
  try {
    document.setIn(["config", TOPOLOGY], document.createNode(JSON.parse(value)));
  } catch {
    throw new CommandError("OVN_CONFIG", `${path}: ${TOPOLOGY} is neither an object nor JSON`);
  }
}
