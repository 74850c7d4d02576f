import type { ColumnValue, DesiredRow, Reference } from "../../backends/rows/set";
import { listedIn, local, textMap } from "../topology/rows";

/** Labels that name what a row is a part of, for readers of the database. */
export type Labels = Readonly<Record<string, string>>;

/** Bundles need 1.4 (ovs-ofctl(8), --bundle); the others are what a bridge offers by default. */
const PROTOCOLS = ["OpenFlow10", "OpenFlow11", "OpenFlow12", "OpenFlow13", "OpenFlow14", "OpenFlow15"];

/** Names of bridges and ports never change in a row: another name is another row. */
export const bridgeRow = (name: string, datapathType: string, labels: Labels, carries?: DesiredRow["carries"]): DesiredRow[] => [
  {
    table: "Bridge",
    key: name,
    // Secure: without flows a bridge does nothing, where it would otherwise switch as it pleases.
    columns: { name, datapath_type: datapathType, fail_mode: "secure", protocols: PROTOCOLS, external_ids: textMap(labels) },
    parent: listedIn("Open_vSwitch", { name: "." }, "bridges"),
    ...(carries && { carries }),
  },
  // The port of the bridge's own name is what ovs-vsctl makes with every bridge, too.
  ...portRows({ bridge: local("Bridge", name), name, labels, interface: { type: "internal" } }),
];

export interface PortArgs {
  readonly bridge: Reference;
  readonly name: string;
  readonly labels: Labels;
  readonly port?: Readonly<Record<string, ColumnValue>>;
  readonly interface: {
    readonly type?: string;
    readonly options?: Readonly<Record<string, string>>;
    readonly bfd?: Readonly<Record<string, string>>;
    /** OpenFlow port number that it asks for. */
    readonly number?: number;
  };
}

/** A port and its one interface; vswitchd fills in the rest of their columns. */
export function portRows(args: PortArgs): DesiredRow[] {
  return [portRow(args), interfaceRow(args.name, args.interface)];
}

export function portRow({ bridge, name, labels, port = {} }: Omit<PortArgs, "interface">): DesiredRow {
  return {
    table: "Port",
    key: name,
    columns: { name, interfaces: [local("Interface", name)], ...port, external_ids: textMap(labels) },
    parent: listedIn("Bridge", bridge, "ports"),
  };
}

export function interfaceRow(name: string, { type, options, bfd, number }: PortArgs["interface"]): DesiredRow {
  return {
    table: "Interface",
    key: name,
    columns: {
      name,
      ...(type !== undefined && { type }),
      ...(options && { options: { map: options } }),
      ...(bfd && { bfd: { map: bfd } }),
      ...(number !== undefined && { ofport_request: number }),
    },
  };
}
