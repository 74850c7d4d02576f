import { visible } from "@pulumi-ovn/provider/tools";

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Text for XML and HTML, in elements and attributes. Invisible characters and those that turn the direction of text are shown as codes. */
export function escaped(text: string): string {
  return visible(text).replace(/[&<>"']/g, (character) => ESCAPES[character]!);
}
