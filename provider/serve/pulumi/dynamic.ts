import { type dynamic, log } from "@pulumi/pulumi";
import { isError, type Diagnostic } from "../../kit/arguments/diagnostics";
import { contents, type Envelope, isPacked, packed } from "./envelope";
import { handlers } from "../handlers";
import type { ExistingRequest, Handler, Properties, Request } from "../handlers/handler";
import { InitializationError } from "../handlers/initialization-error";
import { addsSecret, type SecretPath, secretPathsOf } from "../handlers/secret-paths";
import { type Cleaner, cleanerOf } from "../handlers/secrets";
import { InProgress } from "./in-progress";
import { kindOfType } from "../../kit/provider-text";
import { MemberLists } from "../../kit/members/lists";
import {
  Connections,
  type KubernetesConfig,
  kubernetesConfig,
  OLD_ZONES,
  OLD_ZONES_KEY,
  projectFolder,
  readAllTargets,
  TARGETS_KEY,
  TARGETS_VARIABLE,
  withPurpose,
  ZONES_VARIABLE,
} from "../../targets";

/**
 * Pulumi's dynamic provider protocol, on top of protocol-free handlers. This file handles its traps: a thrown value that
 * is not an Error hangs the call; outputs that are not JSON fail after the object was made; concurrent first calls do
 * not await `configure`, so it must be complete when it returns.
 */
let shared: { readonly source: string; readonly targets: Connections } | undefined;

/** One process serves all resources of an operation. */
const members = new MemberLists();

/** Targets in the stack's configuration: the current one in an update or preview, that of the last update in a refresh or destroy. */
interface Configured {
  readonly file: string | undefined;
  readonly oldZones: boolean;
  readonly kubernetes: KubernetesConfig;
}

/** Every kind is configured by itself; all of them share the connections. The file is read once in each of Pulumi's operations, which is a process of its own. */
function targetsOf(configured: Configured): Connections {
  const source = JSON.stringify([configured, process.env[TARGETS_VARIABLE], process.env[ZONES_VARIABLE]]);
  if (shared?.source === source) return shared.targets;
  const folder = projectFolder(process.cwd());
  const { zones, hosts, clusters } = readAllTargets({ ...configured, environment: process.env, folder });
  const targets = new Connections(zones, hosts, clusters, folder, configured.kubernetes);
  void shared?.targets.close();
  shared = { source, targets };
  return targets;
}

const inProgress = new InProgress();

/** Stops operations in progress because the engine has ended; the next operation finds what was written. */
export const stop = (): Promise<void> => inProgress.stop();

/** Pulumi's provider of one kind. */
export class DynamicAdapter implements dynamic.ResourceProvider {
  #configured: Configured = { file: undefined, oldZones: false, kubernetes: {} };

  constructor(private readonly handler: Handler) {}

