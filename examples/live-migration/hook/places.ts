import type { GuestEvent } from "./events.ts";

/** Node of a guest and its destination; equal unless it migrates. */
export interface Place {
  readonly node: string;
  readonly to: string;
}

/** The node after an event; undefined when it changes nothing. */
export function placeAfter({ node, to }: Place, { host, what }: GuestEvent): Place | undefined {
  const after = { comes: { node, to: host }, runs: { node: host, to: host }, gone: host === to ? { node, to: node } : { node, to } }[what];
  return after.node === node && after.to === to ? undefined : after;
}
