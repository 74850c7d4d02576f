import type { ResourceValidationPolicy } from "@pulumi/policy";
import { kindOf } from "./resource";

type Ports = Readonly<Record<string, { readonly portSecurity?: unknown; readonly remote?: boolean }>>;

/** Workloads have port security. */
export const portSecurity: ResourceValidationPolicy = {
  name: "port-security",
  description: "Workloads send only with their own MAC and addresses.",
  configSchema: { properties: { except: { type: "array", items: { type: "string" }, default: [], description: "Names of workloads that may go without" } } },
  validateResource: ({ type, props, getConfig }, report) => {
    const kind = kindOf(type);
    const { except } = getConfig<{ except: string[] }>();
    const refuse = (path: string, names: readonly string[]) => {
      for (const name of names) if (!except.includes(name)) report(`${path}.${name}: port security is off`);
    };
    if (kind === "NetworkMembers" || kind === "WorkloadPorts") {
      const path = kind === "NetworkMembers" ? "workloads" : "ports";
      const ports = (props[path] ?? {}) as Ports;
      refuse(
        path,
        Object.keys(ports).filter((name) => ports[name]!.portSecurity === false && ports[name]!.remote !== true),
      );
    }
    if (kind === "VpcBridges") {
      const { ports = {}, portSecurity: secured = {} } = props as { ports?: Ports; portSecurity?: Ports };
      refuse(
        "ports",
        Object.keys(ports).filter((name) => secured[name] === undefined),
      );
    }
  },
};
