import { type Intent, parseIp } from "@pulumi-ovn/provider";
import type { Protocol, Question } from "../types";
import type { IntentSubject } from "./subject";

const FAMILIES = [4, 6] as const;

/** Pure. The questions of an intent, one for each pair and family. Undefined if a workload of the intent does not exist. */
export function questionsOfIntent({ from, to, protocol, port, family }: Intent, { workloads }: IntentSubject): Question[] | undefined {
  const receivers = typeof to === "string" ? [] : to;
  if ([...from, ...receivers].some((name) => !Object.hasOwn(workloads, name))) return undefined;
  const asked: Protocol = protocol === "icmp" ? { name: "icmp" } : { name: protocol, port: port! };
  const between = (sender: string, receiver: Question["to"], of: 4 | 6): Question[] => {
    const { port: name, addresses } = workloads[sender]!;
    const source = addresses.find((each) => parseIp(each).family === of);
    return source === undefined ? [] : [{ from: { kind: "workload", name }, source, to: receiver, family: of, protocol: asked }];
  };
  if (typeof to === "string") return from.flatMap((sender) => between(sender, { kind: "outside", address: to }, parseIp(to).family));
  return from.flatMap((sender) =>
    receivers
      .filter((receiver) => receiver !== sender)
      .flatMap((receiver) =>
        (family === undefined ? FAMILIES : [family]).flatMap((of) => {
          const { port: name, addresses } = workloads[receiver]!;
          const address = addresses.find((each) => parseIp(each).family === of);
          return address === undefined ? [] : between(sender, { kind: "workload", name, address }, of);
        }),
      ),
  );
}
