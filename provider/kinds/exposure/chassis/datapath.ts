import type { PortBinding } from "./snapshot/snapshot";

/** A switch or router. */
export interface Datapath {
  readonly uuid: string;
  readonly name: string;
}

export const datapathOf = ({ datapath, network }: PortBinding): Datapath => ({ uuid: datapath, name: network });
