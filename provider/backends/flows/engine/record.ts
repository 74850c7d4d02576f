import { setTimeout } from "node:timers/promises";
import { printable } from "@pulumi-ovn/ovsdb-client";
import { APPLY_VARIABLE } from "../../../targets/apply/record";
import { checkOnce } from "../../../targets/apply/check-once";
import type { PartImage } from "../../../targets/apply/part";
import { recordingParts } from "../../../targets/apply/record-parts";
import { PendingApplyError } from "../../../targets/errors";
import type { Subject } from "../../contract/backend";
import { FlowError } from "../errors";
import { eachOnHost, failed, type HostTarget, runOnHost } from "../shell/host";
import { IMAGE } from "../shell/image";
import type { StepResult } from "../shell/script";
import { bridgesWith } from "../switch/owned";
import { restoreOn } from "./restore";

/** Column of a host's database with the identifier of a pending apply. */
const PENDING_ID = 'external_ids:"pulumi-ovn:apply"';

/**
 * Does work that may change flows of a cookie. While an apply is pending, its own update records the flows of all bridges that have the
 * cookie, before and after the work; any other throws a PendingApplyError.
 * @param bridges that may get flows
 */
export async function changingFlows<T>(subject: Subject, target: HostTarget, cookie: string, bridges: readonly string[], work: () => Promise<T>): Promise<T> {
  if (process.env[APPLY_VARIABLE] === undefined) {
    await checkOnce(subject.targets, subject.properties.host as string, () => refusePending(target));
    return work();
  }
  const all = [...new Set([...bridges, ...(await bridgesWith(target, cookie))])];
  return recorded(subject, () => images(target, cookie, all), work);
}

/** Does work that changes parts of a host. The update of a pending apply records them in the host's database. */
export async function recorded<T>({ targets, properties }: Subject, look: () => Promise<readonly PartImage[]>, work: () => Promise<T>): Promise<T> {
  const id = process.env[APPLY_VARIABLE];
  if (id === undefined) return work();
  const name = properties.host as string;
  return recordingParts({ client: await targets.unguarded(name, "Open_vSwitch"), id }, look, work, restoreOn({ host: targets.host(name) }));
}

async function refusePending(target: HostTarget): Promise<void> {
  for (const wait of [...AGAIN, 0]) {
    const [result] = await runOnHost(target, [{ argv: ["ovs-vsctl", "--timeout=5", "--if-exists", "get", "Open_vSwitch", ".", PENDING_ID] }]);
    if (!failed(result!)) return refuse(result!.stdout.trim().replaceAll('"', ""));
    if (wait === 0) throw unanswered(result!);
    await setTimeout(wait);
  }
}

function refuse(id: string): void {
  if (id === "") return;
  throw new PendingApplyError(`apply ${id} is pending on this host; run "pulumi-ovn confirm ${id}" or "pulumi-ovn cancel ${id}" first`);
}

/** The host does not show whether an apply is pending. This update would disturb its undo. */
function unanswered({ status, stderr }: StepResult): FlowError {
  const reason = stderr.trim() === "" ? "" : `: ${printable(stderr.trim())}`;
  return new FlowError(
    "OVN_HOST_UNREACHABLE",
    `ovs-vsctl on the host ended with status ${status}, so an apply may be pending there${reason}; see that ovsdb-server runs there and that ovs-vsctl reaches it`,
  );
}

/** Milliseconds before a host is asked once more: ovs-vswitchd may make the bridge at this moment, or ovsdb-server may restart. */
const AGAIN = [100, 200, 400, 800];

async function images(target: HostTarget, cookie: string, bridges: readonly string[]): Promise<PartImage[]> {
  const looks = bridges.map((bridge) => ({ argv: ["sh", "-c", `${IMAGE}\nimage "$1" "$2"`, "image", cookie, bridge], bridge }));
  for (const wait of [...AGAIN, 0]) {
    const results = await eachOnHost(target, looks, (result) => (failed(result) ? undefined : result.stdout));
    const silent = results.indexOf(undefined);
    if (silent < 0) return results.map((image, index) => ({ name: `flows/${cookie}/${bridges[index]}`, image: image! }));
    if (wait === 0) throw new FlowError("OVN_BRIDGE_UNREACHABLE", `bridge "${bridges[silent]}" does not answer, so its flows can't be recorded for the undo`);
    await setTimeout(wait);
  }
  return [];
}
