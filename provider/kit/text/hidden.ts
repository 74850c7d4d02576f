/** Replaces secrets in texts. */
export const HIDDEN = "[secret]";

/** Names for hidden things that must differ: `[secret]`, `[secret] 2`. */
export function hiddenNames(): () => string {
  let count = 0;
  return () => (++count === 1 ? HIDDEN : `${HIDDEN} ${count}`);
}
