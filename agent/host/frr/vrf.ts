import type { Bgp, Family, Problem } from "@pulumi-ovn/provider/agent";
import type { LiveBgp, LiveVrfBgp } from "../live";
import type { FrrStep } from "../steps";
import { asNumberOf, blockOf, FAMILIES, INSTANCE, linesOf, MARK } from "./config";

/** Lines of an instance that say nothing by themselves. */
const FRAME = /^(?:| *!.*| address-family ipv[46] unicast| exit-address-family)$/;

const OWN = new RegExp(`^ +redistribute kernel route-map ${MARK}$`);

/** Pure. VRFs in bgpd's running configuration: their instances, and the imports of the instance without VRF. */
export function vrfsIn(text: string): LiveVrfBgp[] {
  const lines = linesOf(text);
  const imported = importsIn(lines);
  const instances = lines.flatMap((line, begin): LiveVrfBgp[] => {
    const [, asNumber, vrf] = /^router bgp ([\d.]+) vrf (\S+)/.exec(line) ?? [];
    if (vrf === undefined) return [];
    const block = blockOf(lines, begin);
    const redistributed = FAMILIES.filter((family) => block.some((one) => one.family === family && OWN.test(one.line)));
    return [
      {
        vrf,
        asNumber: asNumberOf(asNumber!),
        redistributed,
        foreign: block.some((one) => !FRAME.test(one.line) && !OWN.test(one.line)),
        imported: imported.get(vrf) ?? [],
      },
    ];
  });
  const others = [...imported].filter(([vrf]) => !instances.some((instance) => instance.vrf === vrf));
  return [...instances, ...others.map(([vrf, families]): LiveVrfBgp => ({ vrf, asNumber: null, redistributed: [], foreign: false, imported: families }))];
}

function importsIn(lines: readonly string[]): Map<string, Family[]> {
  const found = new Map<string, Family[]>();
  const begin = lines.findIndex((line) => INSTANCE.test(line));
  for (const { family, line } of begin < 0 ? [] : blockOf(lines, begin)) {
    const [, vrf] = /^ +import vrf (\S+)$/.exec(line) ?? [];
    if (vrf !== undefined && family !== undefined) found.set(vrf, [...(found.get(vrf) ?? []), family]);
  }
  return found;
}

/**
 * Pure. Why FRR's instance of the VRF can't serve the desired state. The agent does not share an instance with another writer.
 * If the instance without VRF redistributes the same table, its routes would bypass the operator's route-map.
 */
export function vrfRefusal({ asNumber, vrf, table }: Bgp, live: LiveBgp | null, vrfs: readonly LiveVrfBgp[]): Problem | undefined {
  const others = FAMILIES.flatMap((family) => live?.redistributed[family] ?? []).find((line) => !line.own && line.table === table);
  if (others)
    return {
      code: "OVN_AGENT_FRR_VRF",
      subject: "FRR",
      message: `FRR redistributes table ${table} by a line of others ("redistribute ${others.how} ${table}"), whose route-map a VRF would go past: remove it, or run the agent without --vrf; nothing is changed in FRR`,
    };
  const found = vrfs.find((one) => one.vrf === vrf);
  if (found?.foreign)
    return {
      code: "OVN_AGENT_FRR_VRF",
      subject: found.vrf,
      message: `FRR's BGP instance of VRF ${found.vrf} has lines that are not the agent's: choose another VRF, or remove them; nothing is changed in FRR`,
    };
  if (found && found.asNumber !== null && found.asNumber !== asNumber)
    return {
      code: "OVN_AGENT_FRR_AS",
      subject: found.vrf,
      message: `FRR runs AS ${found.asNumber} in VRF ${found.vrf}, and the agent's configuration has ${asNumber}; nothing is changed in FRR; make both equal`,
    };
  return undefined;
}

/** Pure. The instance of the VRF redistributes the kernel's table, and the instance without VRF imports it. */
export function leaked({ asNumber, vrf }: Bgp, vrfs: readonly LiveVrfBgp[]): FrrStep[] {
  const found = vrfs.find((one) => one.vrf === vrf);
  const missing = (have: readonly Family[] = []) => FAMILIES.filter((family) => !have.includes(family));
  return [
    ...missing(found?.redistributed).map((family) =>
      step(`router bgp ${asNumber} vrf ${vrf}`, `address-family ipv${family} unicast`, `redistribute kernel route-map ${MARK}`),
    ),
    ...missing(found?.imported).map((family) => step(`router bgp ${asNumber}`, `address-family ipv${family} unicast`, `import vrf ${vrf}`)),
  ];
}

/**
 * Pure. Removes unneeded VRF instances. An instance with only the agent's lines is the agent's own, with the imports from it. If another
 * writer has added lines, only the agent's lines are removed: the imports may be the other writer's.
 *
 * @param wanted the VRF that stays
 */
export function unleaked(bgp: LiveBgp | null, vrfs: readonly LiveVrfBgp[], wanted: string | undefined): FrrStep[] {
  return vrfs
    .filter(({ vrf, redistributed }) => redistributed.length > 0 && vrf !== wanted)
    .flatMap(({ vrf, asNumber, foreign, redistributed, imported }) => {
      const instance = `router bgp ${asNumber} vrf ${vrf}`;
      if (foreign) return redistributed.map((family) => step(instance, `address-family ipv${family} unicast`, "no redistribute kernel"));
      return [
        ...imported.map((family) => step(`router bgp ${bgp!.asNumber}`, `address-family ipv${family} unicast`, `no import vrf ${vrf}`)),
        step(`no ${instance}`),
      ];
    });
}

const step = (...lines: string[]): FrrStep => ({ kind: "frr", daemon: "bgpd", lines });
