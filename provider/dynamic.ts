import type { dynamic } from "@pulumi/pulumi";
import { handlers } from "./handlers";
import type { Handler, Properties } from "./handlers/handler";
import { hideSecrets } from "./handlers/secrets";
import { readZones, ZONES_VARIABLE } from "./zones/config";
import { Connections } from "./zones/connections";

/**
 * Pulumi's dynamic provider protocol, on top of protocol-free handlers. Its traps, and what stands against them:
 * a thrown value that is no Error hangs the call; outputs that are no JSON fail after the object was made;
 * `configure` is not awaited by concurrent first calls, so here it is done when it returns.
 */
let shared: { readonly raw: string; readonly connections: Connections } | undefined;

function connectionsFor(configured: string | undefined): Connections {
  const environment = process.env[ZONES_VARIABLE];
  const raw = JSON.stringify([configured, environment]);
  // Every kind is configured by itself; all of them share the connections.
  if (shared?.raw === raw) return shared.connections;
  const connections = new Connections(readZones(configured, environment));
  void shared?.connections.close();
  shared = { raw, connections };
  return connections;
}

class DynamicAdapter implements dynamic.ResourceProvider {
  #configured: string | undefined;

  constructor(private readonly handler: Handler) {}

  configure(request: dynamic.ConfigureRequest): Promise<void> {
    this.#configured = request.config.get("ovn:zones");
    return Promise.resolve();
  }

  check(olds: Properties, news: Properties): Promise<dynamic.CheckResult> {
    return settle(news, async () => {
      let connections: Connections;
      try {
        connections = connectionsFor(this.#configured);
      } catch (error) {
        return { inputs: news, failures: [{ property: "zone", reason: (error as Error).message }] };
      }
      const { inputs, failures } = await this.handler.check(olds, news, connections);
      return { inputs: json(inputs), failures: failures.map(({ path, code, message }) => ({ property: path, reason: hideSecrets(`${message} [${code}]`, news) })) };
    });
  }

  diff(_id: string, olds: Properties, news: Properties): Promise<dynamic.DiffResult> {
    return settle(news, () => {
      const { changes, replaces, deleteBeforeReplace } = this.handler.diff(olds, news);
      return { changes, replaces: [...replaces], deleteBeforeReplace };
    });
  }

  create(inputs: Properties): Promise<dynamic.CreateResult> {
    return settle(inputs, async () => {
      const { id, outs } = await this.handler.create(inputs, connectionsFor(this.#configured));
      return { id, outs: json(outs) };
    });
  }

  read(id: string, props: Properties): Promise<dynamic.ReadResult> {
    return settle(props, async () => {
      const found = await this.handler.read(props, connectionsFor(this.#configured));
      if (!found) return { id: "", props: {} };
      return { id, props: json(found.props), inputs: json(found.inputs) };
    });
  }

  update(_id: string, olds: Properties, news: Properties): Promise<dynamic.UpdateResult> {
    return settle(news, async () => {
      const { outs } = await this.handler.update(olds, news, connectionsFor(this.#configured));
      return { outs: json(outs) };
    });
  }

  delete(_id: string, props: Properties): Promise<void> {
    return settle(props, () => this.handler.delete(props, connectionsFor(this.#configured)));
  }
}

/** Whatever is thrown arrives as an Error, and without what is secret. */
async function settle<T>(properties: Properties, operation: () => T | Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    error.message = hideSecrets(error.message, properties);
    error.stack = hideSecrets(error.stack ?? "", properties);
    throw error;
  }
}

/** Nothing but JSON crosses the protocol; a member that is undefined is left out. */
function json(properties: Properties): Properties {
  return JSON.parse(JSON.stringify(properties)) as Properties;
}

/** The provider behind the constant text `require("pulumi-ovn/runtime").provider(KIND)` in a resource's state. */
export function provider(kind: string): dynamic.ResourceProvider {
  const handler = handlers[kind];
  if (!handler) throw new Error(`pulumi-ovn has no resource kind "${kind}": this stack was made with a newer release; upgrade the package pulumi-ovn`);
  return new DynamicAdapter(handler);
}

