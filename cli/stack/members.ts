import { rowKindOfType, typeToken } from "@pulumi-ovn/provider";
import { completed, MemberLists, MEMBERS_KIND, rememberLists } from "@pulumi-ovn/provider/tools";

type Properties = Readonly<Record<string, unknown>>;

/** A resource's properties as a state or a preview has them. */
export interface StoredResource {
  readonly type: string;
  readonly inputs: Properties;
  readonly outputs?: Properties | undefined;
}

/** The lists of networks that these resources hold. */
export function listsIn(resources: Iterable<StoredResource>): MemberLists {
  const lists = new MemberLists();
  for (const { type, inputs, outputs = {} } of resources)
    if (type === typeToken(MEMBERS_KIND)) for (const properties of [inputs, outputs]) rememberLists(lists, properties);
  return lists;
}

/** The resource with its parts of the lists that it refers to, as one that holds them itself; as it is where a list is not among these. */
export function withMembers<Resource extends StoredResource>(resource: Resource, lists: MemberLists): Resource {
  const kind = rowKindOfType(resource.type);
  if (!kind?.fromMembers) return resource;
  const complete = (properties: Properties) => completed(kind.fromMembers, properties, lists) ?? properties;
  return { ...resource, inputs: complete(resource.inputs), ...(resource.outputs && { outputs: complete(resource.outputs) }) };
}
