import { z } from "zod";
import type { Failure } from "./errors";
import { validate } from "./validate";

const schema = z.object({ adopt: z.union([z.boolean(), z.strictObject({ owners: z.array(z.string().min(1)) })]).optional() });

/** Failures of the argument `adopt`, which all kinds of a back end have. */
export function adoptFailures({ adopt }: Readonly<Record<string, unknown>>): Failure[] {
  return validate(schema, { adopt });
}

/** Owners of whom something may be taken over; undefined when nothing is to be adopted. */
export function managersOf(properties: Readonly<Record<string, unknown>>): readonly string[] | undefined {
  const { adopt } = schema.parse({ adopt: properties.adopt });
  if (adopt === undefined || adopt === false) return undefined;
  return adopt === true ? [] : adopt.owners;
}
