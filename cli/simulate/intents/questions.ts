import { formatIp, type Intent, parseIp } from "@pulumi-ovn/provider";
import type { Protocol, Question } from "../types";
import type { IntentSubject } from "./subject";

const FAMILIES = [4, 6] as const;

/** Pure. Workloads of an intent that the network does not have. */
export function missingWorkloads({ from, to }: Intent, { workloads }: IntentSubject): string[] {
  return [...from, ...(typeof to === "string" ? [] : to)].filter((name) => !Object.hasOwn(workloads, name));
}

/** Pure. The questions of an intent, one for each pair of workloads that exist and each family. */
export function questionsOfIntent({ from, to, protocol, port, family }: Intent, { workloads }: IntentSubject): Question[] {
  const existing = (names: readonly string[]) => names.filter((name) => Object.hasOwn(workloads, name));
  const senders = existing(from);
  const question: Protocol = protocol === "icmp" ? { name: "icmp" } : { name: protocol, port: port! };
  const between = (sender: string, receiver: Question["to"], of: 4 | 6): Question[] => {
    const { port: name, addresses } = workloads[sender]!;
    const source = addressIn(addresses, of);
    return source === undefined ? [] : [{ from: { kind: "workload", name }, source, to: receiver, family: of, protocol: question }];
  };
  if (typeof to === "string") return senders.flatMap((sender) => between(sender, { kind: "outside", address: formatIp(parseIp(to)) }, parseIp(to).family));
  return senders.flatMap((sender) =>
    existing(to)
      .filter((receiver) => receiver !== sender)
      .flatMap((receiver) =>
        (family === undefined ? FAMILIES : [family]).flatMap((of) => {
          const { port: name, addresses } = workloads[receiver]!;
          const address = addressIn(addresses, of);
          return address === undefined ? [] : between(sender, { kind: "workload", name, address }, of);
        }),
      ),
  );
}

/** The first address of a family, as OVN prints it. */
function addressIn(addresses: readonly string[], family: 4 | 6): string | undefined {
  const found = addresses.map(parseIp).find((each) => each.family === family);
  return found && formatIp(found);
}
