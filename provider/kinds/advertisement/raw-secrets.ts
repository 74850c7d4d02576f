/** Replaces a secret, whose presence is enough here. */
const HIDDEN = "(hidden)";

/** Replaces passwords by texts that only show which ones are equal: `(hidden)`, `(hidden 2)`. */
export class HiddenPasswords {
  readonly #known = new Map<string, number>();

  hide(password: string): string {
    const number = this.#known.get(password) ?? this.#known.size + 1;
    this.#known.set(password, number);
    return number === 1 ? HIDDEN : `(hidden ${number})`;
  }
}

/** Which of the hidden passwords one is, for messages; never a text that is not hidden. */
export function whichPassword(hidden: string): string {
  const number = /^\(hidden (\d+)\)$/.exec(hidden)?.[1];
  return number === undefined ? "" : `, number ${number}`;
}

/**
 * Commands of FRR that a secret follows in their line: of BGP, LDP, IS-IS and vtysh (`password`, `area-password`), OSPF, OSPFv3,
 * RIP, NHRP, PCEP, and key chains (FRR user guide, the chapters of these protocols).
 */
const COMMANDS = [
  "password",
  "authentication-key",
  "message-digest-key",
  "authentication\\s+key-id",
  "authentication\\s+string",
  "nhrp\\s+authentication",
  "key-string",
  "tcp-md5-auth",
];
const SECRET = new RegExp(String.raw`\b(${COMMANDS.join("|")})\b[^\n]*`, "gi");

/** Returns whether a text of FRR's own configuration contains a secret, masked or not. */
export function holdsSecret(rawConfig: string): boolean {
  return rawConfig.search(SECRET) >= 0;
}

export function withoutSecrets(rawConfig: string): string {
  return rawConfig.replace(SECRET, (_line, command: string) => `${command} ${HIDDEN}`);
}
