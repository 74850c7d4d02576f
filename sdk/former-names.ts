/** Names of earlier releases, so that their programs go on. */
export {
  /** @deprecated Its name is `Layer2Switch`. */
  Layer2Switch as LayerTwoSwitch,
} from "./resources/layer2-switch";
export type {
  /** @deprecated Its name is `Layer2SwitchArgs`. */
  Layer2SwitchArgs as LayerTwoSwitchArgs,
} from "@pulumi-ovn/provider";
