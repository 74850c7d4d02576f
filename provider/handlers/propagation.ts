import { propagationSchema as schema } from "../topology/propagation";
import type { Connections } from "../zones/connections";
import { propagate } from "../zones/propagate";
import type { Checked, Differences, Handler, Properties } from "./handler";
import { inResource, resourceOf } from "./report";
import { hasUnknown, sameJson } from "../arguments/unknown";
import { validate } from "../arguments/validate";

const DATABASE = "OVN_Northbound";

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
      return propagate(connections, zone, waitFor, timeout * 1000);
    });
  }
}

function withoutOwn(properties: Properties): Properties {
  const { owner: _owner, redact: _redact, __provider: _provider, ...given } = properties;
  return given;
}
