import type { Omission } from "../zones/build";

/** Text for a resource that is left out, with each name passed through `name`. */
export function omissionText({ zone, resource, why }: Omission, name: (text: string) => string): string {
  return `zone ${name(zone)}: ${name(resource)} is left out: ${name(why)}`;
}
