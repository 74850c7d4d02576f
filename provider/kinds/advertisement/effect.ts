import type { Effect } from "../../backends/contract/kind";
import type { ObjectRendered } from "../../backends/objects/kind";
import { OWNER_LABEL, ownerLabel } from "../../backends/objects/set/marks";
import type { RouteAdvertisementSpec } from "./args";
import { CONFIGURATION, FRR } from "./cluster/reader";
import { AdvertisementError, awaitAdvertised, readAcceptance } from "./cluster/wait";
import type { FrrConfiguration } from "./facts";
import { listedIn, together } from "./names";

const objectsIn = ({ set }: ObjectRendered) => set.objects as unknown as readonly FrrConfiguration[];

/** Announcements by FRR, or the acceptance by ovn-kubernetes' controller. */
export const effect: Effect<RouteAdvertisementSpec, ObjectRendered> = {
  /** The cluster's objects of the announcement, whose withdrawal is awaited. The state may be outdated: a refresh may have run since the write. */
  async before({ mode, waitFor, cluster, namespace }, former, { urn, targets, signal }) {
    if (mode === "controller" || waitFor === "none") return [];
    const labels = `${OWNER_LABEL}=${ownerLabel(urn)}`;
    const namespaces = together([former?.namespace ?? namespace, namespace]);
    const lists = namespaces.map((each) => targets.cluster(cluster).list(FRR, CONFIGURATION, { ...listedIn(each), labels }, signal));
    return (await Promise.all(lists)).flat();
  },
  wait: (spec, desired, { targets, signal }, before) =>
    awaitAdvertised(spec, objectsIn(desired), targets.cluster(spec.cluster), signal, before as readonly FrrConfiguration[] | undefined),
  async refusal(spec, { targets, signal }) {
    if (spec.mode !== "controller") return undefined;
    const { state, message } = await readAcceptance(spec, targets.cluster(spec.cluster), signal);
    return state === "accepted" ? undefined : message;
  },
  refusalIn: (error) => (error instanceof AdvertisementError && error.code === "OVN_NOT_ACCEPTED" ? error.message : undefined),
  outputs: (reason) => ({ accepted: reason === undefined, reason }),
};
