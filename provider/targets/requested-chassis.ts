/** Chassis that `options:requested-chassis` of a port names: several while the port moves (ovn-nb(5)). */
export function requestedChassis(option: string | undefined): readonly string[] {
  return option?.split(",").filter((name) => name !== "") ?? [];
}
