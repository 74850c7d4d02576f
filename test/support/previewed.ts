import type { dynamic } from "@pulumi/pulumi";
import { provider } from "@pulumi-ovn/provider/runtime";
import { registeredBy } from "./program";

export interface PreviewedResource {
  readonly name: string;
  /** `path: reason`, as Pulumi shows them. */
  readonly failures: readonly string[];
  /** As a preview shows them. */
  readonly inputs: Readonly<Record<string, any>>;
}

/**
 * Messages of `pulumi preview` about a program's resources, from their classes to the targets, without the engine.
 * @param config the stack's configuration
 */
export async function previewed(program: () => void, config: Readonly<Record<string, string>>): Promise<PreviewedResource[]> {
  const registered = await registeredBy(program, true);
  return Promise.all(
    registered.map(async ({ kind, name, inputs: given }) => {
      const served = provider(kind) as Required<dynamic.ResourceProvider>;
      await served.configure({ config: { get: (key: string) => config[key] } } as dynamic.ConfigureRequest);
      const { __provider: _provider, ...args } = plainText(given) as Record<string, unknown>;
      const { inputs, failures = [] } = await served.check({}, args);
      return { name, failures: failures.map(({ property, reason }) => `${property}: ${reason}`), inputs: inputs as Record<string, any> };
    }),
  );
}

/** Key by which Pulumi distinguishes a secret from an object. */
const SIGNATURE = "4dabf18193072939515e22adb298388d";

/** The engine gives a provider secrets as plain text. */
export function plainText(inputs: object): object {
  return JSON.parse(JSON.stringify(inputs), (_key, value: unknown) =>
    typeof value === "object" && value !== null && SIGNATURE in value ? (value as { value?: unknown }).value : value,
  ) as object;
}
