import type { OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import type { Properties, Subject } from "../contract/backend";
import { FlowBackend } from "../flows/backend";
import { RowBackend } from "../rows/backend";

/** Writer of a host's rows. Its extent finds bridges and ports that an interrupted run made, and no state knows of. */
export const ROWS = new RowBackend("Open_vSwitch", { tables: ["Bridge", "Port", "Interface"] });

/** Writer of flows on bridges of the resource. */
export const FLOWS = new FlowBackend(false);

/** The row engine's target is a zone; a host is one for databases of Open vSwitch. */
export const inZone = ({ host, adopted }: Properties): Properties => ({ zone: host, ...(adopted !== undefined && { adopted }) });

export const rowSubject = (subject: Subject): Subject => ({ ...subject, properties: inZone(subject.properties) });

export function clientOf({ properties, targets }: Pick<Subject, "properties" | "targets">): Promise<OvsdbClient> {
  return targets.get(properties.host as string, "Open_vSwitch");
}
