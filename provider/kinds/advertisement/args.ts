import { z } from "zod";
import type { ClusterArgs } from "../../backends/objects/kind";
import { namespaceName } from "../../backends/objects/set/names";
import { byName, ips, name, schemaOf, subnets } from "../topology/fields";
import { ALL_NAMESPACES } from "./names";
import { requirementProblem } from "./selector";
import type { AdvertisementSpec } from "./spec";

/**
 * Networks announced to a BGP fabric by frr-k8s on the nodes of a Kubernetes cluster, as ovn-kubernetes' RouteAdvertisements announces them. The
 * cluster needs no ovn-kubernetes.
 */
export interface RouteAdvertisementArgs extends ClusterArgs, AdvertisementSpec {
  /** Namespace of frr-k8s, templates and generated objects. `"*"`: templates of all namespaces. frr-k8s reads only its own namespace. Default: `frr-k8s-system`. */
  namespace?: string;
  /**
   * `generate` writes FRRConfigurations, `controller` the RouteAdvertisements object of ovn-kubernetes, without networks of the stack. Default:
   * `generate`.
   */
  mode?: "generate" | "controller";
  /**
   * `applied`: frr-k8s has loaded the configuration on every node. `established`: all announcing sessions are up, too. `mode: "controller"`
   * always waits for `Accepted`. Default: `none`.
   */
  waitFor?: "none" | "applied" | "established";
  /** Seconds that a wait may take; then the update fails and lists what is missing. Default: 180. */
  timeout?: number;
}

const text = z.string().min(1);
/** Messages call the network so. */
const label = z.string().regex(/^[^\p{C}\p{Zl}\p{Zp}]+$/u, "expected a name without line breaks and control characters");
/** It is written into FRR's configuration, where white space ends it, and is the name of a network interface. */
const vrf = z
  .string()
  .max(15, "a VRF's name has at most 15 characters")
  .regex(/^(?!\.{1,2}$)[\w.@+-]*$/, "a VRF's name has letters, digits and . _ - + @");
/** RFC 1123, as the API server takes names (Kubernetes, "Object Names and IDs"). */
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const selector = z
  .strictObject({
    matchLabels: z.record(text, z.string()).optional(),
    matchExpressions: z.array(z.strictObject({ key: text, operator: text, values: z.array(z.string()).optional() })).optional(),
  })
  .superRefine(({ matchExpressions = [] }, context) => {
    matchExpressions.forEach((requirement, index) => {
      const problem = requirementProblem(requirement);
      if (problem !== undefined) context.addIssue({ code: "custom", path: ["matchExpressions", index], message: problem, params: { code: "selector" } });
    });
  });

const anyNamespace = z.union([z.literal(ALL_NAMESPACES), namespaceName], { error: `expected the name of a namespace, or "${ALL_NAMESPACES}"` });

const network = z.strictObject({
  topology: z.enum(["layer2", "layer3"]),
  subnets: subnets.optional(),
  nodeSubnets: byName(subnets).optional(),
  vrf: vrf.min(1).optional(),
  egressIPs: byName(ips).optional(),
});

export const schema = schemaOf<RouteAdvertisementArgs>()(
  z.strictObject({
    cluster: name,
    name: text.regex(SUBDOMAIN, "needs lower-case letters, digits, dots and dashes, and none of the last two at its ends, nor at those of parts between dots"),
    targetVRF: vrf.optional(),
    networkSelectors: z
      .array(
        z.strictObject({
          networkSelectionType: z.enum(["DefaultNetwork", "ClusterUserDefinedNetworks"]),
          clusterUserDefinedNetworkSelector: z.strictObject({ networkSelector: selector }).optional(),
        }),
      )
      .max(5)
      .optional(),
    networks: z.record(label, network).optional(),
    nodeSelector: selector.optional(),
    frrConfigurationSelector: selector.optional(),
    advertisements: z.array(z.enum(["PodNetwork", "EgressIP"])).min(1),
    nodesPrepared: z.boolean().optional(),
    allowAsIn: z.boolean().optional(),
    namespace: anyNamespace.default("frr-k8s-system"),
    mode: z.enum(["generate", "controller"]).default("generate"),
    waitFor: z.enum(["none", "applied", "established"]).default("none"),
    timeout: z.number().positive().max(86_400).default(180),
  }),
);

export type RouteAdvertisementSpec = z.output<typeof schema>;
