import type { ZoneSnapshot } from "../snapshot";
import type { Finding } from "./finding";

/** `options:requested-chassis` of router ports, which links between zones are made of. */
const NEEDED = [25, 3] as const;

/** OVN must be new enough in every zone before anything is written in one of them. */
export function releaseFindings(zones: readonly ZoneSnapshot[]): Finding[] {
  return zones.flatMap(({ zone, release }) => {
    if (release === undefined)
      return [
        {
          gate: "release" as const,
          where: `zone ${zone}`,
          problem: "its Southbound database does not say which ovn-northd wrote it",
          remedy: "start ovn-northd",
        },
      ];
    const [major, minor] = release.split(".").map(Number) as [number, number];
    if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) return [];
    return [
      {
        gate: "release" as const,
        where: `zone ${zone}`,
        problem: `OVN ${release} is too old: transit routers between zones need 25.03`,
        remedy: "upgrade OVN in this zone first",
      },
    ];
  });
}
