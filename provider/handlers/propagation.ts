import { z } from "zod";
import type { Connections } from "../zones/connections";
import { propagate, type WaitFor } from "../zones/propagate";
import type { Checked, Differences, Handler, Properties } from "./handler";
import { inResource, resourceOf } from "./report";
import { hasUnknown, sameJson } from "./unknown";
import { validate } from "./validate";

const DATABASE = "OVN_Northbound";

/** How far a zone's rows must have come before what depends on this resource goes on. */
export interface PropagationArgs {
  /** Name of the OVN zone, a key of the stack configuration `ovn:zones`. */
  zone: string;
  /**
   * `southbound`: northd has translated the Northbound database. `chassis`: every chassis of the zone has also
   * installed the flows. As `--wait=sb` and `--wait=hv` of ovn-nbctl(8), but never for ever. Default: `chassis`.
   */
  waitFor?: WaitFor;
  /** Seconds to wait before it counts as a failure that names the chassis which lag behind. Default: 60. */
  timeout?: number;
  /** Waits again whenever this changes: give the digests of the resources that it waits for. */
  revision?: unknown;
}

const schema = z.strictObject({
  zone: z.string().min(1),
  waitFor: z.enum(["southbound", "chassis"]).optional(),
  timeout: z.number().positive().max(86_400).optional(),
  revision: z.unknown().optional(),
});

/** One wait for the whole of what a stack changed in a zone, instead of one for each row. */
export class PropagationHandler implements Handler {
  check(_olds: Properties, news: Properties, connections: Connections): Checked {
    const given = withoutOwn(news);
    const failures = validate(schema, given);
    if (failures.length === 0 && !hasUnknown(given.zone)) {
      try {
        connections.endpoints(given.zone as string, DATABASE);
      } catch (error) {
        failures.push({ path: "zone", code: "zone", message: (error as Error).message });
      }
    }
    return { inputs: { ...given, owner: news.owner }, failures };
  }

  diff(olds: Properties, news: Properties): Differences {
    return { changes: !sameJson(withoutOwn(olds), withoutOwn(news)), replaces: [], deleteBeforeReplace: false };
  }

  async create(inputs: Properties, connections: Connections): Promise<{ id: string; outs: Properties }> {
    await this.#wait(inputs, connections);
    return { id: `propagation-${String(inputs.zone)}`, outs: inputs };
  }

  read(props: Properties): Promise<{ props: Properties; inputs: Properties }> {
    return Promise.resolve({ props, inputs: props });
  }

  async update(_olds: Properties, news: Properties, connections: Connections): Promise<{ outs: Properties }> {
    await this.#wait(news, connections);
    return { outs: news };
  }

  delete(): Promise<void> {
    return Promise.resolve();
  }

  #wait(properties: Properties, connections: Connections): Promise<void> {
    return inResource(resourceOf(properties, DATABASE, connections), () => {
      const { zone, waitFor, timeout } = schema.parse(withoutOwn(properties));
      return propagate(connections, zone, waitFor ?? "chassis", (timeout ?? 60) * 1000);
    });
  }
}

function withoutOwn(properties: Properties): Properties {
  const { owner: _owner, redact: _redact, __provider: _provider, ...given } = properties;
  return given;
}
