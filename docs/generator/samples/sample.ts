import type { Facts } from "../facts";

/** Expression of a stack program, with the value (or a function that creates it) for rendering the sample. */
export class Expression {
  constructor(
    readonly text: string,
    readonly value: unknown,
  ) {}
}

/** Shorter than `new Expression`. */
export const expression = (text: string, value: unknown) => new Expression(text, value);

export interface Sample {
  /** Name of the variable and of the resource in the example. */
  readonly variable: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Facts for a kind that observes its target: the page is generated without one. */
  readonly observed?: Facts;
  /** The host whose part of a component its page shows. Default: it shows a zone's. */
  readonly host?: string;
}
