/** Words with another meaning to FRR's or iproute2's commands in the position of a VRF's name. */
const WORDS: ReadonlySet<string> = new Set(["default", "all", "route-map"]);

/** Requirements for a VRF name. */
export const VRF_NAME =
  'the name of a device: 1 to 15 letters, digits, "_", "-" and ".", not first one of the last two, and not "all", "default" or "route-map"';

/** Pure. Whether a VRF can have the name: that of a device (dev_valid_name of Linux), of characters that ip(8) and vtysh take as they are. */
export const isVrfName = (text: string): boolean => /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,14}$/.test(text) && !WORDS.has(text);
