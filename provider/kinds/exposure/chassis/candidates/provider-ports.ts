import { type Prefix, contains, hostPrefix } from "../../../../kit/address";
import { readable } from "../../../../kit/address/readable";
import { memo } from "../../../../kit/memo/memo";
import type { AgentExposure } from "../../agent/exposure";
import { Memo } from "../memo";
import type { PortBinding } from "../snapshot/snapshot";
import { addressesOf, words } from "../addresses";
import { type Candidate, selected } from "./candidate";
import { datapathOf } from "../datapath";
import { type ChassisModel, isWorkload } from "../chassis-model";

/** Workloads on provider networks: each from the chassis that it is on. */
export function providerPorts(model: ChassisModel, exposure: AgentExposure): Candidate[] {
  if (!exposure.providerPorts) return [];
  return model.bound.flatMap((port): readonly Candidate[] => {
    if (port.router || !isWorkload(port.type) || !model.isHere(port) || !model.rows.isProvider(port.datapath) || !selected(exposure, port.network, port))
      return [];
    const addresses = addressesOf(port);
    const link = addresses.length > 0 ? model.link(datapathOf(port)) : undefined;
    if (!link) return [];
    const routers = model.rows.subnetsOf(port.datapath);
    // Between two snapshots, few of thousands of ports change.
    return known.of([port, link, ...routers], () => {
      const subnets = [...routers, ...cidrsOf(port)];
      return addresses.map((address) => ({
        network: datapathOf(port),
        link,
        next: null,
        prefix: hostPrefix(address),
        subnet: subnets.find((subnet) => contains(subnet, address)),
      }));
    });
  });
}

/** The candidates of a port. */
const known = new Memo<readonly Candidate[]>();

const cidrsOf: (port: PortBinding) => readonly Prefix[] = memo(({ externalIds }) => words(externalIds["neutron:cidrs"] ?? "").flatMap(readable));
