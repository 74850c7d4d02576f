import { Expression, type Sample } from "./samples/sample";

const WIDTH = 110;

/** A value as a TypeScript literal: in one line where it fits. */
export function literal(value: unknown, indent = ""): string {
  if (value instanceof Expression) return value.text;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  const parts = (at: string) =>
    Array.isArray(value) ? value.map((item) => literal(item, at)) : Object.entries(value).map(([key, item]) => `${fieldName(key)}: ${literal(item, at)}`);
  const flat = parts(inner);
  const space = Array.isArray(value) ? "" : " ";
  const line = `${open}${space}${flat.join(", ")}${space}${close}`;
  if (!line.includes("\n") && indent.length + line.length <= WIDTH) return line;
  return `${open}\n${flat.map((part) => `${inner}${part},`).join("\n")}\n${indent}${close}`;
}

function fieldName(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key);
}

/** The sample as a statement of a stack program. */
export function statement(className: string, { variable, args }: Sample): string {
  return `const ${variable} = new ovn.${className}("${variable}", ${literal(args)});`;
}

/** The sample's arguments as the provider gets them. */
export function valuesOf(value: unknown): unknown {
  if (value instanceof Expression) return typeof value.value === "function" ? (value.value as () => unknown)() : value.value;
  if (Array.isArray(value)) return value.map(valuesOf);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, valuesOf(item)]));
}
