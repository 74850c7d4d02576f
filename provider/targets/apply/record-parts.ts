import type { OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import type { DatabaseName } from "../database";
import { noLongerPending } from "../errors";
import { type PartImage, partBefore, type StoredPart, withAfter } from "./part";
import { putParts, readRecord, transactIn } from "./record";

const DATABASE: DatabaseName = "Open_vSwitch";

/**
 * Does work that changes parts of a host. Their images before it are in the host's database before the work begins, those after it when it
 * has ended, also by an error. Throws a PendingApplyError if the apply is not pending any more.
 */
export async function recordingParts<T>(
  { client, id }: { readonly client: OvsdbClient; readonly id: string },
  look: () => Promise<readonly PartImage[]>,
  work: () => Promise<T>,
): Promise<T> {
  const { parts: known = [] } = (await readRecord(client, DATABASE)) ?? {};
  const parts = (await look()).map((image) => known.find(({ name }) => name === image.name) ?? partBefore(image));
  await put(client, id, parts);
  const end = async () => {
    const images = new Map((await look()).map(({ name, image }) => [name, image]));
    await put(
      client,
      id,
      parts.map((part) => withAfter(part, images.get(part.name) ?? "")),
    );
  };
  try {
    const result = await work();
    await end();
    return result;
  } catch (error) {
    // Without the images after it, everything that the resource has is taken for the apply's.
    await end().catch(() => undefined);
    throw error;
  }
}

async function put(client: OvsdbClient, id: string, parts: readonly StoredPart[]): Promise<void> {
  const refusal = await transactIn(client, DATABASE, { id, phase: "pending" }, putParts(DATABASE, parts));
  if (refusal) throw noLongerPending(id, refusal);
}
