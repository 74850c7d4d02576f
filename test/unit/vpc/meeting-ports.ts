import { portNumbers } from "@pulumi-ovn/provider/testing";

/** Two names of interfaces that derive the same OpenFlow number, the first one by name first. */
export function meetingPorts(): [string, string] {
  const seen = new Map<number, string>();
  for (let index = 0; ; index++) {
    const name = `p${index}`;
    const number = portNumbers([name]).get(name)!;
    const other = seen.get(number);
    if (other !== undefined) return [other, name].toSorted() as [string, string];
    seen.set(number, name);
  }
}
