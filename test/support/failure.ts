import { inspect } from "node:util";
import type { OvsdbError } from "@pulumi-ovn/ovsdb-client";

/** Returns the error of a rejected promise; a fulfilled promise fails the test and shows its value. */
export const failure = <E extends Error = OvsdbError>(promise: Promise<unknown>): Promise<E> =>
  promise.then(
    (value) => {
      throw new Error(`no error, but ${inspect(value)}`);
    },
    (error: E) => error,
  );
