/**
 * Conntrack entries of a stateful VPC. Every connection between tiers is committed in the direction in which it
 * began, by logical and virtual routers alike: otherwise the first packet that a logical router meets would count as the beginning, and could be an answer.
 * Only the mark shows that a logical router's ACLs have allowed it.
 */
export const seen = (zone: number): string => `ct(commit,zone=${zone})`;
export const allowed = (zone: number): string => `ct(commit,zone=${zone},exec(load:0x1->NXM_NX_CT_MARK[]))`;

/** Match of connections that ACLs have allowed in the direction in which they began. */
export const IS_ALLOWED = "ct_mark=0x1";

/**
 * A bit of the source MAC, 0 in MACs of logical routers: the packet passed without ACLs, as an answer or as an error about a connection.
 * It reports nothing about who may begin a connection, so no host commits it.
 */
export const MARK_ANSWER = "load:0x1->NXM_OF_ETH_SRC[44]";
export const IS_ANSWER = "dl_src=10:00:00:00:00:00/10:00:00:00:00:00";