  configure({ config }: dynamic.ConfigureRequest): Promise<void> {
    this.#configured = {
      file: config.get(TARGETS_KEY),
      oldZones: config.get(OLD_ZONES_KEY) !== undefined,
      kubernetes: kubernetesConfig((key) => config.get(key)),
    };
    return Promise.resolve();
  }

  check(olds: Properties, news: Properties): Promise<dynamic.CheckResult> {
    return settle(
      news,
      async (clean) => {
        if (this.#configured.oldZones) return refused(news, OLD_ZONES);
        let targets: Connections;
        try {
          targets = targetsOf(this.#configured);
        } catch (error) {
          return refused(news, (error as Error).message);
        }
        const owner = typeof olds.owner === "string" ? olds.owner : news.owner;
        const { inputs, diagnostics } = await this.handler.check({
          ...requestOf({ ...news, owner }, targets),
          olds: contents(olds),
          news: contents(news),
          preview: news.dryRun === true,
        });
        warn(diagnostics, owner, clean);
        const failures = diagnostics.filter(isError).map((diagnostic) => ({ property: clean(diagnostic.path), reason: textOf(diagnostic, clean) }));
        return { inputs: enveloped(inputs, { owner, redact: news.redact }), failures };
      },
      olds,
    );
  }

  diff(_id: string, olds: Properties, news: Properties): Promise<dynamic.DiffResult> {
    return settle(news, () => {
      const { changes, replaces, deleteBeforeReplace } = this.handler.diff({ urn: requestUrn(olds), olds: contents(olds), news: contents(news), members });
      // Pulumi keeps the outputs of a resource that does not change as they are, in clear text and packed; an update's have the inputs' secrets.
      return { changes: changes || addsSecret(secretsIn(olds), secretsIn(news)), replaces: [...replaces], deleteBeforeReplace };
    });
  }

  create(inputs: Properties): Promise<dynamic.CreateResult> {
    return settle(inputs, async (clean) => {
      const { id, outs, diagnostics = [] } = await this.handler.create({ ...this.#request(inputs), news: contents(inputs) });
      warn(diagnostics, inputs.owner, clean);
      return { id, outs: this.#kept(outs, inputs) };
    });
  }

  read(id: string, props: Properties): Promise<dynamic.ReadResult> {
    return settle(props, async (clean) => {
      const found = await this.handler.read(this.#existing(id, props));
      if (!found) return { id: "", props: {} };
      warn(found.diagnostics ?? [], props.owner, clean);
      // In the form that the state has: another one would look as if something had changed.
      return {
        id,
        props: isPacked(props) ? this.#kept(found.props, props) : enveloped(found.props, props),
        ...(found.inputs && { inputs: enveloped(found.inputs, props) }),
      };
    });
  }

  update(id: string, olds: Properties, news: Properties): Promise<dynamic.UpdateResult> {
    return settle(
      news,
      async (clean) => {
        // Values that were secret before stay secret.
        const secrets = [...secretsIn(olds), ...secretsIn(news)];
        const { outs, diagnostics = [] } = await this.handler.update({ ...this.#request(news), secrets, id, olds: contents(olds), news: contents(news) });
        warn(diagnostics, news.owner, clean);
        return { outs: this.#kept(outs, news) };
      },
      olds,
    );
  }

  delete(id: string, props: Properties): Promise<void> {
    return settle(props, () => this.handler.delete(this.#existing(id, props)));
  }

  /** The outputs for the state. Pulumi keeps secret what has the name of a secret argument, so those of a resource with secrets keep their names. */
  #kept(outs: Properties, envelope: Envelope): Properties {
    const properties = enveloped(outs, envelope);
    return envelope.redact === undefined ? packed(properties, new Set(this.handler.repeated?.(outs))) : properties;
  }

  #request(properties: Properties): Request {
    return requestOf(properties, targetsOf(this.#configured));
  }

  #existing(id: string, props: Properties): ExistingRequest {
    return { ...this.#request(props), id, olds: contents(props) };
  }
}

function requestOf({ owner, redact }: Envelope, targets: Connections): Request {
  return { urn: requestUrn({ owner }), secrets: secretsIn({ redact }), targets, members, signal: inProgress.signal };
}

function requestUrn({ owner }: Pick<Envelope, "owner">): string {
  return String(owner ?? "");
}

function secretsIn({ redact }: Envelope): SecretPath[] {
  return secretPathsOf(redact);
}

/** Properties as the state keeps them. Only JSON crosses the protocol; undefined fields are left out. */
function enveloped(properties: Properties, { owner, redact }: Envelope): Properties {
  return JSON.parse(JSON.stringify({ ...properties, owner, redact })) as Properties;
}

function refused(inputs: Properties, reason: string): dynamic.CheckResult {
  return { inputs, failures: [{ property: "zone", reason }] };
}

function textOf({ message, code, path }: Diagnostic, clean: Cleaner): string {
  return `${clean(message, path)} [${code}]`;
}

/** A secret reference represents the list's contents. */
function revealing(properties: Properties): Properties {
  const list = members.find(properties.members);
  return list ? { ...properties, members: list } : properties;
}

/** Warnings that this process has shown: each Pulumi operation has its own process. */
const warned = new Set<string>();

/**
 * The zones of a network have a resource each, and their rows change alike: a warning about a row is shown once for all zones. It names the
 * row, not a resource: checks run concurrently, so the first resource differs between two previews of the same change.
 */
function warn(diagnostics: readonly Diagnostic[], owner: unknown, clean: Cleaner): void {
  for (const diagnostic of diagnostics) {
    if (isError(diagnostic)) continue;
    const text = `${isAboutRow(diagnostic) ? "" : `${nameIn(owner)}: `}${textOf(diagnostic, clean)}`;
    if (warned.has(text)) continue;
    warned.add(text);
    void log.warn(text);
  }
}

function isAboutRow({ path }: Diagnostic): boolean {
  return path.startsWith("rows[");
}

function nameIn(owner: unknown): string {
  return String(owner).split("::").at(-1)!;
}

/**
 * Converts every thrown value to an Error without secrets. The operation receives a cleaner for its messages.
 * @param before the properties of the last update, if rows of them may be read or removed
 */
async function settle<T>(properties: Properties, operation: (clean: Cleaner) => T | Promise<T>, before: Properties = {}): Promise<T> {
  const known = [properties, before];
  const clean = cleanerOf(() => known.map((each) => ({ properties: revealing(each), secrets: secretsIn(each) })));
  try {
    return await withPurpose({ resource: nameIn(properties.owner), secret: known.some((each) => secretsIn(each).length > 0) }, () =>
      inProgress.run(async () => operation(clean)),
    );
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    error.message = clean(error.message);
    error.stack = clean(error.stack ?? "");
    // Pulumi takes a resource into the state, with the error, if the error has these fields; the provider's text only as it is in the state.
    if (error instanceof InitializationError)
      throw Object.assign(error, { properties: { ...enveloped(error.outs, properties), __provider: properties.__provider }, reasons: [error.message] });
    throw error;
  }
}

/** The provider behind the constant text `require("pulumi-ovn/runtime").provider(KIND)` in a resource's state. */
export function provider(kind: string): dynamic.ResourceProvider {
  const handler = handlers[kindOfType(kind)];
  if (!handler) throw new Error(`pulumi-ovn has no resource kind "${kind}": this stack was made with a newer release; upgrade the package pulumi-ovn`);
  return new DynamicAdapter(handler);
}
