/**
 * What the command line tools need of the inside, besides the public names: for `@pulumi-ovn/cli`, with no promise to others.
 * Nothing that runs in the provider process or in a stack's program loads this.
 */
export { isError } from "./arguments/diagnostics";
export { didYouMean } from "./arguments/nearest";
export { isSendableName } from "./arguments/sendable";
export { hasUnknown, sameJson, UNKNOWN } from "./arguments/unknown";
export type { Live } from "./contract/backend";
export { contents, unpacked } from "./pulumi/envelope";
export { flowCookie } from "./flows/cookie";
export type { FlowSet } from "./flows/flow-set";
export { endedEarly, runOnHost, shellOnHost } from "./flows/host";
export type { BridgeDifference } from "./flows/plan";
export { ENVIRONMENT, newMark, quote } from "./flows/script";
export { compare } from "./flows/switch";
export { handlers, rowHandler } from "./handlers";
export { ALL_HIDDEN } from "./handlers/hidden-lines";
export type { Properties } from "./handlers/handler";
export { ResourceHandler } from "./handlers/resource-handler";
export { brokenInterfaces, interfaceProblem, type InterfaceRow, numberProblem } from "./host/switch";
export { listed } from "./text/listed";
export { completed, MemberLists, MEMBERS_KIND, tell } from "./members";
export { objectSetDigest, objectWords } from "./objects/lines";
export { readObjectLines } from "./objects/read-lines";
export { objectId, objectLabel } from "./objects/reference";
export { MISSING, rowDrifts } from "./rows/drift";
export { RowError } from "./rows/errors";
export { isDerivedUuid, OWNER_KEY } from "./rows/identity";
export { rowLabel, rowWords, setDigest } from "./rows/lines";
export { childColumns, type LiveRow } from "./rows/live";
export { type Candidate, matchRows } from "./rows/matching";
export { naturalKey } from "./rows/natural-keys";
export { type ReadLines, readLines, readWord, type Word } from "./rows/read-lines";
export { rowsOf, select } from "./rows/observe";
export { managerOf, ownerIn } from "./rows/ownership";
export { type Adopted, adoptionKey, type ResolvedRow, resolveRows } from "./rows/resolve";
export { contributionLines } from "./rows/shared-lines";
export { defaultValue, isResolvedMap, type ResolvedValue, sameValue, toValue } from "./rows/values";
export { inOrder } from "./topology/fields";
export { stageFailures } from "./topology/layer2-gateway/stage";
export { sortedEntries } from "./topology/rows";
export { RA_DEFAULTS } from "./topology/transit-router/args";
export { numberOf } from "./vpc/acl-flows";
export { routerBridge, securedNumbers, tierBridge, tunnelPort } from "./vpc/names";
export { type LogicalRouterBridgeSpec, logicalRouterBridgeSchema } from "./vpc/router-args";
export { TABLE as ROUTER_TABLE, TIER_TABLE } from "./vpc/tables";
export { type VpcBridgesSpec, vpcBridgesSchema } from "./vpc/bridges-args";
export { tierFields, vpcSchema } from "./vpc/args";
