import { adoptFailures, managersOf } from "../../kit/arguments/adopt";
import type { Failure } from "../../kit/arguments/errors";
import type { Backend, Lines, Live, Previous, Properties, Subject } from "../contract/backend";
import type { ObjectRendered } from "./kind";
import type { Connections } from "../../targets/connections";
import { targetFailures } from "../../targets/failures";
import { adoptionOf, liveState } from "./live";
import { ensureObjects, removeObjects } from "./engine";
import { ObjectError } from "../../targets/cluster/errors";
import { hideObjects } from "./hide";
import { objectLines, objectSetDigest } from "./lines";
import { observe, type ObjectTarget } from "./live/observe";
import { refuseForeign } from "./plan";
import { rowUuid } from "../../kit/identity";

/**
 * Objects of a Kubernetes API. Properties in addition to a kind's own:
 * - `adopt`: see `adoption.ts`; `adoption`: effects of the first update on existing objects, for the preview
 */
export class ObjectBackend implements Backend<ObjectRendered> {
  readonly target = "cluster";
  readonly arguments = ["adopt"];
  readonly located = ["adoption"];
  readonly unknown = {};

  failures(properties: Properties, targets: Connections): Failure[] {
    return [...adoptFailures(properties), ...targetFailures({ path: "cluster", code: "cluster" }, properties.cluster, (name) => targets.cluster(name))];
  }

  describe({ cluster }: Properties, targets: Connections): string {
    return targets.describeCluster(String(cluster ?? ""));
  }

  lines({ set }: ObjectRendered): Lines {
    return objectLines(set);
  }

  hide(desired: ObjectRendered, twin: ObjectRendered): ObjectRendered {
    return { ...desired, set: hideObjects(desired.set, twin.set) };
  }

  digest({ set }: ObjectRendered): string {
    return objectSetDigest(set);
  }

  id(urn: string): string {
    return rowUuid(urn, "", "");
  }

  /** Only a resource that is not in the state yet looks for what it adopts; all later checks are pure. */
  async locate(subject: Subject, olds: Properties, { set }: ObjectRendered): Promise<Properties> {
    const target = targetOf(subject);
    if (target.managers === undefined || olds.digest !== undefined) return {};
    const live = await observe(target, set);
    if (live.size === 0) throw new ObjectError("OVN_NOT_FOUND", `there is nothing to adopt: none of the objects exists; leave out "adopt" to create them`);
    for (const object of live.values()) refuseForeign(object, target);
    return { adoption: adoptionOf(set, live, subject.urn) };
  }

  async read(subject: Subject, { set }: ObjectRendered): Promise<Live | undefined> {
    return liveState(set, await observe(targetOf(subject), set), subject.urn);
  }

  async ensure(subject: Subject, { set }: ObjectRendered, previous?: Previous<ObjectRendered>): Promise<void> {
    await ensureObjects(targetOf(subject), set, previous?.desired?.set);
  }

  async remove(subject: Subject, { set }: ObjectRendered): Promise<void> {
    await removeObjects(targetOf(subject), set);
  }
}

function targetOf({ urn, properties, targets, signal, lists }: Subject): ObjectTarget {
  return { cluster: targets.cluster(properties.cluster as string), owner: urn, managers: managersOf(properties), signal, lists };
}
