import { gzipSync } from "node:zlib";

/** Prefix of the keys of parts in `external_ids`. */
export const PART = "pulumi-ovn:part/";

/** Part of a database's host outside of the database that an apply changes: flows of a cookie on a bridge, or a file. */
export interface StoredPart {
  /** `flows/COOKIE/BRIDGE` or `file/PATH`. Files come first in the order of names. */
  readonly name: string;
  /** `BEFORE.AFTER`, for a shell: images, compressed and in base64. Without AFTER the write is in progress, or was interrupted. */
  readonly value: string;
}

/** Image of a part, as a shell on the host prints it. Empty: it does not exist. */
export interface PartImage {
  readonly name: string;
  readonly image: string;
}

const packed = (image: string): string => gzipSync(image).toString("base64");

/** A part before its first change. */
export const partBefore = ({ name, image }: PartImage): StoredPart => ({ name, value: `${packed(image)}.` });

/** The same part after a change. */
export const withAfter = ({ name, value }: StoredPart, image: string): StoredPart => ({
  name,
  value: `${value.slice(0, value.indexOf("."))}.${packed(image)}`,
});

export const partIn = (key: string, value: string): StoredPart => ({ name: key.slice(PART.length), value });
