import type { OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import type { DatabaseName } from "../database";
import { noLongerPending } from "../errors";
import { type PartImage, partBefore, type StoredPart, withAfter } from "./part";
import { openGuard, putParts, readRecord, transactIf } from "./record";
import type { RestoreParts } from "./undo";

const DATABASE: DatabaseName = "Open_vSwitch";

/**
 * Does work that changes parts of a host. Their images before it are in the host's database before the work begins, those after it when it
 * has ended, also by an error. Throws a PendingApplyError if the apply is not pending any more; what the work has done is undone then.
 */
export async function recordingParts<T>(
  { client, id }: { readonly client: OvsdbClient; readonly id: string },
  look: () => Promise<readonly PartImage[]>,
  work: () => Promise<T>,
  restore: RestoreParts,
): Promise<T> {
  const { parts: known = [] } = (await readRecord(client, DATABASE)) ?? {};
  const parts = (await look()).map((image) => known.find(({ name }) => name === image.name) ?? partBefore(image));
  const refused = await put(client, id, parts);
  if (refused) throw noLongerPending(id, refused);
  const end = async () => {
    const images = new Map((await look()).map(({ name, image }) => [name, image]));
    const after = parts.map((part) => withAfter(part, images.get(part.name) ?? ""));
    const refusal = await put(client, id, after);
    if (!refusal) return;
    // A concurrent undo may have looked at them before they were written.
    await restore(after, true);
    throw noLongerPending(id, refusal);
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

const put = (client: OvsdbClient, id: string, parts: readonly StoredPart[]) => transactIf(client, openGuard(DATABASE, id), putParts(DATABASE, parts));
