import type { ZoneFlows } from "../zones/flows";
import type { AskedGroup } from "./groups";
import { fromText, toText } from "./text";
import type { World } from "../zones/world";

interface Asked {
  readonly group: Pick<AskedGroup, "after">;
}

/** Zones of workloads, and the workloads as zones distinguish them. */
interface Distinguished extends Pick<World, "workloads"> {
  readonly flows: ReadonlyMap<string, Pick<ZoneFlows, "classes">>;
}

/**
 * Pure. Splits questions: those with traces that no earlier one has in the zone of its sender or of its receiver, and the others. Zones
 * distinguish few of their ports, so most traces of the others are known then.
 */
export function representatives<T extends Asked>({ flows, workloads }: Distinguished, asked: readonly T[]): Readonly<Record<"first" | "others", readonly T[]>> {
  const known = new Set<string>();
  const isNew = (...trace: readonly unknown[]) => known.size < known.add(JSON.stringify(trace)).size;
  /** The other end, as a zone distinguishes it. */
  const seenIn = (zone: string | undefined, name: string) => flows.get(zone ?? "")?.classes.get(name) ?? name;
  const parts = Map.groupBy(asked, ({ group: { after: question } }) => {
    const { from, family, protocol } = question;
    const [sender, receiver] = [fromText(question), toText(question)];
    const atSender = isNew("from", sender, seenIn(from.kind === "workload" ? workloads.get(from.name) : from.zone, receiver), family, protocol);
    const atReceiver = isNew("to", receiver, seenIn(workloads.get(receiver), sender), family, protocol);
    return atSender || atReceiver ? "first" : "others";
  });
  return { first: parts.get("first") ?? [], others: parts.get("others") ?? [] };
}
