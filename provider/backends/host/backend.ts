import type { Failure } from "../../kit/arguments/errors";
import { UNKNOWN } from "../../kit/arguments/unknown";
import type { Connections } from "../../targets/connections";
import type { Backend, Properties, Subject } from "../contract/backend";
import { ensureHost, removeHost } from "./engine";
import { hideHost } from "./hide";
import type { HostRendered } from "./kind";
import { hostDigest, hostLines } from "./lines";
import { hostDrift, liveHost } from "./live";
import { FLOWS, inZone, ROWS } from "./parts";

/**
 * Bridges, ports and flows of one host together: rows first, flows when the switch has made the ports, and the other way
 * round when they go. So nothing is ever sent to a port that is not there.
 */
export class HostBackend implements Backend<HostRendered> {
  readonly target = "host";
  readonly arguments = [];
  readonly located = [...FLOWS.located, "adopted"];
  readonly outputProperties = ["sequence"];
  readonly unknown = { cookie: UNKNOWN };
  readonly lines = hostLines;
  readonly hide = hideHost;
  readonly digest = hostDigest;
  readonly drift = hostDrift;
  readonly read = liveHost;
  readonly ensure = ensureHost;
  readonly remove = removeHost;

  failures(properties: Properties, targets: Connections): Failure[] {
    const failures = FLOWS.failures(properties, targets);
    if (failures.length > 0) return failures;
    return ROWS.failures(inZone(properties), targets).map((failure) => ({ ...failure, path: "host", code: "host" }));
  }

  describe(properties: Properties, targets: Connections): string {
    return FLOWS.describe(properties, targets);
  }

  id(urn: string): string {
    return FLOWS.id(urn);
  }

  async locate(subject: Subject, { adopted }: Properties): Promise<Properties> {
    return { ...(await FLOWS.locate(subject)), ...(adopted !== undefined && { adopted }) };
  }
}
