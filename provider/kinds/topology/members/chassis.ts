import type { FromMembers } from "../../../kit/members/complete";
import type { RemoteChassisEntryArgs } from "../remote-chassis-entry";

export interface MemberChassisArgs extends RemoteChassisEntryArgs {
  /** The zone that it is in: for all others it is remote. */
  zone: string;
}

/** The chassis that are remote for a zone. */
export function chassisOutside(list: Readonly<Record<string, MemberChassisArgs>>, zone: string): Record<string, RemoteChassisEntryArgs> {
  return Object.fromEntries(Object.entries(list).flatMap(([chassis, entry]) => (entry.zone === zone ? [] : [[chassis, withoutZone(entry)]])));
}

function withoutZone({ zone: _zone, ...entry }: MemberChassisArgs): RemoteChassisEntryArgs {
  return entry;
}

export const remoteChassisFromMembers: FromMembers = {
  argument: "chassis",
  part: (list, zone) => chassisOutside(list as Parameters<typeof chassisOutside>[0], zone),
};
