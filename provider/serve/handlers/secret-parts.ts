/** Separators between parts of a text, such as the fields of a flow. Errors name one part of a text. */
const SEPARATORS = /[\s,;=()[\]{}"'|/]+/;

/** Between words of a match expression, which need no white space. */
const OPERATORS = /[<>!&$@]+/;

/** Shorter ones are parts of many words. */
const SHORTEST_PART = 4;

/** Outside flows, only parts that are not words of a language, or of OVN. */
const TELLING = /^(?=.*\d)(?=.*[a-z]).{6,}$/i;

/** Part of every flow (ovs-ofctl(8)). */
const IS_FLOW = /(?:^|[\s,])actions=/;

/** Names of a flow's fields and actions, where they stand before what may be secret. */
const FLOW_NAME = /(?<![^\s,(])[a-z_]+(?=[=(])/g;

/** Parts that are hidden in texts about a secret; names in a flow are not, since a refusal has to tell what is wrong. */
export function partsOf(secret: string): string[] {
  const values = IS_FLOW.test(secret) ? secret.replace(FLOW_NAME, "") : secret;
  const parts = values.split(SEPARATORS);
  const words = parts.flatMap((part) => part.split(OPERATORS));
  return [...new Set([...parts, ...words])].filter((part) => part !== secret && part.length >= SHORTEST_PART);
}

/** Parts that are hidden in all texts. */
export function tellingPartsOf(secret: string): string[] {
  return secret.split(SEPARATORS).filter((part) => part !== secret && TELLING.test(part));
}
