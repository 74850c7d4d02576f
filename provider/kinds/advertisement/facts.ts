/** Objects of the Kubernetes API. Only the fields that an announcement depends on; other fields are ignored. */
export interface Metadata {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** A label selector (meta/v1 LabelSelector). `{}` selects everything. */
export interface LabelSelector {
  /** Labels with these values. */
  matchLabels?: Record<string, string>;
  /** Further requirements; all of them must hold. */
  matchExpressions?: LabelRequirement[];
}

/** One requirement of a label selector. */
export interface LabelRequirement {
  /** Key of the label. */
  key: string;
  /** How the label relates to `values`: `In`, `NotIn`, `Exists` or `DoesNotExist`. */
  operator: string;
  /** Values for `In` and `NotIn`; none for the others. */
  values?: string[];
}

export interface NodeObject {
  readonly metadata: Metadata;
  readonly status?: {
    readonly addresses?: readonly { readonly address: string }[];
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

export interface NamespaceObject {
  readonly metadata: Metadata;
}

interface LayerSpec {
  readonly role?: string;
  /** Layer 2: texts; layer 3: with the length of each host's part. */
  readonly subnets?: readonly (string | { readonly cidr: string })[];
}

/** `k8s.ovn.org/v1` ClusterUserDefinedNetwork. */
export interface NetworkObject {
  readonly metadata: Metadata;
  readonly spec: {
    readonly namespaceSelector: LabelSelector;
    readonly network: {
      readonly topology: string;
      readonly transport?: string;
      readonly layer2?: LayerSpec;
      readonly layer3?: LayerSpec;
      readonly localnet?: LayerSpec;
    };
  };
}

/** `k8s.cni.cncf.io/v1` NetworkAttachmentDefinition; its annotations have the id of a network. */
interface AttachmentObject {
  readonly metadata: Metadata;
}

/** `k8s.ovn.org/v1` EgressIP. */
export interface EgressIPObject {
  readonly metadata: Metadata;
  readonly spec: { readonly namespaceSelector: LabelSelector };
  readonly status?: { readonly items?: readonly { readonly node?: string; readonly egressIP?: string }[] };
}

interface Advertise {
  readonly allowed?: unknown;
  readonly withLocalPref?: readonly { readonly prefixes?: readonly string[]; readonly localPref?: number }[];
}

export interface Neighbor {
  readonly address?: string;
  readonly interface?: string;
  readonly asn?: number;
  readonly dynamicASN?: string;
  readonly localASN?: number;
  readonly sourceaddress?: string;
  readonly port?: number;
  readonly password?: string;
  readonly passwordSecret?: { readonly name?: string; readonly namespace?: string };
  readonly holdTime?: string;
  readonly keepaliveTime?: string;
  readonly connectTime?: string;
  readonly ebgpMultiHop?: boolean;
  readonly bfdProfile?: string;
  readonly dualStackAddressFamily?: boolean;
  readonly toAdvertise?: Advertise;
  readonly toReceive?: unknown;
}

export interface Router {
  readonly asn: number;
  readonly id?: string;
  readonly vrf?: string;
  readonly neighbors?: readonly Neighbor[];
  readonly prefixes?: readonly string[];
  readonly imports?: readonly { readonly vrf?: string }[];
}

/** `frrk8s.metallb.io/v1beta1` FRRConfiguration. */
export interface FrrConfiguration {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: Metadata;
  readonly spec: {
    readonly bgp?: { readonly routers?: readonly Router[]; readonly bfdProfiles?: readonly Readonly<Record<string, unknown>>[] };
    readonly raw?: { readonly priority?: number; readonly rawConfig?: string };
    readonly nodeSelector?: LabelSelector;
  };
}

/** Input of an announcement in addition to its arguments: objects as a list request of the API returns them. */
export interface ClusterFacts {
  readonly nodes: readonly NodeObject[];
  readonly networks: readonly NetworkObject[];
  readonly namespaces: readonly NamespaceObject[];
  readonly egressIPs: readonly EgressIPObject[];
  /** All of them: templates, generated ones, and those of others, with which frr-k8s merges what is generated. */
  readonly frrConfigurations: readonly FrrConfiguration[];
  /** Needed only for networks whose name is too long for that of a VRF. */
  readonly attachments?: readonly AttachmentObject[];
  /** Kinds of ovn-kubernetes that were to be read and that the cluster does not have. Default: none. */
  readonly missing?: readonly string[];
  /** Whether the cluster has the kind RouteAdvertisements of ovn-kubernetes. Default: false. */
  readonly controller?: boolean;
}
