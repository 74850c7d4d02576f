import { CommandError, type Command } from "../command";
import { readPreview } from "../plan/preview";
import { readSource } from "../plan/source";
import { print } from "../output";
import { replaceFile } from "../replace-file";
import { intentFacts, intentSection } from "../status/intents/section";
import { readStackState } from "../stack/stack-state";
import type { ComparedScene } from "./compare";
import { layout } from "./draw/layout";
import { svg } from "./draw/svg";
import { fold } from "./fold";
import { GITHUB, mermaid } from "./mermaid";
import { type FormatName, known, type PictureOptions, readOptions } from "./options";
import { page } from "./page/page";
import { type Pictured, picturedPreview, picturedState } from "./resources";
import { sceneOf } from "./views";

const FORMATS: Readonly<Record<FormatName, (scene: ComparedScene, pictured: Pictured) => string>> = {
  html: (scene, pictured) => page(pictured, scene, intentSection.tables(intentFacts(pictured.after), { all: true })),
  svg: (scene) => svg(layout(fold(scene))),
  mermaid: (scene) => mermaid(scene, GITHUB),
};

async function run(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  const { format, view, network, out } = options;
  const pictured = await readPictured(options);
  const scene = sceneOf(pictured, view, network);
  if (scene.boxes.length === 0) throw new CommandError("OVN_PICTURE_EMPTY", emptyText(options));
  const text = FORMATS[format](scene, pictured);
  if (out === undefined) print(text, "visible");
  else replaceFile(out, text);
  return 0;
}

async function readPictured({ state, preview, stack, cwd }: PictureOptions): Promise<Pictured> {
  if (preview === undefined) return picturedState(await readStackState({ file: state, stack, cwd }));
  const source = await readSource({ file: preview, stack, cwd, further: [] });
  return picturedPreview(readPreview(source.text, source.name));
}

function emptyText({ view, network }: PictureOptions): string {
  const where = network === undefined ? "the stack" : `network ${JSON.stringify(network)}`;
  return `${where} has nothing that view "${view}" shows; choose another --view${network === undefined ? "" : " or --network"}`;
}

export const pictureCommand: Command = {
  summary: "draw a stack's networks, or what a preview changes in them",
  forms: ["[OPTIONS]"],
  about: `Draws a stack from its state, without databases: hosts, networks, ways out and addresses. Equal
things are folded, so that a picture has at most 40 boxes. With --preview it draws what an update
adds, removes, changes and moves. Every run puts a thing at the same position.`,
  options: known,
  notes: `There is no --json: "pulumi-ovn diff --json" is for programs.

Exit code: 0 done; 1 failed; 2 usage error.`,
  run,
};
