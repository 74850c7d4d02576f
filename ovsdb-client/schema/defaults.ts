import type { Atom } from "../values";
import type { AtomicType } from "./types";

/** Values of columns that an insert omits (RFC 7047 section 5.2.1). */
export const DEFAULT_ATOM: Readonly<Record<AtomicType, Atom>> = {
  integer: 0,
  real: 0,
  boolean: false,
  string: "",
  uuid: "00000000-0000-0000-0000-000000000000",
};
