import { type ComparedScene, compareScenes } from "./compare";
import { announcements } from "./model/announcements";
import { egress } from "./model/egress";
import { policy } from "./model/policy";
import type { PicturedResource, Scene } from "./model/scene";
import { topology, vpcTopology } from "./model/topology";
import { upgrade } from "./model/upgrade";
import type { Pictured } from "./resources";

/** Makes the scene of a view. `network`: only this network or VPC. */
type View = (resources: readonly PicturedResource[], network: string | undefined) => Scene;

/** Views by name. Each answers one question. */
export const views = {
  topology,
  policy,
  egress,
  announcements,
  vpc: vpcTopology,
  upgrade,
} as const satisfies Readonly<Record<string, View>>;

export type ViewName = keyof typeof views;

/** The scene of a view, before and after laid over each other. */
export function sceneOf({ stack, before, after }: Pictured, view: ViewName, network?: string): ComparedScene {
  const make: View = views[view];
  const scene = compareScenes(before && make(before, network), make(after, network));
  return { ...scene, title: `${stack}: ${scene.title}` };
}
